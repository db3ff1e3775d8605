"""The libraries that programs of Debian need, and which of them nobody takes anything from."""
import os
import pathlib
import subprocess

from elf import Elf, stop

# Debian's LibTorch names image, video and map libraries that it takes nothing from: 230 of them, with all that they need.
PRUNED = "libtorch_cpu.so."


class Debian:
    """Where libraries are looked up: this computer, or one in a folder."""

    def __init__(self, root, multiarch):
        self.root, self.multiarch = root, multiarch
        self.folders = [f"/lib/{multiarch}", f"/usr/lib/{multiarch}", "/lib", "/usr/lib"]

    def resolve(self, path):
        """The file itself, on this computer; links lead from the root of that Debian."""
        path = pathlib.PurePosixPath(path)
        done, left, steps = pathlib.PurePosixPath("/"), list(path.parts[1:]), 0
        while left:
            part = left.pop(0)
            if part == "..":
                done = done.parent
                continue
            here = pathlib.Path(str(self.root) + str(done / part))
            if here.is_symlink():
                steps += 1
                if steps > 40:
                    return None
                target = pathlib.PurePosixPath(os.readlink(here))
                if target.is_absolute():
                    done, left = pathlib.PurePosixPath("/"), list(target.parts[1:]) + left
                else:
                    left = list(target.parts) + left
            else:
                done = done / part
        found = pathlib.Path(str(self.root) + str(done))
        return found if found.is_file() else None

    def library(self, name, run_path):
        for folder in [*run_path, *self.folders]:
            if found := self.resolve(f"{folder}/{name}"):
                return found
        stop(f"{name} was not found in {self.root or '/'}.")

    def copyrights(self, files):
        """{package: its file} of the packages that brought these files."""
        inside = [str(file)[len(str(self.root)):] for file in files]
        # Since /usr was merged a file goes by either name.
        both = inside + ["/usr" + path if not path.startswith("/usr/") else path[4:] for path in inside]
        done = subprocess.run(["dpkg-query", f"--admindir={self.root}/var/lib/dpkg", "--search", "--", *both],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        packages = {line.split(": ")[0].split(",")[0].split(":")[0] for line in done.stdout.splitlines()}
        texts = {package: self.resolve(f"/usr/share/doc/{package}/copyright") for package in packages}
        return {package: text for package, text in texts.items() if text}


def gather(debian, starts, cut=lambda user, library: False):
    """{name: Elf} of everything that these need, but themselves; and the same of what was cut off, without what only that
    needs. A user no longer needs what was cut off from it."""
    found, without, left = {}, {}, list(starts)
    while left:
        user = left.pop()
        needed = []
        for name in user.needed_first:
            library = found.get(name) or without.get(name) or Elf(debian.library(name, user.run_path))
            if cut(user, library):
                without[name] = library
                continue
            needed.append(name)
            if name not in found:
                found[name] = library
                left.append(library)
        user.needed = needed
    return found, {name: library for name, library in without.items() if name not in found}


def prune(debian, starts):
    """What `gather` finds once the libraries that LibTorch names and takes nothing from are left out; and these. One stays
    where anybody who stays takes a symbol from it, or from what only it needs."""
    wanted_back = set()

    def unused(user, library):
        return (user.path.name.startswith(PRUNED) and not library.path.name.startswith("ld-linux") and
                library.path not in wanted_back and not user.wanted & library.offered)

    while True:
        kept, without = gather(debian, starts, unused)
        missing = missing_symbols([*starts, *kept.values()])
        back = {library.path for library in without.values() if missing and missing & offered_below(debian, library)}
        if not back:
            return kept, without
        wanted_back |= back


def offered_below(debian, library):
    return set().union(library.offered, *(each.offered for each in gather(debian, [library])[0].values()))


def missing_symbols(files):
    return set().union(*(file.wanted for file in files)) - set().union(*(file.offered for file in files))


def check_complete(files):
    """Every symbol that one of them wants, another one has."""
    offered = set().union(*(file.offered for file in files))
    for file in files:
        if missing := sorted(file.wanted - offered):
            stop(f"{file.path.name} would miss {', '.join(missing[:5])}.")
