"""The lab's command line. Exit status: 0 done, 1 failed, 2 wrong usage; `exec` ends with its program's own."""
import argparse
import json
import os
import signal
import sys

import hearthlab

from . import lifetime, machine, places, settings
from .cgroups import find_cgroups
from .errors import LabError
from .home import load_home
from .keeper import Keeper, ask
from .network import check_address
from .processes import enter, environment, join, namespace_paths, pin
from .rates import parse_rate
from .status import describe, status_of, workers


def build_parser():
    parser = argparse.ArgumentParser(prog="lab", description=hearthlab.__doc__)
    parser.add_argument("--lab", metavar="NAME", default=os.environ.get("HEARTH_LAB"),
                        help="which lab; needed where there are several ($HEARTH_LAB)")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name, text, *device):
        command = commands.add_parser(name, help=text, description=text)
        for each in device:
            command.add_argument(each, metavar=each.upper())
        return command

    up = add("up", "Make the home of a file, with an agent on each device.")
    up.add_argument("home", metavar="HOME.json")
    up.add_argument("--name", help="of the lab; the file's name unless given")
    up.add_argument("--programs", metavar="DIR", help="build folder with Hearth's programs ($HEARTH_BIN_DIR)")
    up.add_argument("--no-agents", action="store_true", help="hosts only")
    down = add("down", "End a lab's processes and remove all that it made, also after a crash.")
    down.add_argument("name", nargs="?")
    down.add_argument("--all", action="store_true")
    add("status", "Say what there is.").add_argument("--json", action="store_true")
    execute = add("exec", "Run a program on a device.", "device")
    execute.add_argument("words", nargs=argparse.REMAINDER, metavar="-- PROGRAM ...")
    add("address", "Give a device another address, for instance 10.77.0.99, or none.", "device", "address")
    rate = add("rate", "Set the rate of a device's link, for instance 100mbit.", "device")
    rate.add_argument("rate")
    rate.add_argument("--up", action="store_true", help="only what it sends")
    rate.add_argument("--down", action="store_true", help="only what it receives")
    cut = add("cut", "Swallow all that a device sends and receives.", "device")
    cut.add_argument("--in", action="store_true", dest="into", help="only what it receives")
    cut.add_argument("--out", action="store_true", help="only what it sends")
    add("mend", "Undo a cut.", "device")
    add("freeze", "Stop a device's agent and its children where they are.", "device")
    add("thaw", "Let a frozen device go on.", "device")
    add("kill", "Kill a device's agent with its children; it stays down until start.", "device").add_argument(
        "--worker", action="store_true", help="only its workers")
    add("start", "Start a device's agent again.", "device")
    add("slow", "Divide a device's share of the processor.", "device").add_argument("factor", type=float)
    add("restore", "Give a device its original address, rates and share, mend, thaw and start it.", "device")
    return parser


def chosen_lab(name):
    """The lab to work on; it is up and its keeper lives."""
    names = places.lab_names()
    if not name and len(names) != 1:
        raise LabError("Which lab?" if names else "There is no lab.", "",
                       f"Name one with --lab: {', '.join(names)}." if names else "Make one: lab up HOME.json")
    lab = places.Lab(name or names[0])
    if not lab.exists():
        raise LabError(f"There is no lab {lab.name}.", "",
                       f"There are: {', '.join(names)}." if names else "Make one: lab up HOME.json")
    if not lab.load() or lab.is_stale() or lab.is_starting:
        raise LabError(*lab.describe_existing())
    return lab


def up(options):
    machine.require_machine()
    devices = load_home(options.home)
    name = options.name or os.path.splitext(os.path.basename(options.home))[0].lower()
    lab = places.Lab(name)
    for other in places.lab_names():
        if other != name and (not (each := places.Lab(other)).load() or each.is_stale()):
            print(f"lab: {' '.join(part for part in each.describe_existing() if part)}", file=sys.stderr)
    programs = None if options.no_agents else lifetime.find_programs(options.programs)
    if options.no_agents and options.programs:
        programs = lifetime.find_programs(options.programs)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    lifetime.up(lab, devices, os.path.abspath(options.home), programs, not options.no_agents)
    print(describe(status_of(lab)))


def down(options):
    machine.require_root()
    if options.all and options.name:
        raise LabError("Give a name or --all, not both.")
    name = options.name or options.lab
    names = places.lab_names()
    if not options.all and not name:
        if len(names) > 1:
            raise LabError("Which lab?", "", f"Name one of {', '.join(names)}, or take --all.")
        if not names:
            raise LabError("There is no lab.", "Nothing is left to remove.")
    for each in names if options.all else [name or names[0]]:
        lab = places.Lab(each)
        if not lab.exists():
            raise LabError(f"There is no lab {each}.", "",
                           f"There are: {', '.join(names)}." if names else "Nothing is left to remove.")
        with lab.lock():
            lifetime.remove(lab)
        print(f"{each}: removed")


