"""A run that goes on while things are done to its home, and what it says about them."""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from home import ROOT, Failed

sys.path.append(os.path.join(ROOT, "tests", "lab"))

from hearthlab import places, settings, status  # noqa: E402
from hearthlab.cgroups import find_cgroups  # noqa: E402
from hearthlab.errors import LabError  # noqa: E402
from hearthlab.keeper import ask  # noqa: E402
from hearthlab.pairing import wait_until_linked  # noqa: E402

POLL = 0.005  # seconds between two looks into the file of events
LOOK = 0.1  # seconds after which a test is asked again although nothing came


class Devices:
    """Faults in a home of the lab. Each is sent by this very process, so that its moment is known."""

    def __init__(self, home):
        self.lab = places.Lab(home.name)
        if not self.lab.load():
            raise Failed(f"the lab {home.name} is gone")
        self.cgroups = find_cgroups(home.name)
        self.kinds = {"kill": self.kill_worker, "agent": self.kill_all, "freeze": self.freeze, "cut": self.cut}

    def signal(self, pids, number):
        moment = time.monotonic()
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        return moment

    def processes(self, device):
        return self.cgroups.processes(f"{device}/agent")

    def kill_worker(self, device):
        return self.signal(status.workers(self.cgroups, device), signal.SIGKILL)

    def kill_all(self, device):
        """The worker first: an agent that ends takes its children along."""
        workers = status.workers(self.cgroups, device)
        return self.signal([*workers, *(pid for pid in self.processes(device) if pid not in workers)], signal.SIGKILL)

    def freeze(self, device):
        return self.signal(self.processes(device), signal.SIGSTOP)

    def cut(self, device):
        moment = time.monotonic()
        self.change(device, cut_in=True, cut_out=True)
        return moment

    def undo(self, kind, device):
        """Killed programs are started again by whoever watches them."""
        if kind == "freeze":
            self.signal(self.processes(device), signal.SIGCONT)
        if kind == "cut":
            self.change(device, cut_in=False, cut_out=False)

    def change(self, device, **changes):
        with self.lab.lock():
            settings.change(self.lab, self.cgroups, device, **changes)

    def take_away(self, device):
        """With its agent, which nobody starts again until bring_back()."""
        moment = time.monotonic()
        self.ask("kill", device)
        return moment

    def bring_back(self, device):
        self.ask("start", device)

    def restart(self):
        """All agents, so that nothing of a run is left; one that is stopped would save its weights first."""
        for what in ("kill", "start"):
            self.ask(what, None)
        try:
            wait_until_linked(self.lab)
        except LabError as error:
            raise Failed(str(error)) from None

    def ask(self, what, device):
        try:
            ask(self.lab, what, device=device)
        except LabError as error:
            raise Failed(str(error)) from None

    def cpu_seconds(self):
        """Of all agents with their children; what is asked of them from outside is not counted."""
        return sum(self.cgroups.cpu_seconds(f"{device.name}/agent") for device in self.lab.devices)

    def state_dir(self, device):
        return self.lab.state_dir(device)

    def log(self, device):
        return self.lab.device_dir(device, "agent.log")


class LiveRun:
    """`with LiveRun(home, devices, job, "--keep-plan") as run:`. Its events are read from its folder as they are
    written there; wall() turns their times into those of this process's clock."""

    def __init__(self, home, devices, job, *words):
        self.home, self.devices, self.words = home, devices, ("train", job, *words, "--json")
        self.runs = os.path.join(devices.state_dir(home.first), "runs")
        self.events = []
        self.rest = b""
        self.begun = None  # of the run, by this process's clock

    def __enter__(self):
        before = set(self.folders())
        self.log = open(os.path.join(self.home.folder.name, "train.log"), "w+b")
        self.process = subprocess.Popen(self.home.exec_words(self.home.first, "hearth", *self.words),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log,
                                        start_new_session=True)
        self.file = None
        try:
            self.folder = self.until(lambda: next(iter(set(self.folders()) - before), None), 30, "no run began")
            self.file = open(os.path.join(self.folder, "events.jsonl"), "rb")
        except BaseException:
            self.close()
            raise
        return self

    def folders(self):
        return [os.path.dirname(each) for each in glob.glob(os.path.join(self.runs, "*", "events.jsonl"))]

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the reader. The run itself ends with the home, or by Devices.restart()."""
        if self.file:
            self.file.close()
        self.log.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def ended(self):
        return next((each["state"] for each in self.events if each["event"] == "state" and
                     each["state"] in ("finished", "failed", "stopped")), None)

    def poll(self):
        """Takes what was written since; whether there was anything."""
        if not self.file:
            return True
        now = time.monotonic()
        *lines, self.rest = (self.rest + self.file.read()).split(b"\n")
        for line in lines:
            event = json.loads(line)
            self.events.append(event)
            # Whatever is read late makes the run seem to have begun later.
            self.begun = now - event["t"] if self.begun is None else min(self.begun, now - event["t"])
        return bool(lines)

    def until(self, test, seconds, otherwise):
        """The first true answer. The test is asked when something new was read, and now and then."""
        deadline = time.monotonic() + seconds
        asked = 0
        while True:
            if self.poll() or time.monotonic() > asked + LOOK:
                asked = time.monotonic()
                if answer := test():
                    return answer
            if self.process.poll() is not None and self.process.returncode != 0:
                self.log.seek(0)
                raise Failed(f"hearth train ended: {self.log.read().decode(errors='replace').strip()[-400:]}")
            if time.monotonic() > deadline:
                raise Failed(f"{otherwise} within {seconds:g} s")
            time.sleep(POLL)

    def rest_for(self, seconds):
        """Goes on reading, so that the moments of events stay exact."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.poll()
            time.sleep(min(POLL, max(0, deadline - time.monotonic())))

    def wall(self, t):
        return self.begun + t

    def time_of(self, moment):
        return moment - self.begun

    def rounds(self):
        return [each for each in self.events if each["event"] == "round"]

    def rounds_done(self, count, seconds=120):
        """Waits for so many rounds more."""
        wanted = len(self.rounds()) + count
        self.until(lambda: len(self.rounds()) >= wanted or self.ended(), seconds, f"no {count} rounds were done")
        if len(self.rounds()) < wanted:
            raise Failed(f"the run {self.ended()}: {self.errors()}")

    def errors(self):
        return [each for each in self.events if each["event"] == "error"]

    def plans(self):
        return [each for each in self.events if each["event"] == "plan"]

    def plan(self):
        """The one in force."""
        return self.plans()[-1]["plan"]

    def used(self):
        return {device for stage in self.plan()["stages"] for device in stage["shares"]}

    def names(self):
        return {each["id"]: each["name"] for each in self.events if each["event"] == "device"}

    def id_of(self, name):
        return next(key for key, value in self.names().items() if value == name)

    def keep(self, folder):
        """Its events and the devices' logs, for whoever looks for the cause of what went wrong."""
        os.makedirs(folder, exist_ok=True)
        shutil.copy(os.path.join(self.folder, "events.jsonl"), folder)
        for device in self.home.devices:
            shutil.copy(self.devices.log(device), os.path.join(folder, f"{device}-agent.log"))
