"""Random faults for a long time: the run gets on, never hangs, and its programs do not grow."""
import json
import os
import random
import time

from ..errors import LabError
from ..processes import run
from . import verdict
from .faults import Faults
from .follower import LAB, Follower
from .memory import MemoryWatch
from .modes import JOB, SYNCHRONOUS, plan_of
from .schedule import Fault, pick_device

ENDLESS = 10_000_000  # rounds
WARM_UP_ROUNDS = 30
START_SECONDS = 120  # until the first rounds are done
SHORTEST_FAULT, LONGEST_FAULT = 0.5, 8.0  # seconds
ROUND_BOUND = 20  # seconds: a round follows when all is well again
STOP_SECONDS = 60
SAMPLE_SECONDS = 2.0
REST_SECONDS = 8  # without a change of any kind: what the last one held is given back
SETTLING_SECONDS = 60  # until that, at most
SETTLED_SECONDS = 10
MOST_GROWTH = 0.05


class Punisher:
    """One run in a place: `seconds` without faults to compare with, then `seconds` with. With a `shape` it begins by the
    plan of plan_of(SYNCHRONOUS, ), which comes back whenever all devices are there."""

    def __init__(self, place, folder, seed, kinds, mean, shape, say):
        self.place, self.folder, self.kinds, self.mean, self.say = place, folder, kinds, mean, say
        self.shape = shape
        self.source = random.Random(seed)
        self.faults = Faults(place)
        self.memory = MemoryWatch(place)
        self.healing = []  # (moment, fault)
        self.wrong = []
        self.struck = 0
        self.last_progress = 0.0  # the last round, or healing
        self.next_sample = 0.0

    def play(self, calm_seconds, seconds):
        job = os.path.join(self.folder, "endless.json")
        with open(job, "w") as file:
            json.dump({**JOB, "rounds": ENDLESS}, file)
        self.place.wait_until_linked()
        self.place.clear_runs()
        words = [job]
        if self.shape:
            words += ["--plan", os.path.join(self.folder, "plan.json")]
            with open(words[-1], "w") as file:
                json.dump(plan_of(SYNCHRONOUS, self.shape, self.place.names), file)
        self.follower = Follower(self.place, words, os.path.join(self.folder, "errors.log"))
        try:
            self.watch(START_SECONDS, lambda: self.done() >= WARM_UP_ROUNDS)
            if self.done() < WARM_UP_ROUNDS:
                raise LabError("The training does not get on.", f"{self.done()} rounds in {START_SECONDS} s.")
            calm_begin = time.monotonic()
            calm = self.pace(calm_seconds)
            begin = time.monotonic()
            disturbed = self.pace(seconds, self.punish)
            end = time.monotonic()
            self.faults.heal_all()
            settled = self.settle()
            self.stop()
        finally:
            self.faults.heal_all()
            self.follower.close()
            with open(os.path.join(self.folder, "events.jsonl"), "w") as file:
                file.writelines(json.dumps(event) + "\n" for event in self.follower.events)
            self.memory.save(os.path.join(self.folder, "memory.json"))
        self.judge()
        # While devices are away the others have more to do. Under the same plan again, what was before is compared with
        # what is; under ever other plans only many of them can be compared with many.
        quarter = (end - begin) / 4
        spans = ((calm_begin, begin), (settled, settled + SETTLED_SECONDS)) if self.shape else \
            ((begin, begin + quarter), (end - quarter, end))
        return calm, disturbed, self.memory.growth(*spans)

    def done(self):
        latest = self.follower.latest.get("round")
        return latest["version"] if latest else 0

    def pace(self, seconds, act=lambda now: None):
        """Rounds that the model has gained per second."""
        begin, before = time.monotonic(), self.done()
        self.last_progress = begin
        self.watch(seconds, lambda: False, act)
        return (self.done() - before) / (time.monotonic() - begin)

    def settle(self):
        """From when on nothing has changed any more; SETTLED_SECONDS of that are watched."""
        def rests():
            changed = max(event["at"] for kind in ("plan", "joined", "recovered") for event in self.follower.of(kind))
            return time.monotonic() - changed > REST_SECONDS

        self.last_progress = time.monotonic()
        self.watch(SETTLING_SECONDS, rests)
        begin = time.monotonic()
        self.watch(SETTLED_SECONDS, lambda: False)
        return begin

    def watch(self, seconds, is_enough, act=lambda now: None):
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end and not is_enough():
            if self.follower.ended:
                raise LabError("The run has ended.", "; ".join(
                    f"{event['what']} {event['cause']}" for event in self.follower.of("error")))
            act(now)
            if now >= self.next_sample:
                self.memory.sample(now)
                self.next_sample = now + SAMPLE_SECONDS
            self.check_hang(now)
            for event in self.follower.next_events(min(end, self.next_sample, self.next_act(now))):
                if event["event"] == "round":
                    self.last_progress = event["at"]

    def check_hang(self, now):
        if self.faults.broken or now - self.last_progress < ROUND_BOUND or not self.done():
            return
        raise LabError("The run hangs.", f"No round for {now - self.last_progress:.0f} s while nothing is broken.")

    # Faults

    def next_act(self, now):
        moments = [moment for moment, _ in self.healing] + ([self.next_strike] if self.struck else [])
        return min(moments, default=now + SAMPLE_SECONDS)

    def punish(self, now):
        if not self.struck:
            self.struck = 1
            self.next_strike = now + self.source.expovariate(1 / self.mean)
        for each in [each for each in self.healing if each[0] <= now]:
            self.healing.remove(each)
            self.faults.heal(each[1])
            self.last_progress = time.monotonic()
            self.say(f"healed: {each[1].kind} {each[1].device}")
        if now < self.next_strike:
            return
        kind = self.source.choice(self.kinds)
        fault = Fault(kind, pick_device(self.source, kind, self.place.names), 0, 0, False, 0)
        self.faults.strike(fault)
        self.healing.append((time.monotonic() + self.source.uniform(SHORTEST_FAULT, LONGEST_FAULT), fault))
        self.struck += 1
        self.next_strike += self.source.expovariate(1 / self.mean)
        self.say(f"struck: {kind} {fault.device}, round {self.done() + 1}")

    # The end

    def stop(self):
        name = self.follower.of("run")[0]["id"]
        stopped = run([LAB, "--lab", self.place.lab.name, "exec", self.place.names[0], "--", "hearth", "stop", name],
                      timeout=STOP_SECONDS)
        if stopped.returncode != 0:
            raise LabError("The run could not be stopped.", stopped.stderr.strip())
        end = time.monotonic() + STOP_SECONDS
        while not self.follower.ended and time.monotonic() < end:
            self.follower.next_events(end)
        if self.follower.latest["state"]["state"] != "stopped":
            self.wrong.append("the run did not stop when it was asked to")

    def judge(self):
        events = self.follower.events
        self.wrong += verdict.order_faults(events)
        self.wrong += verdict.sequence_faults(events)
        losses = {}
        for event in self.follower.of("round"):
            losses.setdefault(event["round"], event["loss"])
        self.wrong += verdict.loss_faults(events, losses)
        self.wrong += [f"error: {event['what']} {event['cause']}" for event in self.follower.of("error")]
