"""Agents that a test starts by hand, on devices whose Avahi daemons run."""
import json
import os
import subprocess
import time

from labtest import FOREVER, LAB, PROGRAMS, LabCase, home, wait_until

AGENT = os.path.join(PROGRAMS, "hearth-agent")


class AgentCase(LabCase):
    def setUp(self):
        super().setUp()
        self.state_dirs = {}

    def up_hosts(self, file="two"):
        self.up(home(file), "--no-agents")

    def state_dir(self, device):
        """The same in each home that a test makes."""
        if device not in self.state_dirs:
            self.state_dirs[device] = os.path.join(self.status(device)["home"], "discovered")
        return self.state_dirs[device]

    def agent(self, device, *options, name=None, environment=()):
        """Starts one by hand, unpaired, and waits until it listens."""
        words = ["env", *environment, AGENT, "--state", self.state_dir(device), "--name", name or device, *options]
        process = subprocess.Popen([LAB, "exec", device, "--", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   env=self.env)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return json.loads(process.stdout.readline())

    def ask(self, device, state_dir=None):
        return self.ask_agent(device, state_dir or self.state_dir(device), AGENT)

    def nearby(self, device, state_dir=None):
        return {each["name"]: each for each in self.ask(device, state_dir)["nearby"]}

    def wait_for(self, condition, what, since=None):
        """The seconds it took. `what` may be a function that says it in the end. Most conditions start programs to ask."""
        since = since or time.monotonic()
        wait_until(condition, FOREVER, lambda: f"{what() if callable(what) else what}; {self.logs()}", pause=0.2)
        return time.monotonic() - since

    def pair(self, *devices):
        """Each of them trusts the others, before their agents begin."""
        for device in devices:
            made = self.exec(device, AGENT, "--state", self.state_dir(device), "--name", device, "init")
            with open(os.path.join(self.folder, f"{device}.json"), "w") as file:
                file.write(made.stdout)
        for device in devices:
            for other in devices:
                if other != device:
                    file = os.path.join(self.folder, f"{other}.json")
                    self.exec(device, AGENT, "--state", self.state_dir(device), "trust", file)
