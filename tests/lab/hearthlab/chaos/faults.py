"""How each fault is done to a device of a running home, and how it is undone."""
import os
import signal
import subprocess
import sys

from .. import settings
from ..errors import LabError
from ..keeper import ask
from ..machine import wait_until
from ..network import BRIDGE, NAMESPACES, port
from ..processes import set_namespace

WIRE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "wire.py")
SLOW_RATE = 30_000_000  # bits per second
SLOW_FACTOR = 4
CLOCK_JUMPS = ("+2d", "-2d", "+90", "-90")  # as libfaketime writes them
ALTERED_BYTES = 3
LEAVING_SECONDS = 120


class Faults:
    """The state of what is broken now; heal_all() leaves the home as it was."""

    def __init__(self, place):
        self.place = place
        self.broken = []
        self.wires = {}
        self.leaving = {}
        self.jumps = 0

    def strike(self, fault):
        self.broken.append(fault)
        getattr(self, fault.kind.replace("-", "_"))(fault.device)

    def heal(self, fault):
        self.broken.remove(fault)
        undo = getattr(self, "undo_" + fault.kind.replace("-", "_"), None)
        # What two faults have done to one device stays until the second one heals.
        if undo and not any((each.kind, each.device) == (fault.kind, fault.device) for each in self.broken):
            undo(fault.device)

    def heal_all(self):
        for fault in list(self.broken):
            self.heal(fault)

    def change(self, device, **changes):
        with self.place.lab.lock():
            settings.change(self.place.lab, self.place.cgroups, device, **changes)

    # Processes

    def kill_worker(self, device):
        self.place.kill(self.place.processes(device, "hearth-worker"))

    def kill_agent(self, device):
        self.place.kill(self.place.processes(device, "hearth-agent"))

    def kill_coordinator(self, device):
        self.place.kill(self.place.processes(device, "hearth-coordinator"))

    def freeze(self, device):
        self.place.cgroups.freeze(f"{device}/agent", True)

    def undo_freeze(self, device):
        self.place.cgroups.freeze(f"{device}/agent", False)

    def freeze_worker(self, device):
        self.place.kill(self.place.processes(device, "hearth-worker"), signal.SIGSTOP)

    def undo_freeze_worker(self, device):
        self.place.kill(self.place.processes(device, "hearth-worker"), signal.SIGCONT)

    def leave(self, device):
        if device not in self.leaving:
            self.leaving[device] = (self.place.agent(device), self.place.agent_command(device, "leave"))

    def undo_leave(self, device):
        """It has to be gone before it can be started: until then the service would take it for running."""
        agent, command = self.leaving.pop(device)
        command.wait()
        wait_until(lambda: agent is None or self.place.agent(device) != agent, LEAVING_SECONDS, f"{device} has not left")
        ask(self.place.lab, "start", device=device)

    # The network

    def cut(self, device):
        self.change(device, cut_in=True, cut_out=True)

    def cut_in(self, device):
        self.change(device, cut_in=True)

    def cut_out(self, device):
        self.change(device, cut_out=True)

    def undo_cut(self, device):
        """Kinds of cuts that are still wanted stay."""
        kinds = {each.kind for each in self.broken if each.device == device}
        self.change(device, cut_in=bool(kinds & {"cut", "cut-in"}), cut_out=bool(kinds & {"cut", "cut-out"}))

    undo_cut_in = undo_cut_out = undo_cut

    def rate(self, device):
        self.change(device, up=SLOW_RATE, down=SLOW_RATE)

    def undo_rate(self, device):
        self.change(device, up=None, down=None)

    def alter(self, device):
        if device in self.wires:
            return
        lab = self.place.lab
        wire = subprocess.Popen([sys.executable, WIRE, port(lab, device), BRIDGE, str(ALTERED_BYTES)],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                preexec_fn=lambda: set_namespace(os.path.join(NAMESPACES, lab.switch)))
        self.wires[device] = wire
        if wire.stdout.readline() != b"ready\n":
            raise LabError(f"The cable of {device} could not be replaced by one that alters bytes.")

    def undo_alter(self, device):
        wire = self.wires.pop(device)
        wire.communicate()

    # The rest of the machine

    def slow(self, device):
        self.change(device, slow=SLOW_FACTOR)

    def undo_slow(self, device):
        self.change(device, slow=1)

    def disk_full(self, device):
        with open(self.place.disk("filler"), "wb", buffering=0) as file:
            try:
                while file.write(bytes(1 << 16)):
                    pass
            except OSError:
                pass  # it is full

    def undo_disk_full(self, device):
        os.unlink(self.place.disk("filler"))

    def set_clock(self, device, offset):
        path = os.path.join(self.place.lab.device_dir(device, "home"), "clock")
        with open(path + ".new", "w") as file:
            file.write(offset + "\n")
        os.replace(path + ".new", path)

    def clock(self, device):
        self.set_clock(device, CLOCK_JUMPS[self.jumps % len(CLOCK_JUMPS)])
        self.jumps += 1

    def undo_clock(self, device):
        self.set_clock(device, "+0")
