#!/usr/bin/env python3
"""Results of mutants: which results of campaigns are kept, and which of two different ones counts.

  tests/mutants/results_test.py
"""
import json
import pathlib
import tempfile
import unittest
from unittest import mock

import results

MUTANT = {"set": "hand", "number": 7, "unit": "tpu_sample", "line": 3, "operator": "wrong width", "before": "a",
          "after": "b", "what": "one bit is lost", "place": 1}
OTHER = {**MUTANT, "number": 8, "what": "two are"}
KILL = {"by": "random", "bundles": 12}


class ResultsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "judged.tsv"
        self.said = pathlib.Path(folder.name) / "results.jsonl"
        patch = mock.patch.object(results, "read_kept", lambda file=self.file, read=results.read_kept: read(file))
        patch.start()
        self.addCleanup(patch.stop)

    def keep(self, mutant, killed, seconds=1.5):
        results.write_kept([{**mutant, "killed": killed, "seconds": seconds}], self.file)

    def say(self, mutant, killed, build="b"):
        with self.said.open("a") as store:
            store.write(json.dumps({**mutant, "killed": killed, "seconds": 2.0, "build": build}) + "\n")

    def test_what_is_kept_is_read_again(self):
        self.keep(MUTANT, KILL)
        self.keep(OTHER, None, None)
        kept = results.read_kept(self.file)
        self.assertEqual(kept["hand", results.key_of(MUTANT)], {"killed": KILL, "seconds": 1.5})
        self.assertEqual(kept["hand", results.key_of(OTHER)], {"killed": None, "seconds": None})

    def test_a_fault_keeps_its_key_in_another_place_and_loses_it_with_another_text(self):
        self.assertEqual(results.key_of(MUTANT), results.key_of({**MUTANT, "number": 9, "line": 30}))
        self.assertNotEqual(results.key_of(MUTANT), results.key_of({**MUTANT, "after": "c"}))

    def test_a_kill_counts_more_than_a_life(self):
        self.keep(MUTANT, KILL)
        self.say(MUTANT, None)
        self.keep(OTHER, None)
        self.say(OTHER, {"by": "host"})
        judged = results.known(self.said, [MUTANT, OTHER])
        self.assertEqual([r["killed"]["by"] for r in judged], ["random", "host"])

    def test_of_what_nobody_judged_nothing_is_known(self):
        self.keep(MUTANT, KILL)
        self.assertEqual([r["number"] for r in results.known(self.said, [MUTANT, OTHER])], [7])

    def test_again_judges_what_no_kill_is_known_of(self):
        self.keep(MUTANT, KILL)
        self.keep(OTHER, None)
        found, lived = results.of_builds(self.said, {"hand": "new"}, [MUTANT, OTHER], True)
        self.assertEqual(list(found), [results.name_of(MUTANT)])
        self.assertEqual(lived, {results.name_of(OTHER)})

    def test_without_again_only_this_build_counts(self):
        self.keep(MUTANT, KILL)
        self.say(OTHER, KILL, "new")
        found, _ = results.of_builds(self.said, {"hand": "new"}, [MUTANT, OTHER], False)
        self.assertEqual(list(found), [results.name_of(OTHER)])


if __name__ == "__main__":
    unittest.main()
