"""Processor shares, memory limits and freezing by cgroups, version 1 or 2, whichever has the cpu controller.

A lab is one folder `hearth-lab.NAME` under the root of the hierarchy (of each hierarchy, in version 1). A group is
named by a path below it: "keeper" for the lab's own process, and per device a group with the limits, "nano-1", and
groups without limits below it for its processes: "nano-1/host", "nano-1/agent", "nano-1/exec".
"""
import errno
import os
import signal

from .errors import LabError
from .machine import wait_until

PERIOD = 10_000  # microseconds
LEAST_QUOTA = 1_000  # the kernel's
LONGEST_PERIOD = 1_000_000
LEAVES = ("host", "agent", "exec")
DEADLINE = 60  # seconds; the kernel is quicker where it is not very busy
WEIGHT = 10  # times a usual group's, so that devices get their shares on a busy machine


def quota_and_period(cores):
    """Microseconds; None: no quota. Below the kernel's smallest quota the period grows."""
    if cores is None:
        return None, PERIOD
    quota = round(cores * PERIOD)
    if quota >= LEAST_QUOTA:
        return quota, PERIOD
    return LEAST_QUOTA, min(round(LEAST_QUOTA / cores), LONGEST_PERIOD)


class Files:
    """The file system of cgroups; tests put another in its place."""

    def make(self, path):
        os.mkdir(path)

    def remove(self, path):
        os.rmdir(path)

    def exists(self, path):
        return os.path.exists(path)

    def groups(self, path):
        """Of a folder its subfolders."""
        return [entry.path for entry in os.scandir(path) if entry.is_dir(follow_symlinks=False)]

    def read(self, path):
        with open(path) as file:
            return file.read()

    def write(self, path, value):
        # Never creates: a missing control file is an error.
        fd = os.open(path, os.O_WRONLY)
        try:
            os.write(fd, str(value).encode())
        finally:
            os.close(fd)


class Cgroups:
    """What both versions share. `roots` are the folders of one lab, one per hierarchy, parents first."""

    def __init__(self, name, mounts, files=None):
        self.files = files or Files()
        self.name = name
        self.mounts = mounts  # controller -> mount point
        self.roots = list(dict.fromkeys(os.path.join(mount, f"hearth-lab.{name}") for mount in mounts.values()))

    def root(self, controller):
        return os.path.join(self.mounts[controller], f"hearth-lab.{self.name}")

    def path(self, controller, group, file):
        return os.path.join(self.root(controller), group, file)

    def exists(self):
        return [root for root in self.roots if self.files.exists(root)]

    def make(self, group=""):
        for root in self.roots:
            path = os.path.join(root, group) if group else root
            try:
                self.files.make(path)
            except OSError as error:
                raise LabError(f"The cgroup {path} could not be made.", f"{os.strerror(error.errno)}.",
                               "Run the lab where root may make cgroups; CPU quotas need them.") from None

    def procs_files(self, group):
        """Writing a process's number into each of these moves it into the group."""
        return [os.path.join(root, group, "cgroup.procs") for root in self.roots]

    def walk(self, group=""):
        """Folders of the group in all hierarchies, children first."""
        found = []

        def visit(path):
            try:
                children = self.files.groups(path)
            except OSError:
                return
            for child in children:
                visit(child)
            found.append(path)

        for root in self.roots:
            visit(os.path.join(root, group) if group else root)
        return found

    def processes(self, group=""):
        pids = set()
        for folder in self.walk(group):
            try:
                pids.update(int(word) for word in self.files.read(os.path.join(folder, "cgroup.procs")).split())
            except OSError:
                pass
        return sorted(pids - {0, os.getpid()})

    def kill(self, group=""):
        """Ends all processes of the group by SIGKILL and waits until none is left; returns how many there were."""
        killed = set()

        def empty():
            pids = self.processes(group)
            for pid in pids:
                killed.add(pid)
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            if pids:
                self.thaw_all(group)
            return not pids

        wait_until(empty, DEADLINE, lambda: f"these processes of the lab have not ended: {self.processes(group)}")
        return len(killed)

    def thaw_all(self, group):
        for folder in self.walk(group):
            self.thaw_folder(folder)

    def remove(self):
        """Ends all processes and removes all groups."""
        self.kill()
        for folder in self.walk():
            wait_until(lambda folder=folder: self.remove_folder(folder), DEADLINE, f"the cgroup {folder} is still in use")

    def remove_folder(self, folder):
        try:
            self.files.remove(folder)
        except FileNotFoundError:
            pass
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise LabError(f"The cgroup {folder} could not be removed.", f"{os.strerror(error.errno)}.") from None
            # One that was just moving from group to group is missed by a look at each in turn.
            self.kill()
            return False
        return True


