"""A bare machine: the repository as a newcomer clones it, under root's home in a Debian that has nothing, and its two commands."""
import re
import subprocess

import debs

CLONE = "root/hearth"
COMMANDS = (("./app/run", "--headless", "--rounds", "60"), ("./tests/run",))


def check(chroot, source, ccache=None):
    chroot.is_machine = True
    # Devices, and what the lab makes cgroups with, are a machine's.
    chroot.mounts += ['mount --rbind /dev "$0/dev"', 'mount --rbind /sys/fs/cgroup "$0/sys/fs/cgroup"']
    (chroot.root / "root").chmod(0o700)
    if ccache:
        (chroot.root / "root/.cache/ccache").mkdir(parents=True)
        chroot.mounts.append(f'mount --bind "{ccache}" "$0/root/.cache/ccache"')
    debs.run("git", "clone", "--quiet", "--no-hardlinks", source, chroot.root / CLONE)
    for command in COMMANDS:
        print(f"bare: {' '.join(command)}", flush=True)
        left_out = skipped(run(chroot, command))
        if left_out:
            raise AssertionError(f"these tests were left out: {', '.join(left_out)}")


def run(chroot, command):
    """What it says, shown as it comes."""
    said = []
    words = chroot.command("sh", "-c", f'cd /{CLONE} && exec "$@"', "sh", *command)
    with subprocess.Popen(words, env=chroot.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            said.append(line)
    if process.returncode != 0:
        raise AssertionError(f"{' '.join(command)} ended with {process.returncode}")
    return said


def skipped(lines):
    """The tests that ctest names at its end as not run."""
    found = (re.match(r"\s*\d+ - (\S+) \((?:Skipped|Not Run|Disabled)\)", line) for line in lines)
    return [match[1] for match in found if match]
