"""Two minutes of random faults. By hand: tests/lab/chaos --punish 1800 --mean 30"""
# needs: machine agent training clocks
import os
import subprocess
import sys

from labtest import FOLDER, PROGRAMS, LabCase

# Of the undisturbed pace, with a fault every 8 s; with 30 s between faults it has to be 70 %.
LEAST = "0.3"


class Punisher(LabCase):
    def test_the_run_gets_on_and_its_programs_do_not_grow(self):
        done = subprocess.run([os.path.join(FOLDER, "chaos"), "--punish", "120", "--mean", "8", "--calm", "20", "--shape",
                               "chain", "--least", LEAST, "--programs", PROGRAMS], env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        sys.stdout.write(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
