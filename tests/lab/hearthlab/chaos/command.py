"""The chaos command line. Exit status: 0 all held, 1 something did not, 2 wrong usage."""
import argparse
import os
import re
import shutil
import signal
import sys
import tempfile
import time

from .. import machine
from ..errors import LabError
from .exactness import Exactness
from .modes import MODES, SYNCHRONOUS
from .place import Place
from .punisher import MOST_GROWTH, Punisher
from .recoveries import table
from .schedule import KINDS, SHAPES, check_kinds, make_schedule, make_shape

FIRST_TOUCHED = 1 << 20  # bytes of a small program's pages that only time touches


def build_parser():
    parser = argparse.ArgumentParser(prog="chaos", description="Seeded faults against a running home, and what must hold.")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--seed", type=int, metavar="N", help="one schedule")
    which.add_argument("--seeds", metavar="A-B", help="many, in one home")
    which.add_argument("--punish", type=float, metavar="SECONDS", help="random faults for so long, in one run")
    parser.add_argument("--mean", type=float, default=30, metavar="SECONDS", help="between two of them (30)")
    parser.add_argument("--calm", type=float, default=60, metavar="SECONDS", help="without any before, to compare with (60)")
    parser.add_argument("--least", type=float, default=0.7, metavar="SHARE", help="of the calm rounds per second (0.7)")
    parser.add_argument("--luck", type=int, default=1, metavar="N", help="seed of the random faults (1)")
    parser.add_argument("--shape", choices=SHAPES[1:], help="of the plan that --punish begins with; else the planner's, and "
                        "those that it finds later on")
    parser.add_argument("--faults", metavar="KIND,KIND", help=f"only these of {', '.join(KINDS)}")
    parser.add_argument("--mode", choices=MODES, default=SYNCHRONOUS, help="how it is trained")
    parser.add_argument("--devices", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--programs", metavar="DIR", help="build folder with Hearth's programs ($HEARTH_BIN_DIR)")
    parser.add_argument("--keep", metavar="DIR", help="events and logs of all runs are kept there, not only of failures")
    return parser


def seeds_of(options):
    if options.seed is not None:
        return [options.seed]
    match = re.fullmatch(r"(\d+)-(\d+)", options.seeds)
    if not match or int(match[1]) > int(match[2]):
        raise LabError(f"These are no seeds: {options.seeds}.", "", "Write the first and the last, for instance 1-15.")
    return range(int(match[1]), int(match[2]) + 1)


def reproduce(options, seed):
    """The command that plays that schedule again."""
    words = ["tests/lab/chaos", "--seed", str(seed)]
    for name, usual in (("faults", None), ("mode", SYNCHRONOUS), ("devices", 4), ("rounds", 60), ("programs", None)):
        if (value := getattr(options, name)) != usual:
            words += [f"--{name}", str(value)]
    return " ".join(words)


def kinds_of(options):
    return check_kinds(options.faults.split(",") if options.faults else KINDS)


def open_place(options, folder):
    # Its name is short: it is part of names of namespaces and of sockets.
    return Place(f"chaos{os.getpid()}", options.devices, options.programs, folder)


def punish(options, folder):
    begin = time.monotonic()

    def say(text):
        print(f"  {time.monotonic() - begin:7.1f} s {text}", flush=True)

    with open_place(options, folder) as place:
        kept = options.keep or folder
        os.makedirs(kept, exist_ok=True)
        punisher = Punisher(place, kept, options.luck, kinds_of(options), options.mean, options.shape, say)
        calm, disturbed, memory = punisher.play(options.calm, options.punish)
    wrong = punisher.wrong
    share = disturbed / calm
    print(f"rounds per second: {calm:.2f} undisturbed, {disturbed:.2f} with {punisher.struck - 1} faults: {share:.0%}")
    if share < options.least:
        wrong.append(f"{share:.0%} of the undisturbed pace, {options.least:.0%} at least were wanted")
    for program, (first, last) in memory.items():
        spans = ("before the faults", "when all was well again") if options.shape else ("in the first quarter", "in the last one")
        print(f"{program}: {first / 1e6:.1f} MB {spans[0]}, {last / 1e6:.1f} MB {spans[1]}")
        if last > first * (1 + MOST_GROWTH) + FIRST_TOUCHED:
            wrong.append(f"{program} grew by {last / first - 1:.1%}")
    print("\n".join(f"FAILED: {each}" for each in wrong) or "held")
    if wrong:
        print(f"events: {kept}\nagain: tests/lab/chaos --punish {options.punish:g} --mean {options.mean:g} --luck "
              f"{options.luck}{' --shape ' + options.shape if options.shape else ''}")
    return not wrong


def run_seeds(options, folder):
    kinds = kinds_of(options)
    seeds = seeds_of(options)
    recoveries, failed = [], []
    with open_place(options, folder) as place:
        runs = Exactness(place, folder, options.rounds, options.mode)
        print(f"undisturbed: {runs.prepare() * 1000:.0f} ms per round", flush=True)
        for seed in seeds:
            schedule = make_schedule(seed, place.names, kinds, options.rounds)
            shape = make_shape(seed)
            print(f"seed {seed}: {shape}; {'; '.join(map(str, schedule))}", flush=True)
            begin = time.monotonic()
            kept = os.path.join(options.keep or folder, f"seed-{seed}")

            def say(text, begin=begin):
                if options.seed is not None:
                    print(f"  {time.monotonic() - begin:6.1f} s {text}", flush=True)

            outcome = runs.check(shape, schedule, kept, say)
            recoveries += outcome.recoveries
            report(seed, outcome, kept, reproduce(options, seed))
            if outcome.wrong:
                failed.append(seed)
            elif not options.keep:
                shutil.rmtree(kept)
    if recoveries:
        print("\n".join(table(recoveries)))
    print(f"{len(seeds) - len(failed)} of {len(seeds)} held" + (f"; these did not: {failed}" if failed else ""))
    return not failed


def report(seed, outcome, kept, command):
    for kind, event, seconds in outcome.recoveries:
        print(f"  {kind}: term {event['term']} from version {event['from_version']} ({event['method']}), {seconds:.2f} s: "
              f"detect {event['detect_s']:.2f}, plan {event['plan_s']:.2f}, move {event['move_s']:.2f}, rebuild "
              f"{event['rebuild_s']:.2f}, replay {event['replay_s']:.2f}")
    for each in outcome.wrong:
        print(f"  FAILED: {each}")
    if outcome.wrong:
        print(f"  events and logs: {kept}\n  again: {command}")
    print(f"seed {seed}: {'FAILED' if outcome.wrong else 'held'}, {outcome.seconds:.1f} s", flush=True)


def main(arguments):
    options = build_parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix="hearth-chaos-")
    held = False
    try:
        machine.require_machine()
        held = punish(options, folder) if options.punish else run_seeds(options, folder)
        return 0 if held else 1
    except LabError as error:
        print(f"chaos: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        if held:
            shutil.rmtree(folder, ignore_errors=True)
