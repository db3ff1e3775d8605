"""A fresh distribution in a folder, of this processor's architecture or of one that qemu plays."""
import contextlib
import os
import pathlib
import platform
import shutil
import subprocess

import debs
import qemu

MIRROR = os.environ.get("HEARTH_MIRROR", "http://deb.debian.org/debian")
PERSON = "tester"


class Chroot:
    """Its programs see their own /proc."""

    def __init__(self, folder, architecture):
        self.root = pathlib.Path(folder)
        self.is_played = architecture != debs.architecture()
        # Shell commands with the root as "$0". LibTorch on arm64 asks /sys for the processors.
        self.mounts = ['mount -t proc proc "$0/proc"', 'mount -t sysfs -o ro sysfs "$0/sys"']
        # The root of its namespace, too: whoever enters another namespace from there, or asks how "/" is mounted, finds
        # a machine's, where a chroot has this machine's.
        self.is_machine = False

    def command(self, *words, user=None):
        # Everything that it starts ends with it, and so do its mounts.
        steps = (*self.mounts, 'exec chroot "$0" "$@"')
        if self.is_machine:
            steps = ("mount --make-rprivate /", 'mount --rbind "$0" "$0"', *self.mounts, 'cd "$0"', "mkdir -p .before",
                     "pivot_root . .before", "umount -l /.before", "cd /", 'exec "$@"')
        command = ["unshare", "--pid", "--fork", "--kill-child", "--mount", "sh", "-c", " && ".join(steps), self.root]
        if user:
            command += ["runuser", "-u", user, "--"]
        return [str(word) for word in (*command, *words)]

    def environment(self, user=None):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8",
                       "HOME": f"/home/{user}" if user == PERSON else "/root"}
        return environment | {name: os.environ[name] for name in ("http_proxy", "https_proxy") if name in os.environ}

    def run(self, *words, user=None, **options):
        return debs.run(*self.command(*words, user=user), env=self.environment(user), stdin=subprocess.DEVNULL, **options)

    def script(self, text, user=None):
        return self.run("sh", "-euc", text, user=user)

    @contextlib.contextmanager
    def running(self, *words, user=None):
        """A program that goes on until the end of the block; what it says is in the file that this gives."""
        log = self.root / "root/log"
        with open(log, "w") as output:
            process = subprocess.Popen(self.command(*words, user=user), env=self.environment(user), stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT,
                                       preexec_fn=qemu.without_pidfd if self.is_played else None)
        try:
            yield log
        finally:
            process.kill()
            process.wait()

    def files(self):
        """Paths that name Hearth."""
        said = self.run("find", "/", "-xdev", "-iname", "*hearth*", "-not", "-path", "/proc/*")
        return sorted(line for line in said.splitlines() if line.startswith("/"))

    def libraries(self, program):
        """Of its running processes that were started from a file of this name, by the paths of this machine."""
        found = set()
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            # Some end while one looks.
            with contextlib.suppress(OSError):
                words = (process / "cmdline").read_text(errors="replace").split("\0")
                if os.readlink(process / "root") == str(self.root) and any(word.endswith("/" + program) for word in words):
                    paths = (line.split(None, 5)[5:] for line in (process / "maps").read_text().splitlines())
                    found |= {path[0] for path in paths if path and ".so" in pathlib.Path(path[0]).name}
        return found


def missing(architecture):
    """What this machine lacks for one, in words; empty where all is there."""
    if os.geteuid() != 0:
        return "this needs root for a Debian of its own."
    if shutil.which("debootstrap") is None:
        return "the package debootstrap is not installed."
    if architecture == "arm64" and platform.machine() != "aarch64" and \
            not pathlib.Path("/proc/sys/fs/binfmt_misc/qemu-aarch64").exists():
        return "the kernel does not start arm64 programs by qemu (packages qemu-user-static and binfmt-support)."
    return ""


def set_up(folder, suite, architecture, mirror=None, keyring=None):
    """A minimal system with the user PERSON."""
    words = ["debootstrap", f"--arch={architecture}", "--variant=minbase", "--include=ca-certificates"]
    if keyring:
        words.append(f"--keyring={keyring}")
    debs.run(*words, suite, folder, mirror or MIRROR)
    chroot = Chroot(folder, architecture)
    # Nobody wants services of it in the machine.
    policy = chroot.root / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    shutil.copy("/etc/resolv.conf", chroot.root / "etc/resolv.conf")
    for extra in pathlib.Path("/etc/apt/apt.conf.d").glob("*proxy*"):
        shutil.copy(extra, chroot.root / "etc/apt/apt.conf.d")
    (chroot.root / "root/debs").mkdir()
    chroot.run("useradd", "--create-home", "--shell", "/bin/bash", PERSON)
    return chroot