class CgroupsV1(Cgroups):
    version = 1

    def prepare(self):
        """Once the lab's folders are there."""
        self.files.write(self.path("cpu", "", "cpu.shares"), 1024 * WEIGHT)

    def set_cpu(self, group, cores):
        quota, period = quota_and_period(cores)
        self.files.write(self.path("cpu", group, "cpu.cfs_quota_us"), -1)  # no invalid pair on the way
        self.files.write(self.path("cpu", group, "cpu.cfs_period_us"), period)
        if quota is not None:
            self.files.write(self.path("cpu", group, "cpu.cfs_quota_us"), quota)

    def cpu(self, group):
        quota = int(self.files.read(self.path("cpu", group, "cpu.cfs_quota_us")))
        return quota / int(self.files.read(self.path("cpu", group, "cpu.cfs_period_us"))) if quota > 0 else None

    def cpu_seconds(self, group):
        return int(self.files.read(self.path("cpuacct", group, "cpuacct.usage"))) / 1e9

    def set_memory(self, group, limit):
        if not limit:
            return
        self.files.write(self.path("memory", group, "memory.limit_in_bytes"), limit)
        swap = self.path("memory", group, "memory.memsw.limit_in_bytes")
        if self.files.exists(swap):
            self.files.write(swap, limit)

    def freeze(self, group, frozen):
        state = "FROZEN" if frozen else "THAWED"
        file = self.path("freezer", group, "freezer.state")
        self.files.write(file, state)
        wait_until(lambda: self.files.read(file).strip() == state, DEADLINE, f"{group} is not {state.lower()}")

    def is_frozen(self, group):
        return self.files.read(self.path("freezer", group, "freezer.state")).strip() != "THAWED"

    def thaw_folder(self, folder):
        file = os.path.join(folder, "freezer.state")
        if self.files.exists(file) and self.files.read(file).strip() != "THAWED":
            self.files.write(file, "THAWED")


class CgroupsV2(Cgroups):
    version = 2

    def __init__(self, name, mount, files=None):
        super().__init__(name, {"all": mount}, files)

    def prepare(self):
        """The lab's groups get the controllers that the root passes on, which the lab does not change."""
        passed_on = self.files.read(os.path.join(self.mounts["all"], "cgroup.subtree_control")).split()
        for controller in ("cpu", "memory"):
            if controller not in passed_on:
                raise LabError(f"The cgroup controller {controller} is not passed on to groups.",
                               f"{self.mounts['all']}/cgroup.subtree_control does not name it.",
                               f'Write "+{controller}" to that file, or run the lab under systemd.')
        self.files.write(os.path.join(self.roots[0], "cgroup.subtree_control"), "+cpu +memory")
        self.files.write(os.path.join(self.roots[0], "cpu.weight"), 100 * WEIGHT)

    def set_cpu(self, group, cores):
        quota, period = quota_and_period(cores)
        self.files.write(self.path("all", group, "cpu.max"), f"{'max' if quota is None else quota} {period}")

    def cpu(self, group):
        quota, period = self.files.read(self.path("all", group, "cpu.max")).split()
        return None if quota == "max" else int(quota) / int(period)

    def cpu_seconds(self, group):
        fields = dict(line.split() for line in self.files.read(self.path("all", group, "cpu.stat")).splitlines())
        return int(fields["usage_usec"]) / 1e6

    def set_memory(self, group, limit):
        if not limit:
            return
        self.files.write(self.path("all", group, "memory.max"), limit)
        swap = self.path("all", group, "memory.swap.max")
        if self.files.exists(swap):
            self.files.write(swap, 0)

    def freeze(self, group, frozen):
        self.files.write(self.path("all", group, "cgroup.freeze"), int(frozen))
        events = self.path("all", group, "cgroup.events")
        wanted = f"frozen {int(frozen)}"
        wait_until(lambda: wanted in self.files.read(events), DEADLINE, f"{group} did not reach the state \"{wanted}\"")

    def is_frozen(self, group):
        return self.files.read(self.path("all", group, "cgroup.freeze")).strip() == "1"

    def thaw_folder(self, folder):
        file = os.path.join(folder, "cgroup.freeze")
        if self.files.exists(file) and self.files.read(file).strip() == "1":
            self.files.write(file, 0)


def find_cgroups(name, mounts_text=None, files=None):
    """The cgroups of a lab on this machine; errors where none can limit the processor."""
    if mounts_text is None:
        with open("/proc/self/mounts") as file:
            mounts_text = file.read()
    first = {}
    unified = None
    for line in mounts_text.splitlines():
        _, point, kind, options = line.split()[:4]
        if kind == "cgroup":
            for controller in ("cpu", "cpuacct", "memory", "freezer"):
                if controller in options.split(","):
                    first.setdefault(controller, point)
        elif kind == "cgroup2":
            unified = unified or point
    if "cpu" in first:
        for controller in ("cpuacct", "memory", "freezer"):
            if controller not in first:
                raise LabError(f"The cgroup controller {controller} is not mounted.", "The lab limits devices with it.",
                               f"Mount it: mount -t cgroup -o {controller} cgroup /sys/fs/cgroup/{controller}")
        return CgroupsV1(name, first, files)
    if unified:
        return CgroupsV2(name, unified, files)
    raise LabError("No cgroups are mounted here.", "CPU quotas need them.", "Run the lab on the machine itself.")
