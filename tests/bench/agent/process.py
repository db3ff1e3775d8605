"""What the kernel counts of one process: memory, processor time, how often it was woken."""
import os
import threading
import time

MIB = 2**20


def memory(pid):
    """Bytes by the names of smaps_rollup, and "Private": what ends with the process, clean pages of files included."""
    sizes = {}
    with open(f"/proc/{pid}/smaps_rollup") as text:
        for line in text:
            words = line.split()
            if words[-1] == "kB":
                sizes[words[0].rstrip(":")] = int(words[1]) * 1024
    return {**sizes, "Private": sizes["Private_Clean"] + sizes["Private_Dirty"]}


def threads(pid):
    return os.listdir(f"/proc/{pid}/task")


def cpu_seconds(pid):
    """On a processor, of all threads that live, by the scheduler's own nanoseconds: ticks miss what is shorter."""
    total = 0
    for thread in threads(pid):
        with open(f"/proc/{pid}/task/{thread}/schedstat") as text:
            total += int(text.read().split()[0])
    return total / 1e9


def wakeups(pid):
    """How often its threads have gone to sleep of their own accord; each such sleep ends with a wake-up."""
    total = 0
    for thread in threads(pid):
        with open(f"/proc/{pid}/task/{thread}/status") as text:
            total += next(int(line.split()[1]) for line in text if line.startswith("voluntary_ctxt_switches"))
    return total


class Peak(threading.Thread):
    """The most private memory of a process while this runs, looked at four times a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.ended = pid, 0, threading.Event()

    def run(self):
        while not self.ended.wait(0.25):
            self.most = max(self.most, memory(self.pid)["Private_Dirty"])

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()


class Usage:
    """Processor time and wake-ups of a process since this was made."""

    def __init__(self, pid):
        self.pid, self.began = pid, time.monotonic()
        self.cpu, self.woken = cpu_seconds(pid), wakeups(pid)

    def seconds(self):
        return time.monotonic() - self.began

    def cores(self):
        return (cpu_seconds(self.pid) - self.cpu) / self.seconds()

    def wakeups_per_minute(self):
        return (wakeups(self.pid) - self.woken) * 60 / self.seconds()