def status(options):
    labs = [places.Lab(name) for name in ([options.lab] if options.lab else places.lab_names())]
    if options.lab and not labs[0].exists():
        raise LabError(f"There is no lab {options.lab}.", "", "Make one: lab up HOME.json")
    for lab in labs:
        lab.load()
    found = [status_of(lab) for lab in labs]
    if options.json:
        print(json.dumps(found[0] if options.lab else found))
    else:
        print("\n".join(describe(each) for each in found) or "There is no lab.")


def execute(options):
    words = options.words[1:] if options.words[:1] == ["--"] else options.words
    if not words:
        raise LabError("What is to be run?", "", f"Write: lab exec {options.device} -- PROGRAM ARGUMENTS")
    lab = chosen_lab(options.lab)
    device = lab.device(options.device).name
    holder = ask(lab, "status")["holders"][device]
    if not machine.is_alive(holder):
        raise LabError(f"{device} has lost its namespaces.", "Their holder was killed.",
                       f"Remove the lab: lab down {lab.name}")
    folder = os.getcwd()
    env = environment(lab, device)
    join(find_cgroups(lab.name), f"{device}/exec")
    enter(namespace_paths(lab, device, holder["pid"]), folder)
    pin(lab, device)
    try:
        os.execvpe(words[0], words, env)
    except OSError as error:
        raise LabError(f"{words[0]} could not be run on {device}.", f"{error.strerror}.") from None


def on_device(options):
    """Those that change one device, one at a time."""
    lab = chosen_lab(options.lab)
    device = lab.device(options.device).name
    cgroups = find_cgroups(lab.name)
    with lab.lock():
        CHANGES[options.command](options, lab, device, cgroups)


def address(options, lab, device, cgroups):
    wanted = "" if options.address == "none" else options.address
    if wanted:
        check_address(lab, device, wanted)
    settings.change(lab, cgroups, device, address=wanted)


def rate(options, lab, device, cgroups):
    bits = parse_rate(options.rate)
    both = options.up == options.down
    changes = {way: bits for way in ("up", "down") if both or getattr(options, way)}
    settings.change(lab, cgroups, device, **changes)


def cut(options, lab, device, cgroups):
    both = options.into == options.out
    changes = {key: True for key, wanted in (("cut_in", options.into), ("cut_out", options.out)) if both or wanted}
    settings.change(lab, cgroups, device, **changes)


def mend(options, lab, device, cgroups):
    settings.change(lab, cgroups, device, cut_in=False, cut_out=False)


def freeze(options, lab, device, cgroups):
    cgroups.freeze(f"{device}/agent", True)


def thaw(options, lab, device, cgroups):
    cgroups.freeze(f"{device}/agent", False)


def kill(options, lab, device, cgroups):
    if not options.worker:
        ask(lab, "kill", device=device)
        return
    pids = workers(cgroups, device)
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    print(f"{device}: killed {len(pids)} worker{'s' * (len(pids) != 1)}")


def start(options, lab, device, cgroups):
    ask(lab, "start", device=device)


def slow(options, lab, device, cgroups):
    if not 1 <= options.factor <= 1000:
        raise LabError(f"A device cannot be {options.factor:g} times slower.", "", "Give a factor from 1 to 1000.")
    settings.change(lab, cgroups, device, slow=options.factor)


def restore(options, lab, device, cgroups):
    settings.change(lab, cgroups, device, **settings.ORIGINAL)
    cgroups.freeze(f"{device}/agent", False)
    if lab.about["agents"]:
        ask(lab, "start", device=device)


def keep(name):
    """What `up` starts to run for as long as the lab exists."""
    lab = places.Lab(name)
    lab.load()
    Keeper(lab).run()


CHANGES = {"address": address, "rate": rate, "cut": cut, "mend": mend, "freeze": freeze, "thaw": thaw, "kill": kill,
           "start": start, "slow": slow, "restore": restore}
OTHERS = {"up": up, "down": down, "status": status, "exec": execute}


def main(arguments):
    try:
        if arguments[:1] == ["keeper"] and len(arguments) == 2:
            keep(arguments[1])
            return 0
        options = build_parser().parse_args(arguments)
        if "HEARTH_LAB_DEVICE" in os.environ:
            raise LabError("This is a device of a lab.", "Its commands are given on the machine itself.", "Leave it first.")
        if options.command not in ("up", "down"):
            machine.require_root()
        OTHERS.get(options.command, on_device)(options)
        return 0
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"lab: {error.filename or 'The system'}: {error.strerror}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
