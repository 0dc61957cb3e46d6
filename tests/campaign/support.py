"""Shared by the tests of `tandem regress`: campaigns in folders of their own, and whose seeds their results hold."""
import collections
import json
import os
import pathlib
import subprocess
import time

TANDEM = os.environ["TANDEM_EXECUTABLE"]


def write_campaign(folder, seeds, extra="", models="rtl,golden,cycle", bundles=60):
    """Programs of this length, so that a test knows how long a seed takes."""
    file = pathlib.Path(folder) / "c.toml"
    file.write_text(f'name = "test"\nseeds = {seeds}\npack = 10\nmodels = "{models}"\n'
                    f'presets = ["nano"]\n{extra}[[knobs]]\nbundles = {bundles}\n')
    return file


def has_rtl():
    return (pathlib.Path(TANDEM).parent / "lib/libtandem_rtl_nano.so").exists()


def records(store):
    """All whole records of a folder of results."""
    found = []
    for file in pathlib.Path(store).glob("*.results"):
        for line in file.read_bytes().split(b"\n")[:-1]:
            found.append(json.loads(line[9:]))
    return found


def regress(*arguments, **options):
    return subprocess.run([TANDEM, "regress", *map(str, arguments)], capture_output=True, text=True,
                          check=False, **options)


def summary(file, store):
    return json.loads(regress(file, "--store", store, "--summary", "--json").stdout)


def verdicts(store):
    """seed -> its result, without the time; fails when a seed has two."""
    result = {}
    for record in records(store):
        verdict = (record["outcome"], record["bundles"], record["cycles"])
        assert result.setdefault((record["key"], record["seed"]), verdict) == verdict, record
    return result


def seed_counts(store):
    return collections.Counter((record["key"], record["seed"]) for record in records(store))


def wait_for(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.05)


def children(process):
    return [int(pid) for pid in
            pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
