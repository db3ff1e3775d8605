"""A training on a lab's device, followed by its events."""
import json
import os
import selectors
import subprocess
import time

from ..errors import LabError

LAB = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lab")


class Follower:
    """`hearth train JOB --json` in the background. Each event gets the time of its arrival as "at", monotonic."""

    def __init__(self, place, arguments, log):
        self.events = []
        self.latest = {}  # by kind
        self.rest = b""
        self.errors = open(log, "wb")
        self.process = subprocess.Popen(
            [LAB, "--lab", place.lab.name, "exec", place.names[0], "--", "hearth", "train", *arguments, "--json"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.ended = False

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.selector.close()
        self.errors.close()

    def next_events(self, until):
        """Those that have come; waits for the first one until that moment. Empty after it, and at the end."""
        if self.ended or not self.selector.select(max(0, until - time.monotonic())):
            return []
        part = os.read(self.process.stdout.fileno(), 1 << 16)
        now = time.monotonic()
        if not part:
            self.ended = True
            self.process.wait()
            return []
        *lines, self.rest = (self.rest + part).split(b"\n")
        new = []
        for line in lines:
            try:
                new.append({**json.loads(line), "at": now})
            except ValueError:
                raise LabError(f"This is no event: {line[:200]!r}.") from None
        self.events += new
        self.latest.update((event["event"], event) for event in new)
        return new

    def of(self, kind):
        return [event for event in self.events if event["event"] == kind]
