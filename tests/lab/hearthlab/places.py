"""Where a lab keeps what: names of namespaces, folders and files, and the record of what was made.

One folder per lab, /run/hearth-lab/NAME or $HEARTH_LAB_DIR/NAME:

    lab.json        who owns the lab, its devices, its programs
    made.jsonl      what was made, one line each, written before it is made
    settings.json   what differs from the home file: addresses, rates, cuts, slowness
    keeper.sock     where the lab's keeper listens; keeper.log
    devices/X/      home (of the device's programs, with the agent's state), logs, configuration of its buses
"""
import contextlib
import fcntl
import json
import os
import shutil
from dataclasses import asdict

from . import machine
from .errors import LabError
from .home import NAME, Device

LONGEST_NAME = 24


def base_dir():
    return os.path.abspath(os.environ.get("HEARTH_LAB_DIR", "/run/hearth-lab"))


def lab_names():
    try:
        entries = sorted(os.scandir(base_dir()), key=lambda entry: entry.name)
    except FileNotFoundError:
        return []
    return [entry.name for entry in entries if entry.is_dir() and NAME.fullmatch(entry.name)]


def save_json(path, value):
    with open(path + ".new", "w") as file:
        json.dump(value, file, indent=1)
    os.replace(path + ".new", path)


class Lab:
    """One lab's folder; it need not exist."""

    def __init__(self, name):
        if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
            raise LabError(f"A lab cannot be called {name!r}.", "",
                           f"Use 1 to {LONGEST_NAME} small letters, digits and inner hyphens.")
        self.name = name
        self.dir = os.path.join(base_dir(), name)
        self.about = {}
        self.devices = []

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def device_dir(self, device, *parts):
        return self.path("devices", device, *parts)

    def state_dir(self, device):
        """Of the device's agent: the default one of its HOME."""
        return self.device_dir(device, "home", ".local", "share", "hearth")

    @property
    def switch(self):
        """The namespace of the bridge."""
        return f"hl.{self.name}"

    def namespace(self, device):
        return f"hl.{self.name}.{device}"

    def exists(self):
        return os.path.isdir(self.dir)

    def claim(self, devices, programs, home):
        """Makes the folder; of two that try at the same time one succeeds."""
        os.makedirs(base_dir(), mode=0o755, exist_ok=True)
        try:
            os.mkdir(self.dir, 0o755)
        except FileExistsError:
            raise LabError(*self.describe_existing()) from None
        self.devices = devices
        self.about = {"format": "hearth-lab-state/1", "home": home, "programs": programs, "boot": machine.boot_id(),
                      "builder": machine.identity(os.getpid()), "owner": machine.identity(os.getpid()),
                      "stage": "starting", "agents": False}
        self.save()
        self.save_settings({})

    def save(self):
        save_json(self.path("lab.json"), {**self.about, "devices": [asdict(device) for device in self.devices]})

    def load(self):
        """False where a crash has left no readable record."""
        try:
            with open(self.path("lab.json")) as file:
                self.about = json.load(file)
            self.devices = [Device(**device) for device in self.about.pop("devices")]
            return True
        except (OSError, ValueError, KeyError, TypeError):
            self.about, self.devices = {}, []
            return False

    @property
    def is_starting(self):
        return self.about.get("stage") == "starting"

    def is_stale(self):
        """Left by a crash: of the machine, of the lab's owner, or of the `up` that had not finished."""
        needed = [self.about.get("owner")] + ([self.about.get("builder")] if self.is_starting else [])
        return self.about.get("boot") != machine.boot_id() or not all(map(machine.is_alive, needed))

    def describe_existing(self):
        down = f"lab down {self.name}"
        if not self.load():
            return f"The lab {self.name} was left unfinished.", "Its record cannot be read.", f"Remove it: {down}"
        owner = self.about["builder" if self.is_starting else "owner"]["pid"]
        if self.is_stale():
            return (f"The lab {self.name} was left by process {owner}, which is gone.", "It crashed or was killed.",
                    f"Remove it: {down}")
        if self.is_starting:
            return f"The lab {self.name} is being set up by process {owner}.", "", f"Wait for it, or remove it: {down}"
        return (f"The lab {self.name} is up already (process {owner}).", "",
                f"Use it, remove it ({down}), or choose another --name.")

    def device(self, name):
        for device in self.devices:
            if device.name == name:
                return device
        raise LabError(f"The lab {self.name} has no device {name!r}.", "",
                       f"It has: {', '.join(device.name for device in self.devices)}.")

    @contextlib.contextmanager
    def lock(self):
        """One command at a time changes a lab."""
        with open(self.path("lock"), "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    # What was made

    def record(self, kind, name):
        """To be called before the thing is made, and after it was seen not to exist."""
        with open(self.path("made.jsonl"), "a") as file:
            file.write(json.dumps({"kind": kind, "name": name}) + "\n")

    def made(self, kind):
        """Newest first. A line that a crash has cut off was not followed by its thing."""
        names = []
        with contextlib.suppress(FileNotFoundError), open(self.path("made.jsonl")) as file:
            for line in file:
                with contextlib.suppress(ValueError, KeyError):
                    entry = json.loads(line)
                    if entry["kind"] == kind:
                        names.append(entry["name"])
        return list(reversed(names))

    def forget_folder(self):
        shutil.rmtree(self.dir, ignore_errors=True)
        if os.path.exists(self.dir):
            raise LabError(f"The folder {self.dir} could not be removed.", "", "Remove it by hand.")
        with contextlib.suppress(OSError):
            os.rmdir(base_dir())  # succeeds for the last one only

    # What differs from the home file

    def settings(self):
        try:
            with open(self.path("settings.json")) as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}

    def save_settings(self, settings):
        save_json(self.path("settings.json"), settings)
