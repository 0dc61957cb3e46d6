#!/usr/bin/env python3
"""A campaign on a real Slurm of one machine, whose workers, tasks and controller are killed midway:
every seed is found exactly once, with the result that it has without Slurm.

  TANDEM_EXECUTABLE=build/tandem tests/campaign/slurm_test.py

Needs root and Debian's slurmctld, slurmd, slurm-client and munge; skipped (status 77) without.
"""
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import support

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "squeue", "scontrol")
SEEDS = 200

CONFIGURATION = """
ClusterName=tandem-test
SlurmctldHost={host}
SlurmctldPort={controller_port}
SlurmdPort={daemon_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
JobRequeue=1
SlurmctldTimeout=10
SlurmdTimeout=6
MinJobAge=10
SchedulerParameters=sched_interval=2,batch_sched_delay=0,requeue_delay=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
"""


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(77)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Slurm:
    """munged, slurmctld and slurmd of this test's own, in a folder of their own."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("state", "spool"):
            (folder / name).mkdir()
        self.configuration = folder / "slurm.conf"
        self.configuration.write_text(CONFIGURATION.format(
            folder=folder, host=socket.gethostname().split(".")[0], controller_port=free_port(),
            daemon_port=free_port()))
        os.environ["SLURM_CONF"] = str(self.configuration)
        self.daemons = {}

    def start(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.run("munged", "--foreground", "--force", f"--key-file={key}",
                 f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munge.pid",
                 f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed")
        support.wait_for((self.folder / "munge.socket").exists, 20, "munge's socket")
        self.start_controller("-c")
        self.start_daemon()
        support.wait_for(self.is_idle, 60, "an idle node")

    def run(self, name, *arguments):
        log = (self.folder / f"{name}.out").open("ab")
        self.daemons[name] = subprocess.Popen([shutil.which(name), *arguments], stdout=log,
                                              stderr=log, stdin=subprocess.DEVNULL)

    def start_controller(self, *options):
        self.run("slurmctld", "-D", "-f", str(self.configuration), *options)

    def start_daemon(self):
        self.run("slurmd", "-D", "-f", str(self.configuration))

    def kill(self, name):
        self.daemons[name].kill()
        self.daemons[name].wait()

    def is_idle(self):
        return "idle" in self.ask("sinfo", "--noheader", "--format=%T")

    def put_right(self):
        """As an administrator does: a daemon that comes back while its job's step lives on takes the job for a
        duplicate, so Slurm drains the node and holds the job."""
        if "drain" in self.ask("sinfo", "--noheader", "--format=%T"):
            nodes = self.ask("sinfo", "--noheader", "--format=%N").split()
            self.ask("scontrol", "update", f"nodename={','.join(nodes)}", "state=resume")
        for line in self.ask("squeue", "--noheader", "--array", "--states=PD", "--format=%i %r").splitlines():
            job, reason = line.split(maxsplit=1)
            if "JobHeld" in reason:
                self.ask("scontrol", "release", job)
            elif reason == "BeginTime":  # Slurm puts a requeued task off for two minutes
                self.ask("scontrol", "update", f"jobid={job}", "starttime=now")
        time.sleep(1)  # Slurm is asked once a second at most

    @staticmethod
    def ask(*command):
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def stop(self):
        self.ask("scancel", "--user=root")
        for name in reversed(list(self.daemons)):
            process = self.daemons[name]
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def tell(self):
        for name in ("slurmctld.log", "slurmd.log", "munge.log"):
            file = self.folder / name
            if file.exists():
                print(f"== {name}\n" + "\n".join(file.read_text().splitlines()[-25:]))


def processes_of(store, word):
    """Processes that carry out a task of this store: pid -> parent."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if str(store).encode() in words and word in words:
            found[int(entry.name)] = parent
    return found


def progress(store, more):
    before = len(support.records(store))
    return lambda: len(support.records(store)) >= before + more


