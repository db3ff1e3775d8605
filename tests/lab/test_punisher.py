"""Two minutes of random faults. By hand: tests/lab/chaos --punish 1800 --mean 30"""
# needs: machine agent training clocks
import os
import subprocess
import sys

from labtest import FOLDER, PROGRAMS, LabCase

# Where the cable of the run's home is pulled, all goes that is not on its disk yet, and two minutes are too short to make up
# for that; half an hour with 30 s between faults has to keep 70 %.
LEAST = "0.1"
# Heaps settle after a few changes of the plan; two minutes are mostly that. Half an hour may take 5 %.
GROWTH = "0.25"


class Punisher(LabCase):
    def test_the_run_gets_on_and_its_programs_do_not_grow(self):
        done = subprocess.run([os.path.join(FOLDER, "chaos"), "--punish", "120", "--mean", "8", "--calm", "20", "--least",
                               LEAST, "--growth", GROWTH, "--programs", PROGRAMS], env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        sys.stdout.write(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
