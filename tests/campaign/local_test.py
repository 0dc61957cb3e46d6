#!/usr/bin/env python3
"""Campaigns on local cores: killed in whole and in part, interrupted, resumed, split and merged.

  TANDEM_EXECUTABLE=build/tandem tests/campaign/local_test.py
"""
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import support

MODELS = "rtl,golden,cycle" if support.has_rtl() else "golden,cycle"
SEEDS = 160


class LocalCampaign(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as place:
            file = support.write_campaign(place, SEEDS, models=MODELS)
            assert support.regress(file).returncode == 0
            cls.unbroken = support.verdicts(pathlib.Path(place) / "c.results")
        assert len(cls.unbroken) == SEEDS

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)
        self.file = support.write_campaign(self.folder, SEEDS, models=MODELS)
        self.store = self.folder / "c.results"

    def tearDown(self):
        self.place.cleanup()

    def start(self):
        before = len(support.records(self.store))
        process = subprocess.Popen([support.TANDEM, "regress", self.file, "--jobs", "2"],
                                   stderr=subprocess.DEVNULL)
        support.wait_for(lambda: len(support.records(self.store)) >= before + 30, 60, "results")
        return process

    def check_whole(self):
        self.assertEqual(support.regress(self.file).returncode, 0)
        self.assertEqual(support.verdicts(self.store), self.unbroken)
        self.assertEqual(support.summary(self.file, self.store)["done"], SEEDS)

    def test_a_killed_campaign_goes_on_where_it_was(self):
        for _ in range(2):
            process = self.start()
            process.kill()
            process.wait()
        self.check_whole()
        # A record that two processes wrote is one too many: only a seed in flight may be.
        self.assertLessEqual(len(support.records(self.store)), SEEDS + 4)

    def test_a_killed_worker_is_replaced(self):
        process = self.start()
        for worker in support.children(process.pid):
            os.kill(worker, signal.SIGKILL)
        self.assertEqual(process.wait(120), 0)
        self.assertEqual(set(support.seed_counts(self.store).values()), {1})
        self.check_whole()

    def test_an_interrupted_campaign_ends_with_its_summary(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.start()
            workers = support.children(process.pid)
            process.send_signal(number)
            self.assertEqual(process.wait(30), status)
            for worker in workers:
                self.assertFalse(pathlib.Path(f"/proc/{worker}").exists())
        self.check_whole()
        self.assertEqual(set(support.seed_counts(self.store).values()), {1})

    def test_an_interrupt_ends_waiting_for_a_slurm_that_does_not_answer(self):
        asked = self.folder / "asked"
        for name, body in (("sbatch", "echo 7"), ("scancel", "true"),
                           ("squeue", f"touch {asked}; sleep 300")):
            tool = self.folder / name
            tool.write_text(f"#!/bin/sh\n{body}\n")
            tool.chmod(0o755)
        path = f"{self.folder}:{os.environ['PATH']}"
        process = subprocess.Popen([support.TANDEM, "regress", self.file, "--slurm", "1", "--poll", "1"],
                                   stderr=subprocess.DEVNULL, env={**os.environ, "PATH": path})
        support.wait_for(asked.exists, 60, "a question to Slurm")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), 143)

    def test_shards_and_a_merge_are_the_whole(self):
        stores = [self.folder / f"shard{k}" for k in range(3)]
        for k, store in enumerate(stores):
            run = support.regress(self.file, "--store", store, "--shard", f"{k}/3", "--no-summary")
            self.assertEqual(run.returncode, 0, run.stderr)
        merge = [argument for store in stores for argument in ("--merge", store)]
        self.assertEqual(support.regress(self.file, *merge).returncode, 0)
        self.assertEqual(len(support.records(self.store)), SEEDS)
        self.check_whole()

    def test_failures_of_one_cause_are_one_kind_and_repeat(self):
        self.file = support.write_campaign(self.folder, 20, 'plant = "write.data@30"\n', MODELS)
        run = support.regress(self.file, "--html", self.folder / "a.html", "--junit",
                              self.folder / "a.xml")
        self.assertEqual(run.returncode, 1)
        found = support.summary(self.file, self.store)
        self.assertEqual(found["failed"], 20)
        self.assertEqual([kind["count"] for kind in found["kinds"]], [20])
        repeat = support.regress(self.file, "--repeat", found["kinds"][0]["first"])
        self.assertEqual(repeat.returncode, 1)
        self.assertIn("MISMATCH in write.data", repeat.stderr)
        self.assertIn("write.data", (self.folder / "a.html").read_text())

    def test_a_damaged_store_and_bad_words_are_told(self):
        self.assertEqual(support.regress(self.file, "--shard", "0/40", "--no-summary").returncode, 0)
        file = next(self.store.glob("*.results"))
        text = bytearray(file.read_bytes())
        text[40] ^= 1
        file.write_bytes(text)
        self.assertEqual(support.summary(self.file, self.store)["damaged"], 1)
        for words in (["--shard", "3/3"], ["--repeat", "nano/none/1"], ["--merge", "/nowhere"]):
            self.assertEqual(support.regress(self.file, *words).returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
