#!/usr/bin/python3
"""Runs one module of the lab's tests: run_tests.py test_hosts [unittest arguments].

Its first comment "needs: ..." says what it cannot do without: machine (root, namespaces, cgroups, buses), agent
(hearth-agent), training (all programs and the data set), install (an SSH server, an X server), clocks (libfaketime and
NumPy) or torch (PyTorch and NumPy); programs come from the folder $HEARTH_LAB_PROGRAMS. Exit status: 0 passed, 1 failed,
77 skipped, with the reason in one line. With $HEARTH_LAB_COMPLETE=1 missing programs are a failure.
"""
import glob
import importlib
import importlib.util
import os
import re
import shutil
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from hearthlab.cgroups import find_cgroups  # noqa: E402
from hearthlab.errors import LabError  # noqa: E402
from hearthlab.machine import require_machine  # noqa: E402
from hearthlab.walk import bare, window  # noqa: E402

SKIPPED = 77
DATA = "/usr/share/datasets/fashion-mnist"


def check_machine():
    require_machine()
    # Where root may not make cgroups, there are no shares of the processor.
    cgroups = find_cgroups(f"probe{os.getpid()}")
    try:
        cgroups.make()
        cgroups.prepare()
    finally:
        cgroups.remove()


def missing(need):
    if need == "machine":
        try:
            check_machine()
        except LabError as error:
            return str(error)
        has_browser = shutil.which("avahi-browse")
        return None if has_browser else "The program avahi-browse is missing. Install the package avahi-utils."
    if need == "install":
        return bare.missing() or window.missing()
    if need == "clocks":
        if not glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1"):
            return "The package libfaketime is missing."
        return None if importlib.util.find_spec("numpy") else "The package python3-numpy is missing."
    if need == "torch":
        gone = [each for each in ("torch", "numpy") if not importlib.util.find_spec(each)]
        return f"The package python3-{gone[0]} is missing." if gone else None
    wanted = {"agent": ["hearth-agent"], "training": ["hearth", "hearth-coordinator", "hearth-worker"]}[need]
    folder = os.environ.get("HEARTH_LAB_PROGRAMS", "")
    for program in wanted:
        if not os.access(os.path.join(folder, program), os.X_OK):
            return f"{program} is not in \"{folder}\" (HEARTH_LAB_PROGRAMS); this build does not make it."
    return None if need != "training" or os.path.isdir(DATA) else "The package dataset-fashion-mnist is missing."


def main(module):
    with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), f"{module}.py")) as file:
        needs = re.search(r"^# needs: (.*)$", file.read(), re.M)
    for need in needs[1].split() if needs else []:
        if reason := missing(need):
            # A build that makes all programs must not pass without them.
            must = need != "machine" and os.environ.get("HEARTH_LAB_COMPLETE") == "1"
            print(f"{'failed' if must else 'skipped'}: {reason}")
            sys.exit(1 if must else SKIPPED)
    unittest.main(importlib.import_module(module), argv=sys.argv[1:], verbosity=2)


main(sys.argv[1])
