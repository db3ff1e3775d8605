"""What this machine is and has, and who its processes are."""
import ctypes
import os
import shutil
import time

from .errors import LabError

# Programs that every lab needs, and the packages that hold them.
TOOLS = {"ip": "iproute2", "tc": "iproute2", "unshare": "util-linux", "dbus-daemon": "dbus-daemon",
         "avahi-daemon": "avahi-daemon"}
CLONE_NEWNET = 0x40000000
PATIENCE = float(os.environ.get("HEARTH_LAB_PATIENCE", "1"))  # multiplies all deadlines: sanitized programs are slow


def cores():
    return len(os.sched_getaffinity(0))


def memory_bytes():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def boot_id():
    with open("/proc/sys/kernel/random/boot_id") as file:
        return file.read().strip()


def search_path():
    """The tools live in sbin folders, which a plain user's PATH does not name."""
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/sbin", "/usr/sbin", "/sbin"])


def tool(name):
    found = shutil.which(name, path=search_path())
    if not found:
        raise LabError(f"The program {name} is missing.", "The lab cannot work without it.",
                       f"Install the package {TOOLS.get(name, name)}.")
    return found


def require_root():
    if os.geteuid() != 0:
        raise LabError("The lab needs root.", "It makes network namespaces and cgroups.", "Run it with sudo.")


def require_machine():
    """Raises unless a lab can be made here; makes nothing that stays."""
    require_root()
    for name in TOOLS:
        tool(name)
    pid = os.fork()
    if pid == 0:
        os._exit(0 if ctypes.CDLL(None).unshare(CLONE_NEWNET) == 0 else 1)
    if os.waitpid(pid, 0)[1] != 0:
        raise LabError("This machine permits no network namespaces.", "The kernel refused to make one.",
                       "Run the lab outside of a container, or in a privileged one.")


def process_start(pid):
    """When the process began, in the kernel's ticks; None where there is none or only its exit status is left.

    With it a process is told from another that got the same number later.
    """
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def identity(pid):
    return {"pid": pid, "start": process_start(pid)}


def is_alive(who):
    return bool(who) and who["start"] is not None and process_start(who["pid"]) == who["start"]


def wait_until(condition, seconds, what, pause=0.02):
    """Polls until `condition()` is true and returns its value; `what` ends the error's sentence."""
    seconds *= PATIENCE
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            what = what() if callable(what) else what
            raise LabError(f"After {seconds:g} s {what}.")
        time.sleep(pause)
