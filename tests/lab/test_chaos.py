"""Seeded schedules of faults change no weight. By hand: tests/lab/chaos --seeds 1-200 [--mode local-steps]"""
# needs: machine agent training clocks
import os
import subprocess

from labtest import FOLDER, PROGRAMS, LabCase
from hearthlab.chaos.modes import MODES

# tests/run says which: those of the commit. Those that stand here have faults of many kinds.
SEEDS = os.environ.get("HEARTH_CHAOS_SEEDS", "24-28")


class Chaos(LabCase):
    def test_seeded_faults_change_no_weight(self):
        """All seeds in the synchronous schedule, the first two in another one too, in a home beside it: both wait a lot."""
        first, last = map(int, SEEDS.split("-"))
        played = [self.play(first, last), self.play(first, first + 1, "--mode", MODES[1 + first % (len(MODES) - 1)])]
        said = [each.communicate()[0] for each in played]
        print("\n".join(said))
        for count, each, words in zip((last - first + 1, 2), played, said):
            self.assertEqual(each.returncode, 0, words)
            self.assertIn(f"{count} of {count} held", words)

    def play(self, first, last, *words):
        chaos = [os.path.join(FOLDER, "chaos"), "--seeds", f"{first}-{last}", "--programs", PROGRAMS, *words]
        return subprocess.Popen(chaos, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
