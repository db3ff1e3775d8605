"""Disturbed runs against an undisturbed one."""
import json
import os
import shutil
import statistics
import time

from ..errors import LabError
from ..machine import wait_until
from . import verdict
from .conductor import Conductor, Hang
from .faults import Faults
from .follower import Follower
from .modes import INTERLEAVED, REPLAYED, SYNCHRONOUS, job_of, plan_of
from .recoveries import recoveries_of
from .replay import Replay
from .tensors import read_tensors

WORKERS_END = 120  # seconds: a worker that lost its coordinator keeps its state for 30
PROGRAMS = ("hearth-worker", "hearth-coordinator")


class Outcome:
    """Of one run: what was wrong (nothing: it holds), how long it and its recoveries took."""

    def __init__(self, events, strikes, seconds, wrong):
        self.events, self.seconds, self.wrong = events, seconds, wrong
        self.recoveries = recoveries_of(events, strikes)


class Exactness:
    """Runs schedules one after the other in a place, and keeps what the undisturbed run gave, or has it repeated by an
    outsider."""

    def __init__(self, place, folder, rounds, mode=SYNCHRONOUS):
        self.place, self.folder, self.rounds, self.mode = place, folder, rounds, mode
        self.weights = self.losses = None
        self.job = os.path.join(folder, "job.json")
        job = job_of(mode, rounds)
        self.replay = Replay(place.real_programs, job, folder) if mode in REPLAYED else None
        with open(self.job, "w") as file:
            json.dump(job, file)

    def prepare(self):
        """The undisturbed run; it also leaves the devices' measurements, so that the next ones start faster."""
        outcome, tensors = self.train("chosen", [], os.path.join(self.folder, "undisturbed"), lambda text: None)
        if outcome.wrong:
            raise LabError("The undisturbed run failed.", "; ".join(outcome.wrong))
        self.weights = tensors
        rounds = [event for event in outcome.events if event["event"] == "round"]
        self.losses = {event["round"]: event["loss"] for event in rounds}
        return statistics.median(event["round_s"] for event in rounds)

    def check(self, shape, schedule, folder, say):
        outcome, tensors = self.train(shape, schedule, folder, say)
        if outcome.wrong:
            return outcome
        losses, weights, events = self.losses, self.weights, outcome.events
        if self.replay:
            losses, weights = self.replay.expected(events)
            events = verdict.counting(events)
        outcome.wrong += verdict.loss_faults(events, losses)
        outcome.wrong += verdict.weight_faults(tensors, weights)
        return outcome

    def arguments(self, shape, folder):
        words = [self.job, "--save", os.path.join(folder, "weights.safetensors")]
        if shape != "chosen" or self.mode == INTERLEAVED:
            plan = os.path.join(folder, "plan.json")
            with open(plan, "w") as file:
                json.dump(plan_of(self.mode, shape, self.place.names), file)
            words += ["--plan", plan]
        return words

    def train(self, shape, schedule, folder, say):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.place.wait_until_linked()
        self.place.clear_runs()
        begin = time.monotonic()
        follower = Follower(self.place, self.arguments(shape, folder), os.path.join(folder, "errors.log"))
        conductor = Conductor(follower, Faults(self.place), schedule, say)
        wrong = []
        try:
            conductor.play()
        except Hang as hang:
            wrong.append(str(hang))
        finally:
            follower.close()
            self.keep(folder, follower.events)
        wrong += verdict.end_faults(follower, self.rounds)
        wrong += verdict.order_faults(follower.events, self.rounds)
        wrong += verdict.sequence_faults(follower.events)
        wrong += self.leftovers()
        tensors = read_tensors(os.path.join(folder, "weights.safetensors")) if not wrong else None
        return Outcome(follower.events, conductor.strikes, time.monotonic() - begin, wrong), tensors

    def keep(self, folder, events):
        """What a person needs who looks for the cause."""
        with open(os.path.join(folder, "events.jsonl"), "w") as file:
            file.writelines(json.dumps(event) + "\n" for event in events)
        for name in self.place.names:
            log = self.place.lab.device_dir(name, "agent.log")
            if os.path.exists(log):
                shutil.copy(log, os.path.join(folder, f"{name}.log"))

    def leftovers(self):
        """Programs of the run that outlive it; they are ended for the next one's sake."""
        def living():
            return [(device, program, pid) for device in self.place.names for program in PROGRAMS
                    for pid in self.place.processes(device, program)]

        try:
            wait_until(lambda: not living(), WORKERS_END, "")
            return []
        except LabError:
            left = living()
            self.place.kill([pid for _, _, pid in left])
            return [f"{program} on {device} outlives the run" for device, program, _ in left]
