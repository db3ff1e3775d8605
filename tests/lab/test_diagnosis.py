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

    def findings_where(self, is_settled, expected):
        """What is found when all has settled; a home that has just begun is told to look again in a moment."""
        last = {}

        def look():
            last.clear()
            last.update(self.findings())
            return is_settled(last)
        wait_until(look, FOREVER, lambda: f"expected {expected}, found {last}")
        return last

    def findings_with(self, **verdicts):
        return self.findings_where(
            lambda found: {each: found[each]["verdict"] for each in verdicts if each in found} == verdicts, verdicts)

    def unreached(self, without_agent):
        """What is found while nano-1 cannot be reached. On a busy machine an answer may come too late to be one."""
        def is_settled(found):
            reach = found["reach"]
            return reach["verdict"] == "bad" and ("no agent" in reach["finding"]) == without_agent
        return self.findings_where(is_settled, f"nano-1 with {'no agent' if without_agent else 'no answer'}")

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
        self.assertNotIn("back", self.unreached(without_agent=True))
        self.run_lab("cut", "nano-1")
        self.unreached(without_agent=False)
