#!/usr/bin/python3
"""What the benchmarks refuse: parts that there are not, numbers that make no sense, machines and builds that lack something."""
import os
import subprocess
import sys
import unittest

BENCH = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PARTS = {"rounds": "one,two", "recovery": "recovery,heavy,drift,cost", "agent": "idle,strangers"}
IS_ROOT = os.geteuid() == 0
NOBODY = 65534


def run(benchmark, *words, **how):
    return subprocess.run([sys.executable, os.path.join(BENCH, benchmark, "run"), *words], capture_output=True, text=True,
                          timeout=60, **how)


class Usage(unittest.TestCase):
    def test_a_part_that_there_is_not_is_refused_with_those_that_there_are(self):
        for benchmark, parts in PARTS.items():
            with self.subTest(benchmark):
                done = run(benchmark, "--only", "no-such-part")
                self.assertEqual(done.returncode, 2)
                self.assertIn("no part 'no-such-part'; there are " + parts, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_numbers_that_make_no_sense_are_refused(self):
        for benchmark, words in (("rounds", "--repeats 0"), ("recovery", "--faults 0"), ("recovery", "--kinds kill,flood"),
                                 ("agent", "--connections 0"), ("agent", "--seconds 301")):
            with self.subTest(f"{benchmark} {words}"):
                done = run(benchmark, *words.split())
                self.assertEqual(done.returncode, 2)
                self.assertIn("error: ", done.stderr)

    def test_without_root_they_say_so_in_one_line(self):
        who = {"user": NOBODY} if IS_ROOT else {}
        for benchmark in PARTS:
            with self.subTest(benchmark):
                try:
                    done = run(benchmark, **who)
                except PermissionError as error:
                    self.skipTest(f"Another user cannot read these files: {error}")
                if "Permission denied" in done.stderr:
                    self.skipTest("Another user cannot read these files.")
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr, "The benchmark needs root: it makes an emulated home.\n")

    @unittest.skipUnless(IS_ROOT, "It needs root.")
    def test_without_the_programs_they_say_so_in_one_line(self):
        for benchmark in PARTS:
            with self.subTest(benchmark):
                done = run(benchmark, "--programs", "/nonexistent")
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stdout, "")
                self.assertEqual(done.stderr, "There is no bin/hearth in /nonexistent. Build Hearth, or name its folder with "
                                              "--programs.\n")


unittest.main()
