"""Faults, one after the other, in one run that goes on."""
import os
import random
import time
from collections import Counter

import figures
from home import Failed
from live import Devices, LiveRun

PATIENCE = 60  # seconds for a recovery, and for a device to be back
TAKEN_BACK = 8  # seconds that a plan with a device that is back may take to come, where there will be one
SETTLED = 6  # rounds under a plan before the next fault


class Campaign:
    """Draws the moments and targets of faults from a seed, sends them, and gathers what happened."""

    def __init__(self, home, job, kinds, seed, keep):
        self.home, self.job, self.kinds, self.keep = home, job, list(kinds), keep
        self.random = random.Random(seed)
        self.drawn = Counter()  # faults of each kind and role
        self.faults = []

    def run(self, say, until):
        """All faults, or as many as can be sent before that moment; what is left of the kinds."""
        devices = Devices(self.home)
        with LiveRun(self.home, devices, self.job) as run:
            run.until(run.rounds, 240, "no round was done")
            while self.kinds and time.monotonic() < until:
                run.rounds_done(SETTLED)
                fault = {"kind": self.kinds.pop(0)}
                self.faults.append(fault)
                try:
                    self.send(run, devices, fault)
                    say(fault)
                    self.wait_for_return(run, devices, fault)
                except Failed as failure:
                    fault.setdefault("wall_s", None)
                    fault["failure"] = str(failure)
                    say(fault)
                    raise
                finally:
                    if self.keep:
                        run.keep(os.path.join(self.keep, self.home.name))
        return self.kinds

    def target(self, run, kind):
        """A device with layers, of the role that this kind of fault has met least. The run's own device is spared
        what would end its coordinator."""
        candidates = {}
        for device, role in figures.roles(run.plan()).items():
            if kind == "kill" or run.names()[device] != self.home.first:
                candidates.setdefault(role, []).append(device)
        least = min(self.drawn[kind, role] for role in candidates)
        role = self.random.choice(sorted(role for role in candidates if self.drawn[kind, role] == least))
        return role, self.random.choice(sorted(candidates[role]))

    def send(self, run, devices, fault):
        kind = fault["kind"]
        role, device = self.target(run, kind)
        phase = self.random.random()
        usual = figures.middle([each["round_s"] for each in run.rounds()[-10:]])
        while True:
            plans = len(run.plans())
            run.rounds_done(1)
            run.rest_for(phase * usual)
            if len(run.plans()) == plans:
                break
            role, device = self.target(run, kind)
        self.drawn[kind, role] += 1
        mark, term = len(run.events), run.plans()[-1]["term"]
        fault.update(role=role, device=run.names()[device], phase=round(phase, 3), round_s=usual,
                     devices=len(run.used()), stages=len(run.plan()["stages"]), term=term)
        moment = devices.kinds[kind](fault["device"])
        fault["t"] = run.time_of(moment)
        try:
            said = run.until(lambda: figures.recovery(run.events[mark:], device, term), PATIENCE, "no recovery")
        finally:
            fault["others_lost"] = [run.names()[each] for each in figures.others_lost(run.events[mark:], device)]
        fault.update(said, wall_s=run.wall(said["first"]) - moment, known_s=run.wall(said["lost"]) - moment,
                     caught_up_s=run.wall(said["caught_up"]) - moment)

    def wait_for_return(self, run, devices, fault):
        undone = time.monotonic()
        devices.undo(fault["kind"], fault["device"])
        if fault["kind"] in ("kill", "agent"):
            undone = run.wall(fault["t"])
        device = run.id_of(fault["device"])

        def last(kind):
            return next((each["t"] for each in reversed(run.events) if each["event"] == kind and each["id"] == device), 0)

        run.until(lambda: last("joined") > last("lost"), PATIENCE, f"{fault['device']} is not back")
        fault["returned_s"] = run.wall(last("joined")) - undone
        try:
            run.until(lambda: device in run.used(), TAKEN_BACK, "")
            fault["taken_back"] = True
        except Failed:
            fault["taken_back"] = False
