"""A device that is ignored is not found nearby until it is taken back."""
# needs: machine agent training
import json

from labtest import FOREVER, PROGRAMS, LabCase, home, wait_until


class Ignoring(LabCase):
    def nearby(self, device):
        """Names and states; the agent is started where none runs."""
        told = json.loads(self.exec(device, "hearth", "devices", "--json").stdout)
        return {each["name"]: each["state"] for each in told["nearby"]}, [each["name"] for each in told["ignored"]]

    def wait_for(self, state, ignored):
        wait_until(lambda: self.nearby("nano-0") == ({"nano-1": state}, ignored), FOREVER,
                   lambda: f"nano-1 is not {state}: {self.nearby('nano-0')}", pause=0.1)

    def test_one_that_is_ignored_is_found_again_when_it_is_taken_back(self):
        self.up(home("two"), "--no-agents", "--programs", PROGRAMS)
        self.nearby("nano-1")
        self.wait_for("found", [])
        self.exec("nano-0", "hearth", "ignore", "nano-1")
        self.wait_for("ignored", ["nano-1"])
        listed = json.loads(self.exec("nano-0", "hearth", "ignore", "--json").stdout)["ignored"]
        self.assertEqual([each["name"] for each in listed], ["nano-1"])
        self.assertIn("nano-1", self.exec("nano-0", "hearth", "devices").stdout)
        self.exec("nano-0", "hearth", "ignore", "--undo", "nano-1")
        self.wait_for("found", [])
        self.assertEqual(self.exec("nano-0", "hearth", "ignore", "--undo", "nano-1", check=False).returncode, 1)
        self.assertEqual(self.exec("nano-0", "hearth", "ignore", "--undo", check=False).returncode, 2)
