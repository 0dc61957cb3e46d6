"""For pytest: JAX's tests treat the machine as a TPU, and the result of each is recorded.

An entry in the record is a line of JSON: that a test starts, and how it ended. A test that started
and did not end took its process along.
"""

import json
import os
import unittest

import pytest

import results

RECORD = os.environ["JAX_SUITE_RECORD"]
CHUNK = int(os.environ["JAX_SUITE_CHUNK"])
STATE = {"rest": 0}


def write(**entry):
    with open(RECORD, "a", encoding="utf-8") as file:
        print(json.dumps(entry), file=file)


def pytest_configure(config):
    import jax
    from absl.testing import parameterized
    from jax._src import test_util
    jax.config.update("jax_test_dut", "tpu")
    test_util.get_tpu_version = lambda: 4
    test_util.is_device_tpu = lambda version=None, variant="": version in (None, 4) and not variant
    for name in ("parameters", "named_parameters", "product"):
        def decorator(*cases, original=getattr(parameterized, name), **named):
            try:
                return original(*cases, **named)
            except parameterized.NoTestsError:
                return unittest.skip("no case is left")
        setattr(parameterized, name, decorator)


@pytest.hookimpl(trylast=True)  # after -k
def pytest_collection_modifyitems(items):
    known = results.read(RECORD)
    left = [item for item in items if item.nodeid not in known]
    STATE["rest"] = max(0, len(left) - CHUNK)
    items[:] = left[:CHUNK]


def pytest_sessionfinish(exitstatus):
    # 2: interrupted, 3 and 4: pytest's own trouble.
    if STATE["rest"] == 0 and exitstatus in (0, 1, 5):
        with open(RECORD.removesuffix(".jsonl") + ".done", "w", encoding="utf-8"):
            pass


def pytest_runtest_logstart(nodeid):
    write(test=nodeid, what="started")


def pytest_runtest_logreport(report):
    if (report.when != "call" and report.passed) or (hasattr(report, "context") and not report.failed):
        return
    reason = report.longrepr
    text = str(reason[2]) if report.skipped and isinstance(reason, tuple) else str(reason or "")
    crash = getattr(getattr(reason, "reprcrash", None), "message", "") or text
    write(test=report.nodeid, what=report.outcome, seconds=round(report.duration, 1),
          message=(crash if report.failed else text)[:1500])
