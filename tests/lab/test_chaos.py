"""Seeded schedules of faults change no weight. By hand: tests/lab/chaos --seeds 1-200 [--update round]"""
# needs: machine agent training clocks
import os
import subprocess
import sys

from labtest import FOLDER, PROGRAMS, LabCase

# tests/run says which: those of the commit. Those that stand here have faults of many kinds.
SEEDS = os.environ.get("HEARTH_CHAOS_SEEDS", "24-28")


class Chaos(LabCase):
    def test_seeded_faults_change_no_weight(self):
        self.play(SEEDS)

    def test_seeded_faults_begin_the_rule_of_asynchronous_training_anew(self):
        first = int(SEEDS.split("-")[0])
        for update, seed in (("round", first), ("micro-batch", first + 1)):
            self.play(f"{seed}-{seed}", "--update", update)

    def play(self, seeds, *words):
        first, last = map(int, seeds.split("-"))
        done = subprocess.run([os.path.join(FOLDER, "chaos"), "--seeds", seeds, "--programs", PROGRAMS, *words], env=self.env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        sys.stdout.write(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"{last - first + 1} of {last - first + 1} held", done.stdout)
