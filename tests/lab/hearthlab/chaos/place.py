"""A lab for chaos: the run's folder is a small disk of its own, and every device has a wall clock that can be set."""
import contextlib
import glob
import os
import shutil
import signal
import subprocess

from .. import lifetime
from ..cgroups import find_cgroups
from ..errors import LabError
from ..home import read_home
from ..keeper import ask
from ..machine import cores, memory_bytes
from ..pairing import wait_until_linked
from ..places import Lab
from ..processes import run_tool
from ..status import program_of

DISK = 256  # MiB, of the run's folder
FAKETIME = "/usr/lib/*/faketime/libfaketimeMT.so.1"
# The agent's children inherit the clock. Monotonic time stays as it is: it never jumps.
AGENT = """#!/bin/sh
LD_PRELOAD={library} FAKETIME_TIMESTAMP_FILE="$HOME/clock" FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \\
    exec {agent} "$@"
"""


def find_faketime():
    found = glob.glob(FAKETIME)
    if not found:
        raise LabError("The library libfaketime is missing.", "Clocks are set with it.", "Install the package libfaketime.")
    return found[0]


def clocked_programs(programs, folder):
    """A folder of the same programs in which the agent runs by a clock that can be set."""
    os.makedirs(folder)
    for name in os.listdir(programs):
        os.symlink(os.path.join(programs, name), os.path.join(folder, name))
    agent = os.path.join(folder, "hearth-agent")
    os.unlink(agent)
    with open(agent, "w") as file:
        file.write(AGENT.format(library=find_faketime(), agent=os.path.join(programs, "hearth-agent")))
    os.chmod(agent, 0o755)
    return folder


class Place:
    """One lab that is up while it is used as a context. The first device is the run's home."""

    def __init__(self, name, count, programs, folder):
        self.lab = Lab(name)
        self.folder = folder
        self.real_programs = lifetime.find_programs(programs)
        self.names = [f"nano-{index}" for index in range(count)]
        home = {"format": "hearth-lab/1", "scale": "auto", "link": "1gbit",
                "devices": [{"name": each, "speed": 1} for each in self.names]}
        self.devices = read_home(home, "the chaos home", cores(), memory_bytes())

    def __enter__(self):
        programs = clocked_programs(self.real_programs, os.path.join(self.folder, "bin"))
        lifetime.up(self.lab, self.devices, "chaos", programs, True)
        try:
            self.cgroups = find_cgroups(self.lab.name)
            holder = str(ask(self.lab, "status")["holders"][self.names[0]]["pid"])
            self.root = f"/proc/{holder}/root"
            runs = self.runs_folder()
            os.makedirs(self.root + runs, mode=0o700, exist_ok=True)
            run_tool("nsenter", "-t", holder, "-m", "mount", "-n", "-t", "tmpfs", "-o", f"mode=700,size={DISK}m",
                     "hearth-lab", runs)
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        lifetime.end(self.lab)

    def runs_folder(self):
        return os.path.join(self.lab.state_dir(self.names[0]), "runs")

    def disk(self, name=""):
        """A path in the folder of runs, as seen from here."""
        return os.path.join(self.root + self.runs_folder(), name)

    def clear_runs(self):
        for name in os.listdir(self.disk()):
            shutil.rmtree(self.disk(name), ignore_errors=True)

    def agent(self, device):
        """The service's process; None while there is none."""
        return ask(self.lab, "status")["services"][device]["agent"]["process"]

    def processes(self, device, program):
        return [pid for pid in self.cgroups.processes(f"{device}/agent") if program_of(pid) == program]

    def kill(self, pids, number=signal.SIGKILL):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def agent_command(self, device, word):
        """Of the device's agent, by its socket, in the background: the agent may take its time."""
        return subprocess.Popen([os.path.join(self.real_programs, "hearth-agent"), "--state",
                                 self.lab.state_dir(device), word], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait_until_linked(self):
        wait_until_linked(self.lab)
