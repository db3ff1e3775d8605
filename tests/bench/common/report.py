"""What benchmarks print: the machine, medians with their spread, figures beside their targets; and their parts."""
import os
import signal
import statistics
import sys

from home import Failed

PROGRAMS = ("hearth", "hearth-agent", "hearth-coordinator", "hearth-worker")


def machine():
    with open("/proc/cpuinfo") as text:
        model = next((line.split(":")[1].strip() for line in text if line.startswith("model name")), "unknown")
    return f"{os.cpu_count()} cores ({model}), Linux {os.uname().release}, load {os.getloadavg()[0]:.1f}"


def spread(values, unit="", digits=0):
    return f"{statistics.median(values):.{digits}f}{unit} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def judged(what, value, target, most=False, digits=2):
    """Prints a figure that should be the target at least, or with `most` at most; what fell short of it."""
    met = value <= target if most else value >= target
    print(f"    {what:<46} {value:6.{digits}f}   target {target:.{digits}f}   {'met' if met else 'NOT MET'}", flush=True)
    return [] if met else [f"{what}: {value:.{digits}f} of {target:.{digits}f}"]


def chosen(parser, options, parts):
    """The parts that "--only" names, in its order."""
    unknown = [each for each in options.only.split(",") if each not in parts]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; there are {','.join(parts)}")
    return options.only.split(",")


def run_parts(names, parts, options):
    """Runs them one after the other, each of which returns what fell short of its target; ends the program."""
    if os.geteuid() != 0:
        sys.exit("The benchmark needs root: it makes an emulated home.")
    for program in PROGRAMS:
        if not os.path.exists(os.path.join(options.programs, "bin", program)):
            sys.exit(f"There is no bin/{program} in {options.programs}. Build Hearth, or name its folder with --programs.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(machine())
    missed = []
    for name in names:
        print(f"\n{parts[name].__doc__}", flush=True)
        try:
            missed += parts[name](options)
        except (Failed, FileNotFoundError) as failure:
            if isinstance(failure, FileNotFoundError):
                failure = f"{failure.filename} is missing; `ninja -C {options.programs} all tests/bench/all` builds it"
            print(f"    failed: {failure}")
            missed.append(f"{name}: {failure}")
    print("\nAll targets are met." if not missed else "\nBelow target:\n  " + "\n  ".join(missed))
    return 1 if missed else 0
