"""Five minutes of random faults. By hand: tests/lab/chaos --punish 1800 --mean 30"""
# needs: machine agent training clocks
import os
import subprocess
import sys

from labtest import FOLDER, PROGRAMS, LabCase

# Of the undisturbed pace, with a fault every 30 s as in the manual's half hour, which kept 98 %: ten faults scatter more
# than fifty. One that costs as long as a whole pause between two faults breaks it.
LEAST = "0.9"


class Punisher(LabCase):
    def test_the_run_gets_on_and_its_programs_do_not_grow(self):
        done = subprocess.run([os.path.join(FOLDER, "chaos"), "--punish", "300", "--mean", "30", "--shape", "chain",
                               "--least", LEAST, "--programs", PROGRAMS], env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        sys.stdout.write(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
