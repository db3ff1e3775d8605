"""A cable that alters what it carries: takes a device's port out of the bridge and passes its frames on by hand.

    wire.py PORT BRIDGE BYTES     in the bridge's namespace; says "ready" and, per byte, "altered"; ends with its input

It alters one byte in the middle of a TCP payload at a time. Frames on virtual cables carry no checksum yet, so that
TCP takes the byte for what was sent, as it does for the few that slip through its weak sum on a real network.
"""
import os
import select
import socket
import subprocess
import sys

SOL_PACKET, PACKET_VNET_HDR, PACKET_OUTGOING = 263, 15, 4
ETH_P_ALL = 3
PREFIX = 10  # bytes of struct virtio_net_hdr before every frame
LARGEST = PREFIX + 14 + (1 << 16)
LEAST_PAYLOAD = 64  # a handful of bytes is an acknowledgement or a beat
EVERY = 20  # payloads between two altered ones


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def open_port(name):
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    port.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    port.bind((name, ETH_P_ALL))
    port.setblocking(False)
    return port


def payload(frame):
    """Where a TCP segment's bytes begin and end; (0, 0) for all else."""
    begin = PREFIX + 14
    if frame[PREFIX + 12:begin] != b"\x08\x00" or frame[begin + 9] != socket.IPPROTO_TCP:
        return 0, 0
    segment = begin + 4 * (frame[begin] & 15)
    return segment + 4 * (frame[segment + 12] >> 4), begin + int.from_bytes(frame[begin + 2:begin + 4], "big")


class Wire:
    def __init__(self, near, far, count):
        self.ways = {near: far, far: near}
        self.left = count
        self.until_next = 1

    def alter(self, frame):
        begin, end = payload(frame)
        if self.left == 0 or end - begin < LEAST_PAYLOAD:
            return
        self.until_next -= 1
        if self.until_next > 0:
            return
        frame[(begin + end) // 2] ^= 0x20
        self.left -= 1
        self.until_next = EVERY
        print("altered", flush=True)

    def carry(self, source):
        buffer = bytearray(LARGEST)
        while True:
            try:
                size, _, _, address = source.recvmsg_into([buffer])
            except BlockingIOError:
                return
            if address[2] == PACKET_OUTGOING:
                continue
            frame = buffer[:size]
            self.alter(frame)
            try:
                self.ways[source].send(frame)
            except OSError:
                pass  # a full queue loses frames, as it does in a bridge


def main(port, bridge, count):
    near, far = f"{port}a", f"{port}b"
    ip("link", "add", near, "type", "veth", "peer", "name", far)
    try:
        for name in (near, far):
            ip("link", "set", name, "addrgenmode", "none", "up")
        ends = [open_port(port), open_port(near)]
        ip("link", "set", port, "nomaster")
        ip("link", "set", far, "master", bridge)
        wire = Wire(*ends, int(count))
        print("ready", flush=True)
        while True:
            ready = select.select([*ends, sys.stdin], [], [])[0]
            for each in ready:
                if each is sys.stdin:
                    os.read(0, 1)
                    return
                wire.carry(each)
    finally:
        ip("link", "set", port, "master", bridge)
        ip("link", "del", near)


if __name__ == "__main__":
    main(*sys.argv[1:])
