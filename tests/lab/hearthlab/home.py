"""Home files ("hearth-lab/1"): the devices of a home and their links, checked and scaled to this machine.

    {"format": "hearth-lab/1", "scale": "auto", "link": "100mbit",
     "devices": [{"name": "nano-0", "speed": 1, "threads": 1, "memory": "2.5GB", "up": "20mbit", "down": "100mbit"}]}

With scale "auto" devices name their relative `speed`; the lab gives each its part of 0.8 of the machine's cores (less
where a device could not use it with its threads) and shrinks memory limits together where they exceed 0.8 of the
machine's. With scale "none" devices name `cpu`, cores as a number, or `core`, the one whole core that they are pinned
to (a quota is not a slower clock: what is measured on pinned cores has no throttling in it), and memory counts as it
stands. With "stay": true no device moves among the cores: those that are on one have their quotas there together, and
nobody loses any of his to where the kernel happens to put the others.
"""
import difflib
import json
import os
import re
from dataclasses import dataclass

from . import machine
from .errors import LabError
from .rates import parse_rate

FORMAT = "hearth-lab/1"
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?")
SIZE_UNITS = {"MB": 10**6, "GB": 10**9, "MiB": 2**20, "GiB": 2**30}
USABLE = 0.8  # of cores and memory; the rest is the lab's and the tests'
LEAST_CPU = 0.1  # the kernel's smallest quota, 1 ms, of a period of 10 ms
LEAST_MEMORY = 64 * 2**20
MOST_DEVICES = 64


@dataclass
class Device:
    name: str
    address: str
    cpu: float  # cores
    threads: int
    memory: int  # bytes; 0: no limit
    up: int  # bits per second
    down: int
    core: int = -1  # pinned to this one, without a quota
    stays_on: int = -1  # pinned to this one, with a quota and others beside it


class Fields:
    """Reads an object's members; every error names the file and the member."""

    def __init__(self, where, value, known):
        self.where = where
        if not isinstance(value, dict):
            raise LabError(f"{where} is not an object.", "", "Write members between { and }.")
        for key in value:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                raise LabError(f'{where}: there is no member "{key}".', "",
                               f'Did you mean "{near[0]}"?' if near else f"Valid are: {', '.join(known)}.")
        self.value = value

    def fail(self, key, cause, advice):
        shown = json.dumps(self.value.get(key))
        raise LabError(f'{self.where}: the member "{key}" cannot be {shown[:60]}.', cause, advice)

    def number(self, key, low, high, default=None, whole=False):
        if key not in self.value and default is not None:
            return default
        if key not in self.value:
            raise LabError(f'{self.where}: the member "{key}" is missing.', "", f"Give a number from {low:g} to {high:g}.")
        number = self.value[key]
        if isinstance(number, bool) or not isinstance(number, int if whole else (int, float)) or not low <= number <= high:
            self.fail(key, "", f"Give {'a whole' if whole else 'a'} number from {low:g} to {high:g}.")
        return number

    def flag(self, key):
        if not isinstance(self.value.get(key, False), bool):
            self.fail(key, "", "Write true or false.")
        return self.value.get(key, False)

    def rate(self, key, default):
        if key not in self.value:
            return default
        try:
            return parse_rate(self.value[key])
        except LabError as error:
            self.fail(key, error.cause, error.advice)

    def memory(self, key):
        if key not in self.value:
            return 0
        text = self.value[key]
        match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(MB|GB|MiB|GiB)", text) if isinstance(text, str) else None
        if not match:
            self.fail(key, "", 'Write a number and MB, GB, MiB or GiB, for instance "2.5GB".')
        size = int(float(match[1]) * SIZE_UNITS[match[2]])
        if not LEAST_MEMORY <= size <= 2**50:
            self.fail(key, "A device needs 64 MiB at least.", "Give more, or leave it out for no limit.")
        return size


def load_home(path, cores=None, memory=None):
    """The devices of a home file, scaled to that many cores and bytes (this machine's unless given)."""
    try:
        with open(path, "rb") as file:
            text = file.read(1 << 20)
        value = json.loads(text)
    except OSError as error:
        raise LabError(f"The home file {path} cannot be read.", f"{error.strerror}.", "Check its name.") from None
    except ValueError as error:
        raise LabError(f"The home file {path} is not JSON.", f"{error}.", "Correct it there.") from None
    return read_home(value, os.path.basename(path), cores or machine.cores(), memory or machine.memory_bytes())


