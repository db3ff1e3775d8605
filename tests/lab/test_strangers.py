"""A crowd of strangers at the port of a real agent, from thousands of addresses, and a paired device that comes back."""
# needs: machine agent
import json
import os
import subprocess

from labtest import FOLDER, FOREVER, LAB, PROGRAMS, LabCase, home, wait_until

FLOOD = os.path.join(FOLDER, "flood.py")
SOURCES = "10.78.0.0/16"
# At most; the test ends it when it has seen enough.
CONNECTIONS, SECONDS = 300000, 600
TAKEN = 40  # strangers in a second, StrangerBrake::perSecond


class Strangers(LabCase):
    def flood(self, at, by):
        """From addresses of a network that is reached by way of that device."""
        address = {name: self.status(name)["address"] for name in (at, by)}
        self.exec(by, "ip", "route", "add", "local", SOURCES, "dev", "lo")
        self.exec(at, "ip", "route", "add", SOURCES, "via", address[by])
        state = os.path.join(self.folder, "foreign")
        self.exec(by, "hearth-agent", "init", "--state", state)
        process = subprocess.Popen([LAB, "exec", by, "--", FLOOD, address[at], "47600", str(CONNECTIONS), str(SECONDS),
                                    SOURCES, f"{state}/cert.pem", f"{state}/key.pem"], stdout=subprocess.PIPE, env=self.env)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def state_of(self, name, of):
        status = self.ask_agent(of, self.status(of)["agent"]["state_dir"])
        return next(each["state"] for each in status["devices"] if each["name"] == name)

    def is_crowded(self, name):
        """Its agent has begun to leave strangers without an answer."""
        with open(self.status(name)["agent"]["log"]) as log:
            return "strangers ask for more connections than are taken" in log.read()

    def test_a_paired_device_is_linked_again_while_a_crowd_gets_nowhere(self):
        self.up(home("three"), "--programs", PROGRAMS)
        self.run_lab("kill", "nano-2")
        flood = self.flood("nano-0", by="nano-2")
        self.run_lab("kill", "nano-1")
        wait_until(lambda: self.state_of("nano-1", "nano-0") == "lost", FOREVER, "nano-1 is not missed")
        wait_until(lambda: self.is_crowded("nano-0"), FOREVER, "the crowd does not arrive")
        self.run_lab("start", "nano-1")
        wait_until(lambda: self.state_of("nano-1", "nano-0") == "ready", FOREVER, lambda: f"not linked: {self.logs()}")
        self.assertIsNone(flood.poll(), "the crowd was gone before the paired device was linked")
        flood.terminate()
        told = json.loads(flood.communicate()[0])
        opened, answered = (sum(told[each].values()) for each in ("opened", "answered"))
        print(f"{answered} of {opened} answered; {told['ended']}", flush=True)
        self.assertNotIn("LET IN", told["ended"])
        self.assertGreater(answered, 0)
        # A flood that a busy machine slows down may be hardly more than what is taken.
        self.assertLess(answered, max(opened / 2, 2 * TAKEN * told["seconds"]))
        self.assertEqual(self.status("nano-0")["agent"]["restarts"], 0)
