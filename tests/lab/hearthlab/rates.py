"""Rates of links: how they are written, and the token bucket that makes them."""
import re

from .errors import LabError

UNITS = {"kbit": 10**3, "mbit": 10**6, "gbit": 10**9}
LOWEST, HIGHEST = 10**5, 4 * 10**10
FRAME = 1514


def parse_rate(text):
    """Bits per second of "100mbit", "2.5gbit", "512kbit"."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(kbit|mbit|gbit)", text) if isinstance(text, str) else None
    if not match:
        raise LabError(f"{text!r} is not a rate.", "", "Write a number and kbit, mbit or gbit, for instance 100mbit.")
    bits = round(float(match[1]) * UNITS[match[2]])
    if not LOWEST <= bits <= HIGHEST:
        raise LabError(f"The rate {text} is out of range.", "The lab shapes 100kbit to 40gbit.", "Give one of those.")
    return bits


def format_rate(bits):
    for unit in ("gbit", "mbit"):
        if bits >= UNITS[unit]:
            return f"{bits / UNITS[unit]:.10g}{unit}"
    return f"{bits / UNITS['kbit']:.10g}kbit"


def bucket(bits):
    """Burst and queue of a token bucket in bytes.

    The burst covers 1.5 ms, more than timers are late, and three frames at least. The queue holds 25 ms, about what a
    cheap switch or home router holds, so that a few senders fill the link and none waits for long; on slow links six
    frames, or every heartbeat would wait behind seconds of data.
    """
    per_second = bits / 8
    burst = max(int(per_second * 0.0015), 3 * FRAME)
    return burst, max(int(per_second * 0.025), 2 * burst)


def largest_send(bits):
    """Bytes of the largest piece that TCP may hand to a link's bucket at a time, for `ip link set X gso_max_size`.

    A real card cuts such pieces into frames by itself. A bucket lets them pass as they are if they fit, with headers for
    each frame; else it cuts them up and sets a timer for each frame, and that costs the devices' processors far more
    than sending does.
    """
    burst, _ = bucket(bits)
    return min(burst * 15 // 16, 1 << 16)


def bucket_arguments(bits):
    """What follows `tc qdisc replace dev X root`."""
    burst, limit = bucket(bits)
    return ["tbf", "rate", f"{bits}bit", "burst", str(burst), "limit", str(limit)]
