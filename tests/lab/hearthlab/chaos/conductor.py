"""Plays a schedule of faults to a running training."""
import statistics
import time

from ..machine import PATIENCE

QUIET_SECONDS = 300 * PATIENCE  # without a round, while nothing is broken: the run hangs
BROKEN_SECONDS = 20  # without a round, while something is: it is healed, for perhaps nothing is left to run on
RECENT = 20  # rounds whose median is a usual one
LONGEST_FRACTION = 2.0  # seconds: a fault must not wait for half of a round that takes for ever


class Hang(Exception):
    """No round follows."""


class Conductor:
    """Strikes and heals at the moments of a schedule, until the training ends."""

    def __init__(self, follower, faults, schedule, say=lambda text: None):
        self.follower, self.faults, self.say = follower, faults, say
        self.waiting = list(schedule)
        self.due = None  # (moment, fault): the next strike, once its round has begun
        self.healing = []  # [rounds left, fault]
        self.strikes = []  # (moment, fault), for reports
        self.round_times = []
        self.last_round = None  # its arrival
        self.changed = time.monotonic()  # the last round, strike or healing

    def play(self):
        try:
            while not self.follower.ended:
                for event in self.follower.next_events(self.next_moment()):
                    self.take(event)
                self.act()
        finally:
            self.faults.heal_all()

    def next_moment(self):
        limit = self.changed + (BROKEN_SECONDS if self.faults.broken else QUIET_SECONDS)
        return min(limit, self.due[0]) if self.due else limit

    def usual_round(self):
        return min(statistics.median(self.round_times[-RECENT:]), LONGEST_FRACTION) if self.round_times else 0.1

    def take(self, event):
        if event["event"] == "round":
            self.round_times.append(event["round_s"])
            self.last_round = self.changed = event["at"]
            for each in self.healing:
                each[0] -= 1
            self.schedule_next(event["round"] >= self.next_round(), event["at"])
        elif event["event"] == "state" and event["state"] == "recovering":
            self.schedule_next(bool(self.waiting) and self.waiting[0].in_recovery and bool(self.strikes), event["at"])

    def next_round(self):
        return self.waiting[0].round if self.waiting else float("inf")

    def schedule_next(self, is_time, moment):
        if is_time and self.waiting and not self.due:
            fault = self.waiting.pop(0)
            self.due = (moment + fault.fraction * self.usual_round(), fault)

    def act(self):
        now = time.monotonic()
        for each in [each for each in self.healing if each[0] <= 0]:
            self.heal(each)
        if self.due and now >= self.due[0]:
            fault = self.due[1]
            self.due = None
            self.strikes.append((now, fault))
            self.faults.strike(fault)
            self.changed = time.monotonic()
            self.healing.append([fault.heal_after, fault])
            self.say(f"struck: {fault}")
        if now - self.changed < (BROKEN_SECONDS if self.faults.broken else QUIET_SECONDS):
            return
        if not self.faults.broken:
            raise Hang(f"No round for {QUIET_SECONDS:g} s while nothing is broken.")
        for each in list(self.healing):
            self.heal(each)

    def heal(self, each):
        self.healing.remove(each)
        self.faults.heal(each[1])
        self.changed = time.monotonic()
        self.say(f"healed: {each[1].kind} {each[1].device}")
