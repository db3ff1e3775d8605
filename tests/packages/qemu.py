"""What programs that qemu plays have to be spared."""
import ctypes
import errno
import platform
import struct

_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
_LOAD, _EQUALS, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_WAITID, _P_PIDFD = 247, 3


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def without_pidfd():
    """Lets the kernel deny to this process and its children, on x86-64, that it knows file descriptors of processes.

    Qt asks the kernel for them, whose answer qemu passes on, and then starts programs in a way that qemu 7.2 refuses. Denied,
    it takes the way of older kernels.
    """
    if platform.machine() != "x86_64":
        return
    steps = [(_LOAD, 0, 0, 0), (_EQUALS, 0, 3, _WAITID), (_LOAD, 0, 0, 16), (_EQUALS, 0, 1, _P_PIDFD),
             (_RETURN, 0, 0, _FAIL | errno.EINVAL), (_RETURN, 0, 0, _ALLOW)]
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    libc = ctypes.CDLL(None, use_errno=True)
    program = _Program(len(steps), code)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the kernel takes no filter")
