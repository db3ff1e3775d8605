"""Fifteen seeded schedules of faults change no weight. By hand: tests/lab/chaos --seeds 1-200"""
# needs: machine agent training clocks
import os
import subprocess
import sys

from labtest import FOLDER, PROGRAMS, LabCase

SEEDS = "24-38"  # together they have every kind of fault, and every shape of the first plan


class Chaos(LabCase):
    def test_seeded_faults_change_no_weight(self):
        done = subprocess.run([os.path.join(FOLDER, "chaos"), "--seeds", SEEDS, "--programs", PROGRAMS], env=self.env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        sys.stdout.write(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("15 of 15 held", done.stdout)
