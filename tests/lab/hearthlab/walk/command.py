"""The command line of the walk. Exit status: 0 all of it went well, 1 something did not, 2 wrong usage."""
import argparse
import os
import shutil
import signal
import sys
import tempfile

from .. import lifetime, machine
from ..errors import LabError
from ..processes import run_tool
from . import bare, terminal, window
from .figures import Figures
from .place import Place

FEW_ROUNDS = 3


def build_parser():
    parser = argparse.ArgumentParser(prog="walk_install", description="Installs Hearth by SSH on a bare computer of a lab "
                                     "and trains there, from the terminal and from the window, and says how long it took.")
    parser.add_argument("--programs", metavar="DIR", help="build folder with Hearth's programs ($HEARTH_BIN_DIR)")
    parser.add_argument("--package", metavar="FILE", help="hearth-agent_*.deb; made of the build folder where none is given")
    parser.add_argument("--rate", default="100mbit", help="of both links (100mbit)")
    parser.add_argument("--rounds", type=int, default=20, help="to be trained (20)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--only", choices=["terminal", "window"], help="one part")
    which.add_argument("--quick", action="store_true", help="the wizard, and what follows in the terminal, with few rounds")
    parser.add_argument("--pictures", metavar="DIR", help="where those of the window go; nowhere unless given")
    parser.add_argument("--language", default="en", help="of the window (en)")
    parser.add_argument("--dark", action="store_true", help="a dark window")
    parser.add_argument("--size", default="1280x800", help="of the window (1280x800)")
    return parser


def make_package(programs, folder):
    """Of a build folder; quickly, with a weaker compression than the one that is given away."""
    config = os.path.join(os.path.dirname(programs), "CPackConfig.cmake")
    if not os.path.exists(config):
        raise LabError("There is no package of hearth-agent.", f"{config} does not exist.",
                       "Give one with --package, or a build folder with --programs.")
    run_tool("cpack", "--config", config, "-B", folder, "-D", "CPACK_COMPONENTS_ALL=agent", "-D",
             "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")
    return next(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("hearth-agent_"))


def walk(options, folder):
    programs = lifetime.find_programs(options.programs)
    package = os.path.abspath(options.package) if options.package else make_package(programs, os.path.join(folder, "debs"))
    figures = Figures()
    figures.say(f"{os.path.basename(package)}, {os.path.getsize(package) / 2**20:.1f} MiB, over {options.rate}")
    if options.quick:
        with Place(programs, options.rate) as place:
            bare_computer = window.begin(place, package, 0, options, figures)
            terminal.bring_key(place, bare_computer)
            terminal.use(place, bare_computer, package, FEW_ROUNDS, figures)
        return
    if options.only != "window":
        with Place(programs, options.rate) as place:
            bare_computer = terminal.begin(place, package, figures)
            terminal.use(place, bare_computer, package, options.rounds, figures)
    if options.only != "terminal":
        with Place(programs, options.rate) as place:
            window.begin(place, package, options.rounds, options, figures)


def main(arguments):
    options = build_parser().parse_args(arguments)
    if options.rounds < 1:
        build_parser().error("rounds start at 1")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix="hearth-walk-")
    try:
        machine.require_machine()
        if reason := bare.missing() or (options.only != "terminal" and window.missing()):
            raise LabError(reason)
        walk(options, folder)
        return 0
    except LabError as error:
        print(f"walk_install: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        shutil.rmtree(folder, ignore_errors=True)
