"""Starting programs inside a device: its namespaces, its cgroups, its environment."""
import ctypes
import os
import signal
import subprocess

from . import machine
from .errors import LabError

libc = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG = 1


def die_with_parent():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def run(words, **options):
    """A short helper: it ends with this process, so that nothing is made any more after a crash."""
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, preexec_fn=die_with_parent,
                          **options)


def run_tool(*words):
    """Runs a system tool and returns its output; an error tells the tool's own words."""
    done = run([machine.tool(words[0]), *words[1:]])
    if done.returncode != 0:
        raise LabError(f"\"{' '.join(words)}\" failed.",
                       (done.stderr.strip() or done.stdout.strip()).replace("\n", " ") or f"Status {done.returncode}.")
    return done.stdout


def set_namespace(path):
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if libc.setns(fd, 0) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), path)
    finally:
        os.close(fd)


def join(cgroups, group):
    for file in cgroups.procs_files(group):
        with open(file, "w") as procs:
            procs.write(str(os.getpid()))


def pin(lab, device):
    """This process and its children, to the core of a device that has one."""
    home = lab.device(device)
    core = max(home.core, home.stays_on)
    if core >= 0:
        os.sched_setaffinity(0, {core})


def namespace_paths(lab, device, holder=None):
    """The network, and with a holder also the device's mounts and host name."""
    paths = [f"/run/netns/{lab.namespace(device)}"]
    if holder:
        paths = [f"/proc/{holder}/ns/net", f"/proc/{holder}/ns/uts", f"/proc/{holder}/ns/mnt"]
    return paths


def enter(namespaces, folder=None):
    """Moves this process, which must have one thread."""
    for path in namespaces:
        set_namespace(path)
    try:
        os.chdir(folder or "/")
    except OSError:
        os.chdir("/")


def environment(lab, device):
    """What programs in a device find in their environment: it is a computer of its own."""
    env = {key: value for key, value in os.environ.items()
           if not key.startswith(("XDG_", "DBUS_", "HEARTH_LAB")) and key not in ("HOME", "PATH", "SSH_AUTH_SOCK")}
    programs = lab.about.get("programs")
    env["PATH"] = os.pathsep.join(([programs] if programs else []) + [machine.search_path()])
    env["HOME"] = lab.device_dir(device, "home")
    env["HEARTH_LAB"], env["HEARTH_LAB_DEVICE"] = lab.name, device
    if programs:
        env["HEARTH_BIN_DIR"] = programs
    env.setdefault("QT_QPA_PLATFORM", "offscreen")
    return env


def spawn(lab, cgroups, group, words, log, device=None, holder=None, **options):
    """A child in a group and, with `device`, inside it; its output is appended to the file `log`."""
    namespaces = namespace_paths(lab, device, holder) if device else []

    def prepare():
        join(cgroups, group)
        enter(namespaces)
        if device:
            pin(lab, device)
        os.umask(0o077)

    # Only a process with one thread may run Python between fork and exec.
    with open(log, "ab") as output:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=options.pop("stdout", output), stderr=output,
                                preexec_fn=prepare, start_new_session=True,
                                env=environment(lab, device) if device else None, **options)
