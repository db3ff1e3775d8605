"""What an ELF file needs and offers, as readelf prints it; for any architecture."""
import functools
import pathlib
import re
import subprocess
import sys

_dynamic = re.compile(r"\((NEEDED|SONAME|RPATH|RUNPATH)\).*\[(.*)\]")


def stop(why):
    raise SystemExit(f"{pathlib.Path(sys.argv[0]).name}: {why}")


def _readelf(path, *options):
    done = subprocess.run(["readelf", "--wide", *options, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace")
    if done.returncode != 0:
        stop(f"readelf cannot read {path}: {done.stderr.strip()}")
    return done.stdout


class Elf:
    """`needed` may be shortened; `needed_first` stays what the file says."""

    def __init__(self, path):
        self.path = path
        self.needed, self.run_path, self.has_run_path = [], [], False
        for kind, value in _dynamic.findall(_readelf(path, "--dynamic")):
            if kind == "NEEDED":
                self.needed.append(value)
            elif kind != "SONAME":
                self.has_run_path = True
                # What is relative to the file is rare, and looked up in the system's folders.
                self.run_path += [folder for folder in value.split(":") if folder.startswith("/")]
        self.needed_first = list(self.needed)

    @functools.cached_property
    def _symbols(self):
        wanted, offered = set(), set()
        for line in _readelf(self.path, "--dyn-syms").splitlines():
            words = line.split()
            # Num: Value Size Type Bind Vis Ndx Name[@VERSION | @@VERSION] [(n)]
            if len(words) < 8 or not words[0].endswith(":") or words[4] not in ("GLOBAL", "WEAK", "UNIQUE"):
                continue
            # A library that was linked without versions finds what has one.
            name = words[7].split("@")[0]
            if words[6] != "UND":
                offered.add(name)
            elif words[4] == "GLOBAL":
                wanted.add(name)
        return wanted, offered

    @property
    def wanted(self):
        return self._symbols[0]

    @property
    def offered(self):
        return self._symbols[1]
