"""A bare computer becomes a device by the wizard, trains, and is bare again. By hand, with pictures: tests/lab/walk_install"""
# needs: machine agent training install
import os
import subprocess
import sys

from labtest import FOLDER, PROGRAMS, LabCase


class Install(LabCase):
    def test_a_bare_computer_becomes_a_device_that_trains_and_can_be_bare_again(self):
        pictures = os.path.join(self.folder, "pictures")
        done = subprocess.run([os.path.join(FOLDER, "walk_install"), "--quick", "--programs", PROGRAMS, "--pictures", pictures],
                              env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        sys.stdout.write(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("11-home.png", os.listdir(pictures))
