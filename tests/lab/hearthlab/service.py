"""One program of a device, started and restarted as a service manager would."""
import time

from .machine import identity
from .processes import spawn

RESTART_PAUSE = 0.3  # seconds
START_LIMIT = 5  # unexpected ends ...
START_LIMIT_SECONDS = 10  # ... within this time; then it stays down until it is started by hand


class Service:
    """States: waiting (for what it depends on, or to be restarted), running, stopped (by hand), failed."""

    def __init__(self, lab, cgroups, device, name, leaf, words, may_start, holder):
        self.lab, self.cgroups, self.device, self.name = lab, cgroups, device, name
        self.group = f"{device}/{leaf}"
        self.words, self.may_start, self.holder = words, may_start, holder
        self.process = None
        self.state = "waiting"
        self.not_before = 0.0
        self.ends = []  # times of unexpected ends
        self.restarts = 0
        self.last_end = ""

    def describe(self):
        return {"state": self.state, "restarts": self.restarts, "last_end": self.last_end,
                "process": identity(self.process.pid) if self.process else None}

    def poll(self):
        """Notices an end, and starts it when it is due."""
        if self.process and self.process.poll() is not None:
            self.ended(self.process.returncode)
        if self.state == "waiting" and time.monotonic() >= self.not_before and self.may_start(self.holder):
            self.process = spawn(self.lab, self.cgroups, self.group, self.words,
                                 self.lab.device_dir(self.device, f"{self.name}.log"), self.device, self.holder)
            self.state = "running"

    def ended(self, status):
        self.process = None
        self.last_end = f"status {status}" if status >= 0 else f"signal {-status}"
        if self.state != "running":
            return
        if status == 0:
            self.state = "stopped"  # it was asked to end, and knows
            return
        now = time.monotonic()
        self.ends = [end for end in self.ends if now - end < START_LIMIT_SECONDS] + [now]
        self.state = "failed" if len(self.ends) >= START_LIMIT else "waiting"
        self.restarts += self.state == "waiting"
        self.not_before = now + RESTART_PAUSE

    def kill(self):
        """With all its children; it stays down."""
        self.state = "stopped"
        self.cgroups.kill(self.group)
        if self.process:
            self.process.wait()
            self.ended(self.process.returncode)

    def start(self):
        if self.state in ("stopped", "failed"):
            self.ends, self.not_before, self.state = [], 0.0, "waiting"
        self.poll()
