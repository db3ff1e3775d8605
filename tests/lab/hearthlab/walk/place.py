"""A home of two computers: "laptop", which has Hearth, and "nano", which is bare."""
import json
import os
import re
import subprocess

from .. import lifetime
from ..errors import LabError
from ..home import read_home
from ..machine import cores, memory_bytes, wait_until
from ..places import Lab

LAB = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))), "lab")
COUNT = 0  # of labs that this process made; each has a name of its own


class Place:
    """One lab that is up while it is used as a context."""

    first, bare = "laptop", "nano"

    def __init__(self, programs, rate):
        global COUNT
        COUNT += 1
        self.lab = Lab(f"walk{os.getpid()}-{COUNT}")
        self.programs = lifetime.find_programs(programs)
        # A core each, where there are two: agents that were not told count the cores, and know of no quota.
        names = (self.first, self.bare)
        home = ({"scale": "none", "devices": [{"name": name, "core": core} for core, name in enumerate(names)]}
                if cores() > 1 else {"scale": "auto", "devices": [{"name": name, "speed": 1} for name in names]})
        self.devices = read_home({"format": "hearth-lab/1", "link": rate, **home}, "the home of the walk", cores(),
                                 memory_bytes())
        self.env = {**os.environ, "HEARTH_LAB": self.lab.name}

    def __enter__(self):
        lifetime.up(self.lab, self.devices, "walk", self.programs, False)
        try:
            # SSH looks for its folder where the accounts say, whatever HOME is. What lies in /root stays in sight: it may be
            # this checkout.
            home = self.lab.device_dir(self.first, "home")
            os.makedirs(os.path.join(home, ".ssh"), mode=0o700)
            accounts = os.path.join(home, "passwd")
            with open("/etc/passwd") as there, open(accounts, "w") as own:
                own.write(re.sub(r"^(root:(?:[^:]*:){4})[^:]*", lambda root: root[1] + home, there.read(), flags=re.M))
            os.chmod(accounts, 0o644)
            self.run(self.first, "mount", "-n", "--bind", accounts, "/etc/passwd")
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        lifetime.end(self.lab)

    def exec_words(self, device, *words):
        return [LAB, "exec", device, "--", *words]

    def run(self, device, *words, check=True, seconds=600):
        try:
            done = subprocess.run(self.exec_words(device, *words), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  env=self.env, timeout=seconds)
        except subprocess.TimeoutExpired:
            raise LabError(f"\"{' '.join(words)}\" did not end within {seconds} s on {device}.") from None
        if check and done.returncode != 0:
            said = (done.stderr.strip() or done.stdout.strip())[-600:]
            raise LabError(f"\"{' '.join(words)}\" failed on {device}.", said)
        return done

    def hearth(self, *words):
        return self.run(self.first, "hearth", *words).stdout

    def file(self, name, value):
        path = self.lab.path(name)
        with open(path, "w") as file:
            json.dump(value, file)
        return path

    def expect_ready(self, *names):
        """Those are the devices of this home that are ready, as soon as their workers have ended and links stand."""
        wait_until(lambda: self.ready_devices() == sorted(names), 300,
                   lambda: f"ready are {self.ready_devices()}, and not {sorted(names)}", pause=0.2)

    def ready_devices(self):
        listed = json.loads(self.hearth("devices", "--json"))["devices"]
        return sorted(each["name"] for each in listed if each["state"] == "ready")
