"""A device in a chroot, commanded from outside it: the socket of its agent is a file."""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from chroots import PERSON

# Programs that qemu plays take a hundred times as long; a limit only ends what hangs.
PATIENCE = 1200
DATA = "usr/share/datasets/fashion-mnist"
STATE = f"home/{PERSON}/state"
# What runs where the programs of a bundle do.
LOADER = "hearth-loader"


@dataclasses.dataclass
class Profile:
    steps: int
    layers: int
    seconds: float
    libraries: set  # of the processes of a bundle

    def words(self):
        return f"{self.layers} layers in {self.steps} steps, {self.seconds:.0f} s with the starts of coordinator and worker"


def profile(programs, chroot, agent):
    """Measures fashion-cnn on the device, with agent, coordinator and worker in the chroot, by `hearth` of this computer."""
    if not (chroot.root / DATA).exists():
        shutil.copytree("/" + DATA, chroot.root / DATA)
    # No agent of a test announces itself.
    quiet = os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"}
    state = chroot.root / STATE
    with chroot.running(agent, "--state", "/" + STATE, "--listen", "127.0.0.1:0", "--no-mdns", user=PERSON) as log:
        try:
            ends = time.monotonic() + PATIENCE
            while not (state / "agent.sock").exists():
                if time.monotonic() > ends:
                    raise AssertionError("the agent does not start")
                time.sleep(0.2)
            return follow([pathlib.Path(programs) / "bin/hearth", "profile", "--state", state, "--json"], quiet, chroot)
        except AssertionError as error:
            raise AssertionError(f"{error}\nThe agent there said:\n{log.read_text()}") from None


def follow(command, environment, chroot):
    began, libraries = time.monotonic(), set()
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as wrong:
        with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=wrong) as running:
            while running.poll() is None:
                libraries |= chroot.libraries(LOADER)
                if time.monotonic() - began > PATIENCE:
                    running.kill()
                time.sleep(0.2)
        said.seek(0)
        wrong.seek(0)
        events = [json.loads(line) for line in said.read().splitlines()]
        steps = [event for event in events if event["event"] == "profile"]
        if running.returncode != 0 or not steps or steps[-1]["done"] != steps[-1]["total"]:
            raise AssertionError(f"the profile ended with {running.returncode} after {len(events)} events:\n{wrong.read()}")
    layers = next(event["model"]["layers"] for event in events if event["event"] == "run")
    return Profile(steps[-1]["total"], len(layers), time.monotonic() - began, libraries)
