"""Memory of a home's programs while they run."""
import json
import statistics

# Without the pages of files: what a process has of those depends on who else runs the same programs.
FIELD = "Pss_Anon:"
PROGRAMS = ("hearth-agent", "hearth-coordinator", "hearth-worker")


def proportional_bytes(pid):
    """0 where the process has gone."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return 1024 * sum(int(line.split()[1]) for line in file if line.startswith(FIELD))
    except OSError:
        return 0


class MemoryWatch:
    """Samples of how much all programs of a kind have, per process."""

    def __init__(self, place):
        self.place = place
        self.samples = {program: [] for program in PROGRAMS}  # (seconds, process to bytes)

    def sample(self, now):
        for program, samples in self.samples.items():
            bytes_each = {pid: proportional_bytes(pid) for name in self.place.names
                          for pid in self.place.processes(name, program)}
            known = {pid: each for pid, each in bytes_each.items() if each}
            if known:
                samples.append((now, known))

    def save(self, path):
        with open(path, "w") as file:
            json.dump(self.samples, file)

    def growth(self, before, after):
        """Program to (median in the first span of time, median in the second one)."""
        found = {}
        for program, samples in self.samples.items():
            first, last = ([statistics.mean(sizes.values()) for when, sizes in samples if begin <= when <= end]
                           for begin, end in (before, after))
            if first and last:
                found[program] = (statistics.median(first), statistics.median(last))
        return found
