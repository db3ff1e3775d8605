"""A program that the tests run on a device: it does what lines on standard input say and answers in lines.

    send ADDRESS TEXT       one datagram; incoming ones are told as "got TEXT"
    receive                 takes one stream and tells its rate after the first tenth, bytes per second
    stream ADDRESS BYTES    sends one
    compute SECONDS         keeps one thread busy and tells processor seconds per second
    allocate BYTES          touches that much memory
"""
import selectors
import socket
import sys
import time

DATAGRAMS, STREAMS = 5000, 5001
BLOCK = 1 << 18


def say(*words):
    print(*words, flush=True)


def receive(listener):
    say("receive")
    connection, _ = listener.accept()
    with connection:
        total = int.from_bytes(connection.recv(8, socket.MSG_WAITALL), "big")
        buffer = bytearray(BLOCK)
        done, counted, begin = 0, 0, None
        while done < total:
            count = connection.recv_into(buffer)
            if not count:
                break
            done += count
            if begin is not None:
                counted += count
            elif done >= total / 10:
                begin = time.monotonic()
        say("rate", counted / (time.monotonic() - begin) if done == total else 0)


def stream(address, total):
    with socket.create_connection((address, STREAMS), timeout=120) as connection:
        connection.sendall(total.to_bytes(8, "big"))
        block = memoryview(bytes(BLOCK))
        for start in range(0, total, BLOCK):
            connection.sendall(block[: min(BLOCK, total - start)])
    say("stream")


def compute(seconds):
    begin, used = time.monotonic(), time.process_time()
    while time.monotonic() < begin + seconds:
        sum(range(1000))
    say("compute", (time.process_time() - used) / (time.monotonic() - begin))


def allocate(total):
    held = bytearray(total)
    held[::4096] = b"x" * len(held[::4096])
    say("allocate", len(held))


def main():
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("", DATAGRAMS))
    listener = socket.create_server(("", STREAMS))
    selector = selectors.DefaultSelector()
    selector.register(sys.stdin, selectors.EVENT_READ)
    selector.register(datagrams, selectors.EVENT_READ)
    say("ready")
    while True:
        for key, _ in selector.select():
            if key.fileobj is datagrams:
                say("got", datagrams.recv(1000).decode())
                continue
            words = sys.stdin.readline().split()
            if not words:
                return
            if words[0] == "send":
                datagrams.sendto(words[2].encode(), (words[1], DATAGRAMS))
                say("send")
            elif words[0] == "receive":
                receive(listener)
            elif words[0] == "stream":
                stream(words[1], int(words[2]))
            elif words[0] == "compute":
                compute(float(words[1]))
            elif words[0] == "allocate":
                allocate(int(words[1]))


main()
