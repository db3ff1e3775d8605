"""Tests that this machine may spoil: whether it stood still, as tests/core/base/standstill.h in C++, and another try."""
import collections
import os
import threading
import time

TRIES = 3
PACE = 0.05  # seconds
LOOKS_OF_A_MEAN = 32
LOSES_DEVICES = 1.2  # seconds: a device is lost when its heartbeats are missing for 1.6


def others_runnable():
    """How many other threads of all programs run or wait for a processor at this moment."""
    with open("/proc/loadavg") as file:
        return int(file.read().split()[3].partition("/")[0]) - 1


class Standstill:
    """A thread of its own sleeps for short times in a `with` block, and notes how long it took until it ran again, and how
    many threads of all programs wanted a processor then: the highest mean of some 1.6 s."""

    def __enter__(self):
        self.longest, self.looked, self.ended = 0.0, time.monotonic(), threading.Event()
        self.recent, self.most_runnable = collections.deque(maxlen=LOOKS_OF_A_MEAN), 0.0
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        self.look()

    def watch(self):
        while not self.ended.wait(PACE):
            self.look()

    def look(self):
        now = time.monotonic()
        self.longest, self.looked = max(self.longest, now - self.looked), now
        self.recent.append(others_runnable())
        self.most_runnable = max(self.most_runnable, sum(self.recent) / LOOKS_OF_A_MEAN)

    def excuse(self, starves):
        """In words; nothing where the machine did its work. With `starves` it is one, too, that for 1.6 s at least as many
        threads waited for a processor as ran: devices compute behind other programs. The load average, a mean of a minute,
        shows that too late; /proc/pressure/cpu would also count threads that wait because their cgroup has used up its
        quota, as in the lab."""
        processors = os.cpu_count()
        if self.longest >= LOSES_DEVICES:
            return f"the machine stood still for {self.longest:.1f} s"
        starved = starves and self.most_runnable >= 2 * processors
        return f"{self.most_runnable:.1f} threads shared {processors} processors" if starved else ""


def undisturbed(attempt, spoilt, late=lambda result: "", starves=True):
    """What `attempt()` gives. There is another try, up to three in all, where `late(result)` says what was over before the
    test came to its turn, or where `spoilt(result)` says what went wrong and the machine is to blame. Else that fails."""
    for number in range(1, TRIES + 1):
        with Standstill() as machine:
            result = attempt()
        cause = late(result)
        if not cause:
            wrong = spoilt(result)
            if not wrong:
                return result
            excuse = machine.excuse(starves)
            assert excuse, wrong
            cause = f"{wrong}; {excuse}"
        print(f"try {number} of {TRIES}: {cause}", flush=True)
    raise AssertionError(cause)


def losses(events, *meant):
    """In words, the devices that were lost beside the `meant` ones: each of these may be lost once."""
    meant, words = list(meant), []
    for event in events:
        if event.get("event") != "lost":
            continue
        if event["id"] in meant:
            meant.remove(event["id"])
        else:
            words.append(f"{event['id'][:8]} was lost: {event['cause']}")
    return "; ".join(words)
