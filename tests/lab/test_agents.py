"""Real agents on the lab's devices: paired, frozen, killed, restarted, limited."""
# needs: machine agent
import json
import os
import signal
import subprocess
import time

from labtest import ANSWER, FOREVER, LAB, PROGRAMS, LabCase, home, undisturbed, wait_until


class Agents(LabCase):
    def up_agents(self, file):
        self.up(file, "--programs", PROGRAMS)

    def devices(self, of):
        """What an agent says of all devices, by name."""
        status = self.ask_agent(of, self.status(of)["agent"]["state_dir"])
        return {each["name"]: each for each in status["devices"]}

    def wait_for_state(self, of, name, states):
        wait_until(lambda: self.devices(of)[name]["state"] in states, FOREVER,
                   f"{of} does not see {name} as {' or '.join(states)}: {self.logs()}", pause=0.2)

    def test_all_agents_know_each_other_at_their_own_addresses(self):
        self.up_agents(home("three"))
        names = ["nano-0", "nano-1", "nano-2"]
        for index, of in enumerate(names):
            for other in names:
                self.wait_for_state(of, other, ["ready"])
            devices = self.devices(of)
            self.assertEqual(sorted(devices), names)
            self.assertEqual(devices[of]["address"], f"10.77.0.{11 + index}:47600")
            self.assertEqual(devices[of]["threads"], 1)

    def test_a_killed_agent_is_restarted_unless_it_was_killed_by_command(self):
        self.up_agents(home("two"))
        first = self.status("nano-1")["agent"]
        os.kill(first["pid"], signal.SIGKILL)
        wait_until(lambda: self.status("nano-1")["agent"]["restarts"] == 1, FOREVER, "the agent was not restarted")
        wait_until(lambda: self.status("nano-1")["agent"]["pid"] not in (None, first["pid"]), FOREVER, "there is no new agent")
        self.wait_for_state("nano-0", "nano-1", ["ready"])
        for _ in range(2):
            self.run_lab("kill", "nano-1")
            agent = self.status("nano-1")["agent"]
            self.assertEqual((agent["state"], agent["pid"], agent["restarts"]), ("stopped", None, 1))
        self.wait_for_state("nano-0", "nano-1", ["lost"])
        for _ in range(2):
            self.run_lab("start", "nano-1")
        self.wait_for_state("nano-0", "nano-1", ["ready"])
        self.assertEqual(self.run_lab("kill", "nano-1", "--worker").stdout, "nano-1: killed 0 workers\n")

    def test_a_frozen_agent_says_nothing_until_it_thaws(self):
        self.up_agents(home("two"))
        pid = self.status("nano-1")["agent"]["pid"]

        def used():
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            return int(fields[11]) + int(fields[12])

        def freeze_and_thaw():
            """The status of a program that asks meanwhile, how long it asked, and what it prints."""
            for _ in range(2):
                self.run_lab("freeze", "nano-1")
            self.assertTrue(self.status("nano-1")["frozen"])
            before = used()
            self.exec("nano-1", "true")  # the device itself goes on
            self.wait_for_state("nano-0", "nano-0", ["ready"])
            # A frozen agent answers no question: what asks, for some seconds, is still there when the agent thaws.
            began = time.monotonic()
            asked = self.ask_in_background("nano-1")
            self.assertEqual(used(), before)
            self.assertNotEqual(asked.poll(), 0)
            for _ in range(2):
                self.run_lab("thaw", "nano-1")
            said = asked.communicate(timeout=FOREVER)[0]
            return asked.returncode, time.monotonic() - began, said

        def failed(asked):
            return asked[0] and f"{asked[0]} is the status of who asked for {asked[1]:.1f} s"

        # Who asks gives up where it takes longer.
        said = undisturbed(freeze_and_thaw, failed, late=lambda asked: asked[1] >= ANSWER and failed(asked))[2]
        self.assertIn(b"nano-1", said)
        self.wait_for_state("nano-0", "nano-1", ["ready"])
        self.run_lab("freeze", "nano-1")
        self.run_lab("kill", "nano-1")  # also where it is frozen
        self.assertFalse(os.path.exists(f"/proc/{pid}"))
        self.run_lab("restore", "nano-1")
        self.wait_for_state("nano-0", "nano-1", ["ready"])

    def test_a_device_that_is_unplugged_is_lost_and_comes_back(self):
        self.up_agents(home("two"))
        for _ in range(2):
            self.run_lab("cut", "nano-1")
            # Neither end hears anything, and no connection is closed.
            self.wait_for_state("nano-0", "nano-1", ["lost"])
            self.wait_for_state("nano-1", "nano-0", ["lost"])
            self.run_lab("mend", "nano-1")
            self.wait_for_state("nano-0", "nano-1", ["ready"])
            self.wait_for_state("nano-1", "nano-0", ["ready"])

    def ask_in_background(self, device):
        state = self.status(device)["agent"]["state_dir"]
        asked = subprocess.Popen([LAB, "exec", device, "--", "hearth-agent", "status", "--state", state],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.env)
        self.addCleanup(asked.wait)
        self.addCleanup(asked.kill)
        return asked

    def test_an_agent_reports_the_memory_of_its_device(self):
        self.up_agents(self.write("limited.json", {"format": "hearth-lab/1", "scale": "none", "link": "100mbit", "devices": [
            {"name": "small", "cpu": 0.5, "memory": "512MiB"}, {"name": "free", "cpu": 0.5}]}))
        devices = self.devices("free")
        self.assertEqual(devices["small"]["memory_bytes"], 512 << 20)
        self.assertGreater(devices["free"]["memory_bytes"], 512 << 20)
