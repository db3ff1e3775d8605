#!/usr/bin/python3
"""Strangers at one port, in several ways at once: flood.py ADDRESS PORT CONNECTIONS SECONDS SOURCES CERT KEY [KINDS]

Opens so many connections, evenly over so many seconds, from addresses of the network SOURCES ("10.78.0.0/16"), and says
at the end what became of them, in JSON; SIGTERM ends it early. CERT and KEY are a stranger's own; KINDS, with commas, are
all unless given."""
import collections
import contextlib
import errno
import heapq
import ipaddress
import json
import random
import resource
import selectors
import signal
import socket
import ssl
import sys
import time

PATIENCE = 2.0  # seconds for which a connection is held, or asked for
CROWD = 4000  # addresses
OWN_KEY = "a key of its own"  # a whole handshake, which costs the flood as much as the other end
LONGEST_REFUSAL = 64  # bytes

# What is sent at once, and then byte by byte.
KINDS = {
    "silent": lambda hello: (b"", b""),
    "slow bytes": lambda hello: (hello[:20], hello[20:]),
    "giant length": lambda hello: (b"\x16\x03\x01\xff\xff\x01\xff\xff\xff" + b"x" * 16000, b""),
    "giant hello": lambda hello: (b"\x16\x03\x01\x20\x00\x01\x00\x1f\xfc" + b"x" * 8000, b""),
    "garbage": lambda hello: (random.randbytes(300), b""),
    "replayed hello": lambda hello: (hello, b""),
    "garbage behind a hello": lambda hello: (hello + random.randbytes(300), b""),
    "from one address": lambda hello: (hello, b""),
    OWN_KEY: None,
}


class Stranger:
    def __init__(self, kind, sock, now):
        self.kind, self.socket, self.until = kind, sock, now + PATIENCE
        self.connected, self.drip, self.has_tls = False, b"", False

    def __lt__(self, other):
        return self.until < other.until


class Flood:
    def __init__(self, target, cert, key, sources):
        self.target = target
        self.selector, self.deadlines = selectors.EpollSelector(), []
        self.opened, self.answered, self.ended = (collections.Counter() for _ in range(3))
        self.is_told_to_end = False
        network = ipaddress.ip_network(sources)
        self.addresses = [str(network[random.randrange(1, network.num_addresses - 1)]) for _ in range(CROWD)]
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
        self.context.load_cert_chain(cert, key)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.hello = self.recorded_hello()

    def recorded_hello(self):
        """What a handshake begins with; that of another one, to all others."""
        written = ssl.MemoryBIO()
        try:
            self.context.wrap_bio(ssl.MemoryBIO(), written).do_handshake()
        except ssl.SSLWantReadError:
            return written.read()

    def open(self, kind, now):
        self.opened[kind] += 1
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        sock.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # no remains in the kernel
        sock.bind((self.addresses[0] if kind == "from one address" else random.choice(self.addresses), 0))
        status = sock.connect_ex(self.target)
        if status not in (0, errno.EINPROGRESS):
            self.ended[errno.errorcode[status]] += 1
            sock.close()
            return
        stranger = Stranger(kind, sock, now)
        self.selector.register(stranger.socket, selectors.EVENT_WRITE, stranger)
        heapq.heappush(self.deadlines, stranger)

    def close(self, stranger, how):
        if stranger.socket is None:
            return
        self.ended[how] += 1
        with contextlib.suppress(KeyError, ValueError):  # one that ended between two steps is not registered
            self.selector.unregister(stranger.socket)
        stranger.socket.close()
        stranger.socket = None

    def connected(self, stranger):
        stranger.connected = True
        self.answered[stranger.kind] += 1
        if stranger.kind == OWN_KEY:
            self.selector.unregister(stranger.socket)
            stranger.socket = self.context.wrap_socket(stranger.socket, do_handshake_on_connect=False)
            stranger.has_tls = True
            self.selector.register(stranger.socket, selectors.EVENT_READ, stranger)
            return
        first, stranger.drip = KINDS[stranger.kind](self.hello)
        if first:
            stranger.socket.send(first)
        self.selector.modify(stranger.socket, selectors.EVENT_READ, stranger)

    def step(self, stranger):
        try:
            if not stranger.connected:
                error = stranger.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if error:
                    return self.close(stranger, errno.errorcode[error])
                self.connected(stranger)
            if stranger.has_tls:
                stranger.socket.do_handshake()
            data = stranger.socket.recv(65536)
            if not data:
                return self.close(stranger, "closed")
            # A refusal is one short message; whatever else comes over TLS comes from somebody who let us in.
            if stranger.has_tls and len(data) <= LONGEST_REFUSAL and data.endswith(b"refused"):
                return self.close(stranger, "refused")
            if stranger.has_tls:
                self.ended["LET IN"] += 1
        except (BlockingIOError, ssl.SSLWantReadError):
            return None
        except ssl.SSLError:
            return self.close(stranger, "refused in TLS")
        except OSError as error:
            return self.close(stranger, errno.errorcode.get(error.errno, str(error)))

    def tell_to_end(self, *_):
        self.is_told_to_end = True

    def expire(self, now):
        while self.deadlines and self.deadlines[0].until <= now:
            stranger = heapq.heappop(self.deadlines)
            self.close(stranger, "held to the end" if stranger.connected else "no answer")

    def run(self, count, seconds, kinds):
        began = time.monotonic()
        opened, drip = 0, began
        while True:
            now = time.monotonic()
            elapsed = now - began
            while opened < min(count, count * elapsed / seconds):
                self.open(kinds[opened % len(kinds)], now)
                opened += 1
            for key, _ in self.selector.select(0.002):
                self.step(key.data)
            self.expire(now)
            if now - drip >= 0.1:
                drip = now
                for stranger in self.deadlines:
                    if stranger.drip and stranger.connected and stranger.socket:
                        try:
                            stranger.socket.send(stranger.drip[:1])
                            stranger.drip = stranger.drip[1:]
                        except OSError:
                            self.close(stranger, "reset")
            if self.is_told_to_end:
                for stranger in self.deadlines:
                    self.close(stranger, "cut short")
            if self.is_told_to_end or (opened >= count and not self.deadlines):
                return time.monotonic() - began


def main():
    address, port, count, seconds, sources, cert, key, *kinds = sys.argv[1:]
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    flood = Flood((address, int(port)), cert, key, sources)
    signal.signal(signal.SIGTERM, flood.tell_to_end)
    took = flood.run(int(count), float(seconds), kinds[0].split(",") if kinds else list(KINDS))
    print(json.dumps({"seconds": took, "cpu_seconds": time.process_time(), "opened": flood.opened,
                      "answered": flood.answered, "ended": flood.ended}))


if __name__ == "__main__":
    main()
