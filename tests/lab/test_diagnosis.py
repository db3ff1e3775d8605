"""Why a device cannot be seen: the command names the trouble that it is given."""
# needs: machine agent training
import json
import os
import signal

from labtest import FOREVER, PROGRAMS, LabCase, home, wait_until


class Diagnosis(LabCase):
    def setUp(self):
        super().setUp()
        self.up(home("two"), "--programs", PROGRAMS)
        self.state_dir = self.status("nano-0")["agent"]["state_dir"]

    def devices(self, *options):
        done = self.exec("nano-0", os.path.join(PROGRAMS, "hearth"), "devices", *options, "--json", "--state", self.state_dir)
        return json.loads(done.stdout)

    def findings(self):
        answer = self.devices("--diagnose")
        self.assertEqual(answer["format"], "hearth-diagnosis/1")
        for each in answer["findings"]:
            self.assertIn(each["verdict"], ("ok", "warn", "bad", "unknown"))
            self.assertTrue(each["subject"] and each["finding"])
            if each["verdict"] in ("warn", "bad"):
                self.assertTrue(each["cure"], each)
        return {each["id"].partition(":")[0]: each for each in answer["findings"]}

    def findings_with(self, **verdicts):
        """What is found when all has settled; a home that has just begun is told to look again in a moment."""
        last = {}

        def is_settled():
            last.update(self.findings())
            return {each: last[each]["verdict"] for each in verdicts if each in last} == verdicts
        wait_until(is_settled, FOREVER, lambda: f"expected {verdicts}, found {last}")
        return last

    def wait_for_state(self, state):
        def states():
            return {each["name"]: each["state"] for each in self.devices()["devices"]}
        wait_until(lambda: states()["nano-1"] == state, FOREVER, f"nano-1 is not {state}", pause=0.1)

    def test_where_all_is_well_it_says_so(self):
        expected = ("interfaces", "avahi", "announcement", "multicast", "neighbours", "port", "vpn", "reach", "back", "clock")
        found = self.findings_with(**{each: "ok" for each in expected})
        self.assertIn("10.77.0.11:47600", found["back"]["finding"])

    def test_a_daemon_that_was_stopped_is_started_by_the_command_it_names(self):
        pid = int(self.exec("nano-0", "cat", "/run/avahi-daemon/pid").stdout)
        os.kill(pid, signal.SIGTERM)
        wait_until(lambda: self.devices()["discovery"]["state"] == "absent", FOREVER, "nobody misses the daemon", pause=0.1)
        # The other one's still answers, and links need none.
        found = self.findings_with(avahi="bad", multicast="ok", reach="ok")
        self.assertRegex(found["avahi"]["command"], "^sudo .*avahi-daemon")

    def test_a_device_without_an_agent_is_told_from_one_that_is_unplugged(self):
        self.run_lab("kill", "nano-1")
        self.wait_for_state("lost")
        found = self.findings()
        self.assertEqual(found["reach"]["verdict"], "bad")
        self.assertIn("no agent", found["reach"]["finding"])
        self.assertNotIn("back", found)
        self.run_lab("cut", "nano-1")
        found = self.findings()
        self.assertEqual(found["reach"]["verdict"], "bad")
        self.assertNotIn("no agent", found["reach"]["finding"])