def read_home(value, where, cores, memory):
    fields = Fields(where, value, ["format", "about", "scale", "link", "stay", "devices"])
    if value.get("format") != FORMAT:
        fields.fail("format", "", f'Write "{FORMAT}".')
    if value.get("scale") not in ("auto", "none"):
        fields.fail("scale", "", 'Write "auto" (devices have a "speed") or "none" (they have "cpu").')
    auto = value["scale"] == "auto"
    if "link" not in value:
        raise LabError(f'{where}: the member "link" is missing.', "", 'Give the rate of all links, for instance "100mbit".')
    link = fields.rate("link", None)
    entries = value.get("devices")
    if not isinstance(entries, list) or not 1 <= len(entries) <= MOST_DEVICES:
        raise LabError(f'{where}: the member "devices" must be a list of 1 to {MOST_DEVICES} devices.', "",
                       'Give each a "name".')
    devices = []
    for index, entry in enumerate(entries):
        devices.append(read_device(entry, f"{where}, device {index + 1}", index, auto, link))
        if devices[-1].name in [device.name for device in devices[:-1]]:
            raise LabError(f'{where}: two devices are called "{devices[-1].name}".', "", "Give each a name of its own.")
    if auto:
        scale(devices, cores, memory)
    check(devices, where, cores, memory)
    if fields.flag("stay"):
        seat(devices, where, cores)
    return devices


def read_device(entry, where, index, auto, link):
    share = "speed" if auto else "cpu"
    fields = Fields(where, entry, ["name", share, *([] if auto else ["core"]), "threads", "memory", "up", "down"])
    name = entry.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        fields.fail("name", "", "Use 1 to 32 small letters, digits and inner hyphens.")
    threads = fields.number("threads", 1, 256, 1, whole=True)
    core = fields.number("core", 0, 1023, -1, whole=True)
    if core >= 0 and share in entry:
        fields.fail("core", f'It has "{share}", too.', "Give one of them.")
    cpu = 1 if core >= 0 else fields.number(share, 0.001, 1000) if auto else fields.number(share, LEAST_CPU, 256)
    return Device(name, f"10.77.0.{11 + index}", cpu, threads, fields.memory("memory"), fields.rate("up", link),
                  fields.rate("down", link), core)


def scale(devices, cores, memory):
    """Turns relative speeds into cores, and memory limits into what the machine can give; ratios stay."""
    factor = min(USABLE * cores / sum(device.cpu for device in devices),
                 min(device.threads / device.cpu for device in devices))
    shrink = min(1, USABLE * memory / max(1, sum(device.memory for device in devices)))
    for device in devices:
        device.cpu = round(device.cpu * factor, 4)
        device.memory = int(device.memory * shrink)


def seat(devices, where, cores):
    """Gives each device with a quota a core: the largest first, each to the core with the most left."""
    taken = {device.core for device in devices}
    left = {core: 1.0 for core in range(cores) if core not in taken}
    for device in sorted((each for each in devices if each.core < 0), key=lambda each: -each.cpu):
        core = max(left, key=left.get, default=None)
        if core is None or device.threads > 1 or device.cpu > left[core] + 1e-6:
            raise LabError(f"{where}: {device.name} cannot stay on a core.",
                           f"It has {device.cpu:g} cores and {device.threads} threads; "
                           f"{max(left.values(), default=0):g} of a core is left.",
                           'Leave out "stay", or give it less "cpu" and one thread.')
        device.stays_on = core
        left[core] -= device.cpu


def check(devices, where, cores, memory):
    for device in devices:
        if device.cpu < LEAST_CPU:
            raise LabError(f"{where}: {device.name} would get {device.cpu:.3f} cores of this machine's {cores}.",
                           f"The kernel gives {LEAST_CPU} at least (1 ms of every 10 ms).",
                           "Take fewer devices, nearer speeds, or a machine with more cores.")
        if device.cpu > device.threads:
            raise LabError(f"{where}: {device.name} has {device.cpu:g} cores and {device.threads} threads.",
                           "It could never use them.", 'Give it more "threads" or less "cpu".')
        if device.memory and not LEAST_MEMORY <= device.memory <= memory:
            raise LabError(f"{where}: {device.name} would have {device.memory / 1e6:.0f} MB of memory.",
                           f"Possible are {LEAST_MEMORY / 1e6:.0f} MB to this machine's {memory / 1e6:.0f} MB.",
                           'Change its "memory".')
    pinned = [device.core for device in devices if device.core >= 0]
    for device in devices:
        if device.core >= cores or (device.core >= 0 and pinned.count(device.core) > 1):
            raise LabError(f"{where}: {device.name} cannot have core {device.core}.",
                           f"The machine has cores 0 to {cores - 1}, one device each.", 'Change its "core".')
    total = sum(device.cpu for device in devices if device.core < 0)
    if total > USABLE * (cores - len(pinned)) + 1e-3:
        raise LabError(f"{where}: all devices together have {total:g} cores.",
                       f"At most {USABLE * (cores - len(pinned)):g} of this machine's {cores} are for devices.",
                       'Give them less "cpu", or use "scale": "auto".')
