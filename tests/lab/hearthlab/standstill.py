"""Tests that this machine may spoil: whether it stood still, as tests/core/base/standstill.h in C++, and another try."""
import os
import threading
import time

TRIES = 3
PACE = 0.05  # seconds
LOSES_DEVICES = 1.2  # seconds: a device is lost when its heartbeats are missing for 1.6


class Standstill:
    """A thread of its own sleeps for short times in a `with` block, and notes how long it took until it ran again."""

    def __enter__(self):
        self.longest, self.looked, self.ended = 0.0, time.monotonic(), threading.Event()
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

    def excuse(self, starves):
        """In words; nothing where the machine did its work. With `starves` it is one, too, that at least as many threads
        wait for a processor as run: devices compute behind other programs. The load average tells that; /proc/pressure/cpu
        would also count threads that wait because their cgroup has used up its quota, as they do in the lab."""
        load, processors = os.getloadavg()[0], os.cpu_count()
        if self.longest >= LOSES_DEVICES:
            return f"the machine stood still for {self.longest:.1f} s"
        return f"the load average is {load:.1f} on {processors} processors" if starves and load >= 2 * processors else ""


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
