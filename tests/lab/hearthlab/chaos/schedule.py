"""Seeded schedules: which faults meet a run, on which device, and when."""
import random
from dataclasses import dataclass

from ..errors import LabError

# What may happen, and to whom: the device whose agent keeps the run ("home"), another one ("away"), or any.
KINDS = {
    "kill-worker": "any",  # kill -9
    "kill-agent": "away",  # kill -9, with all that hangs on it; its service restarts it
    "kill-coordinator": "home",  # kill -9; its agent restarts it
    "freeze": "away",  # agent and worker stand still, and go on later
    "freeze-worker": "any",  # the worker alone
    "cut": "any",  # nothing comes in, nothing goes out
    "cut-in": "any",
    "cut-out": "any",
    "rate": "any",  # the link becomes slow
    "slow": "any",  # the processor becomes slow
    "disk-full": "home",  # of the run's folder
    "clock": "any",  # the wall clock jumps
    "alter": "any",  # bytes are altered on the wire
    "leave": "away",  # announced
}
MOST_FAULTS = 3
FIRST_ROUND = 2
LONGEST_HEALING = 14  # rounds
SHARE_IN_RECOVERY = 0.3  # of the later faults: they come while the run recovers from the one before


@dataclass(frozen=True)
class Fault:
    kind: str
    device: str
    round: int  # it comes in the round after this one ...
    fraction: float  # ... when that much of a usual round has passed,
    in_recovery: bool  # or that long after the fault before has begun a recovery
    heal_after: int  # rounds done since, until all is well again

    def __str__(self):
        when = "recovery" if self.in_recovery else f"round {self.round + 1}"
        return f"{self.kind} {self.device} {when}+{self.fraction:.2f}, heals after {self.heal_after}"


def check_kinds(kinds):
    for kind in kinds:
        if kind not in KINDS:
            raise LabError(f"There is no fault {kind!r}.", "", f"There are: {', '.join(KINDS)}.")
    return list(kinds)


def pick_device(source, kind, devices):
    """The first device is the run's home."""
    where = KINDS[kind]
    return devices[0] if where == "home" else source.choice(devices[where == "away":])


SHAPES = ("chosen", "chain", "groups")  # of the first plan: as the planner wants it, or one that uses all devices


def make_shape(seed):
    return random.Random(f"shape {seed}").choice(SHAPES)


def make_schedule(seed, devices, kinds, rounds):
    """The same for the same arguments: one to three faults in order of time."""
    source = random.Random(seed)
    count = 1 + source.randrange(MOST_FAULTS)
    moments = sorted(source.randrange(FIRST_ROUND, rounds) for _ in range(count))
    faults = []
    for moment in moments:
        kind = source.choice(kinds)
        device = pick_device(source, kind, devices)
        in_recovery = source.random() < SHARE_IN_RECOVERY and bool(faults)
        faults.append(Fault(kind, device, moment, source.random(), in_recovery,
                            1 + source.randrange(LONGEST_HEALING)))
    return faults