def disturb(slurm, store, front_end):
    """Kills a worker, a whole task, requeues another, kills the controller and the node's daemon."""
    support.wait_for(progress(store, 30), 120, "first results from Slurm")
    tasks = processes_of(store, b"--shard")
    workers = [pid for pid, parent in tasks.items() if parent in tasks]
    supervisors = [pid for pid, parent in tasks.items() if parent not in tasks]
    print(f"workers {workers}, supervisors {supervisors}")
    assert workers and supervisors
    os.kill(workers[0], signal.SIGKILL)
    support.wait_for(progress(store, 10), 120, "results after a worker's death")
    os.kill(supervisors[-1], signal.SIGKILL)
    job = (store / "slurm-job").read_text().strip()
    running = slurm.ask("squeue", "--noheader", "--jobs", job, "--states=R", "--format=%i").split()
    if running:
        slurm.ask("scontrol", "requeue", running[0])
    support.wait_for(progress(store, 10), 120, "results after a requeue")
    slurm.kill("slurmctld")
    time.sleep(2)
    assert front_end.poll() is None, "the front end gave up with the controller"
    slurm.start_controller()
    slurm.kill("slurmd")
    slurm.start_daemon()


def check(file, store, folder):
    alone = folder / "alone"
    assert support.regress(file, "--store", alone).returncode == 0
    found = support.verdicts(store)
    assert len(found) == SEEDS, f"{len(found)} seeds"
    assert found == support.verdicts(alone), "Slurm's results are not those of this machine"
    summary = support.summary(file, store)
    assert summary["done"] == SEEDS and summary["passed"], summary
    twice = sum(count - 1 for count in support.seed_counts(store).values())
    assert summary["duplicates"] == twice
    print(f"{SEEDS} seeds, each once; {twice} were run twice and counted once")


def sweep(folder):
    """The same engine with the points of a study."""
    (folder / "halt.s").write_text("        .text\n        halt\n")
    file = folder / "s.toml"
    file.write_text('[vary]\nhbm_latency = [10, 20, 30, 40, 50, 60, 70]\n[[programs]]\nfile = "halt.s"\n')
    tables = folder / "slurm.csv", folder / "alone.csv"
    for table, options in zip(tables, (["--slurm", "3", "--poll", "1"], ["--store", folder / "local"])):
        subprocess.run([support.TANDEM, "sweep", file, "--csv", table, *options], check=True, timeout=300)
    assert tables[0].read_text() == tables[1].read_text(), "Slurm's points are not those of this machine"
    assert len(support.records(folder / "s.results")) == 7
    print("7 points of a sweep")


def main():
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        skip(f"not installed: {', '.join(missing)} (scripts/setup --group slurm)")
    if getpass.getuser() != "root":
        skip("slurmd of one's own needs root")
    with tempfile.TemporaryDirectory(prefix="tandem-slurm-") as name:
        folder = pathlib.Path(name)
        # Longer programs, so that there is a middle to disturb.
        file = support.write_campaign(folder, SEEDS, "",
                                      "rtl,golden,cycle" if support.has_rtl() else "golden,cycle",
                                      bundles=900)
        store = folder / "c.results"
        slurm = Slurm(folder)
        front_end = None
        try:
            slurm.start()
            front_end = subprocess.Popen([support.TANDEM, "regress", file, "--slurm", "6",
                                          "--poll", "1"])
            disturb(slurm, store, front_end)
            # Slurm itself puts a requeued task off for two minutes, sometimes twice.
            support.wait_for(lambda: slurm.put_right() or front_end.poll() is not None, 600, "the campaign's end")
            assert front_end.wait() == 0, "the campaign did not pass"
            check(file, store, folder)
            sweep(folder)
        except BaseException:
            slurm.tell()
            raise
        finally:
            if front_end is not None:
                front_end.kill()
            slurm.stop()


main()
