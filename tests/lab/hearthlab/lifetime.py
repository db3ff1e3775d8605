"""Brings a lab up and takes it down again, also one that a crash has left."""
import contextlib
import os
import signal
import subprocess
import sys

from . import hosts, machine, network, pairing, settings
from .cgroups import LEAVES, find_cgroups
from .errors import LabError
from .keeper import ask, last_words
from .machine import wait_until
from .processes import join


def find_programs(given):
    """The folder of Hearth's programs, from a build folder or its bin."""
    source = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", ".."))
    places = [given] if given else [os.environ.get("HEARTH_BIN_DIR"), f"{source}/build/ci", f"{source}/build/release"]
    for place in filter(None, places):
        for folder in (os.path.abspath(place), os.path.join(os.path.abspath(place), "bin")):
            if os.access(os.path.join(folder, "hearth-agent"), os.X_OK):
                return folder
    raise LabError("The program hearth-agent was not found.", f"Looked in: {', '.join(filter(None, places))}.",
                   "Build Hearth, name its folder with --programs, or take --no-agents.")


def up(lab, devices, home, programs, with_agents):
    """Everything is there and linked when it returns; on any error nothing is left."""
    lab.claim(devices, programs, home)
    try:
        lab.about["agents"] = with_agents
        lab.save()
        build(lab)
    except BaseException:
        with uninterrupted():
            remove(lab)
        raise


def end(lab):
    """Of a program that has made the lab for itself."""
    with uninterrupted(), lab.lock():
        remove(lab)


@contextlib.contextmanager
def uninterrupted():
    """A second Ctrl-C must not leave half a lab."""
    before = {each: signal.signal(each, signal.SIG_IGN) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def build(lab):
    cgroups = find_cgroups(lab.name)
    if cgroups.exists():
        raise LabError(f"The cgroup {cgroups.exists()[0]} exists already.", "This lab did not make it.",
                       "Choose another --name, or end its processes and remove it with rmdir.")
    lab.record("cgroups", lab.name)
    make_cgroups(lab, cgroups)
    network.make_network(lab)
    for device in lab.devices:
        hosts.write_files(lab, device.name)
        settings.apply(lab, cgroups, device.name)
    lab.about["owner"] = start_keeper(lab, cgroups)
    lab.save()
    wait_for_hosts(lab)
    if lab.about["agents"]:
        pairing.pair(lab)
        ask(lab, "start")
        pairing.wait_until_linked(lab)
    lab.about["stage"] = "up"
    lab.save()


def make_cgroups(lab, cgroups):
    cgroups.make()
    cgroups.prepare()
    cgroups.make("keeper")
    for device in lab.devices:
        cgroups.make(device.name)
        cgroups.set_memory(device.name, device.memory)
        for leaf in LEAVES:
            cgroups.make(f"{device.name}/{leaf}")


def start_keeper(lab, cgroups):
    program = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "lab")
    with open(lab.path("keeper.log"), "ab") as log:
        keeper = subprocess.Popen([sys.executable, program, "keeper", lab.name], stdin=subprocess.DEVNULL, stdout=log,
                                  stderr=log, start_new_session=True, cwd="/",
                                  preexec_fn=lambda: join(cgroups, "keeper"))
    return machine.identity(keeper.pid)


def wait_for_hosts(lab):
    def ready():
        if not machine.is_alive(lab.about["owner"]):
            with open(lab.path("keeper.log"), errors="replace") as log:
                raise LabError("The lab's keeper has ended.", " / ".join(log.read().strip().splitlines()[-3:]))
        try:
            status = ask(lab, "status")
        except LabError:
            return False  # it does not listen yet
        for device, services in status["services"].items():
            for name, service in services.items():
                if service["state"] == "failed":
                    raise LabError(f"{name} does not run on {device}.", last_words(lab, device, name))
        return all(hosts.has_bus(holder["pid"]) and hosts.has_avahi(holder["pid"])
                   for holder in status["holders"].values())

    wait_until(ready, 180, "the devices' buses are not all up")


def remove(lab):
    """Ends all processes of a lab and removes what it made; does no harm where that is partly or wholly done."""
    lab.load()
    owner = lab.about.get("owner")
    same_boot = lab.about.get("boot", machine.boot_id()) == machine.boot_id()
    if same_boot and machine.is_alive(owner) and owner["pid"] != os.getpid():
        end_owner(owner)
    if lab.made("cgroups"):
        cgroups = find_cgroups(lab.name)
        cgroups.thaw_all("")
        cgroups.remove()
    network.remove_network(lab)
    lab.forget_folder()


def end_owner(owner):
    """The keeper ends its children itself, and then needs no other to wait for them."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(owner["pid"], signal.SIGTERM)
    with contextlib.suppress(LabError):
        wait_until(lambda: not machine.is_alive(owner), 60, "")
