"""The walk in the window, on a real X server: hearth-walk clicks, waits, and takes a picture of every page."""
import json
import os
import shutil
import subprocess

from ..errors import LabError
from ..processes import die_with_parent
from .bare import PASSWORD, BareComputer
from .terminal import write_job


def missing():
    return None if shutil.which("Xvfb") else "The program Xvfb is missing. Install the package xvfb."


class Display:
    """An X server of its own, on a number that is free; ends with this process, too."""

    def __init__(self, size):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"], pass_fds=[write],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=die_with_parent)
        os.close(write)
        with os.fdopen(read) as number:
            self.name = f":{number.readline().strip()}"
        if self.name == ":":
            raise LabError("Xvfb did not start.")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def begin(place, package, rounds, options, figures):
    """The bare computer becomes a device, and trains `rounds` rounds with this one; it is returned."""
    driver = os.path.join(place.programs, "hearth-walk")
    if not os.access(driver, os.X_OK):
        raise LabError("The program hearth-walk was not found.", f"It is not in {place.programs}.",
                       "Build Hearth with its window and its tests.")
    bare = BareComputer(place, place.bare)
    job, plan = write_job(place, 100_000)
    wishes = {"host": f"root@{bare.address}", "host_key": bare.fingerprint, "password": PASSWORD, "package": package,
              "device": place.bare, "job": job, "plan": plan, "rounds": rounds, "language": options.language, "dark": options.dark,
              "size": options.size, "pictures": os.path.abspath(options.pictures) if options.pictures else ""}
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    with Display(options.size) as display:
        done = place.run(place.first, "env", f"DISPLAY={display.name}", "QT_QPA_PLATFORM=xcb", driver,
                         place.file("wishes.json", wishes), seconds=900)
    told = json.loads(done.stdout.splitlines()[-1])
    figures.add("the window, from \"Check\" to a device that is ready", told["ready_s"], 60)
    figures.add("the window, from \"Install\" to a device that is ready", told["installed_s"], 60)
    if rounds:
        figures.say(f"the window trained {told['rounds']} rounds on {told['devices']} devices")
    if options.pictures:
        figures.say(f"{told['pictures']} pictures: {options.pictures}")
    place.expect_ready(place.first, place.bare)
    return bare
