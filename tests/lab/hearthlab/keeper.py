"""The process that owns a lab: parent of everything that runs in it, and its service manager.

It answers one request per connection on keeper.sock, a line of JSON each way.
"""
import json
import os
import select
import selectors
import signal
import socket

from . import hosts
from .cgroups import find_cgroups
from .errors import LabError
from .machine import identity
from .service import Service
from .processes import spawn

HOLDER_DEADLINE = 60
REQUEST_DEADLINE, ANSWER_DEADLINE = 30, 120  # seconds; ending a device's processes takes its time
TICK = 0.05


class Keeper:
    def __init__(self, lab):
        self.lab = lab
        self.cgroups = find_cgroups(lab.name)
        self.holders = {}
        self.services = []
        self.ending = False

    def run(self):
        # A written byte per signal wakes the loop.
        wake, written = socket.socketpair()
        wake.setblocking(False)
        written.setblocking(False)
        signal.set_wakeup_fd(written.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: setattr(self, "ending", True))
        for device in self.lab.devices:
            self.hold(device.name)
            self.add_services(device)
        listener = open_listener(self.lab)
        selector = selectors.DefaultSelector()
        selector.register(wake, selectors.EVENT_READ)
        selector.register(listener, selectors.EVENT_READ)
        while not self.ending:
            for service in self.services:
                service.poll()
            is_due = any(service.state == "waiting" for service in self.services)
            for key, _ in selector.select(TICK if is_due else None):
                if key.fileobj is wake:
                    wake.recv(4096)
                else:
                    self.serve(listener)
        self.end()

    def hold(self, device):
        """Starts the process that keeps the device's namespaces, and waits until they are complete."""
        reader, writer = os.pipe()
        with open(writer, "wb") as output:
            holder = spawn(self.lab, self.cgroups, f"{device}/host", hosts.holder_words(self.lab, device),
                           self.lab.device_dir(device, "holder.log"), device, stdout=output)
        with open(reader, "rb") as said:
            ready = select.select([said], [], [], HOLDER_DEADLINE)[0] and said.readline() == b"ready\n"
        if not ready:
            raise LabError(f"The namespaces of {device} could not be made.", last_words(self.lab, device, "holder"))
        self.holders[device] = holder

    def add_services(self, device):
        def add(name, leaf, words, may_start):
            self.services.append(Service(self.lab, self.cgroups, device.name, name, leaf, words, may_start,
                                         self.holders[device.name].pid))

        add("dbus", "host", hosts.bus_words(self.lab, device.name), lambda holder: True)
        add("avahi", "host", hosts.avahi_words(self.lab, device.name), hosts.has_bus)
        if self.lab.about["agents"]:
            add("agent", "agent", hosts.agent_words(self.lab, device), lambda holder: True)
            self.services[-1].state = "stopped"  # until they are paired

    def serve(self, listener):
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(REQUEST_DEADLINE)
            try:
                answer = self.answer(json.loads(read_line(connection)))
            except (LabError, OSError, ValueError, KeyError) as error:
                answer = {"error": str(error) or type(error).__name__}
            try:
                connection.sendall(json.dumps(answer).encode() + b"\n")
            except OSError:
                pass  # whoever asked has gone

    def answer(self, request):
        op = request["op"]
        if op == "status":
            return {"holders": {name: identity(holder.pid) for name, holder in self.holders.items()},
                    "services": {device.name: {service.name: service.describe() for service in self.services
                                               if service.device == device.name} for device in self.lab.devices}}
        agents = [service for service in self.services
                  if service.name == "agent" and request.get("device") in (None, service.device)]
        if not agents:
            raise LabError("This lab runs no agents.", "It was brought up with --no-agents.")
        if op not in ("kill", "start"):
            raise LabError(f"There is no request {op!r}.")
        for agent in agents:
            agent.kill() if op == "kill" else agent.start()
        return {}

    def end(self):
        """Everything that it started ends, and is waited for, so that nothing is left to init."""
        for device in self.lab.devices:
            self.cgroups.kill(device.name)
        for process in [*self.holders.values(), *(service.process for service in self.services if service.process)]:
            process.wait()


def last_words(lab, device, service):
    try:
        with open(lab.device_dir(device, f"{service}.log"), errors="replace") as file:
            lines = file.read()[-2000:].strip().splitlines()
    except OSError:
        lines = []
    return f"Its last words: {' / '.join(lines[-3:])}" if lines else "It said nothing."


def socket_name(folder):
    """Short, whatever the lab's folder is called: the name of a socket has 108 characters at most."""
    return f"/proc/self/fd/{folder}/keeper.sock"


def open_listener(lab):
    listener = socket.socket(socket.AF_UNIX)
    folder = os.open(lab.dir, os.O_PATH | os.O_DIRECTORY)
    try:
        listener.bind(socket_name(folder))
    finally:
        os.close(folder)
    os.chmod(lab.path("keeper.sock"), 0o600)
    listener.listen(16)
    return listener


def read_line(connection):
    data = b""
    while not data.endswith(b"\n"):
        part = connection.recv(65536)
        if not part:
            break
        data += part
    return data


def ask(lab, op, **arguments):
    """The keeper's answer to a request; an error where it refuses, or is gone."""
    folder = os.open(lab.dir, os.O_PATH | os.O_DIRECTORY)
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ANSWER_DEADLINE)
            connection.connect(socket_name(folder))
            connection.sendall(json.dumps({"op": op, **arguments}).encode() + b"\n")
            answer = json.loads(read_line(connection))
    except (OSError, ValueError) as error:
        raise LabError(f"The keeper of the lab {lab.name} does not answer.", f"{error}.",
                       f"Remove it: lab down {lab.name}") from None
    finally:
        os.close(folder)
    if "error" in answer:
        raise LabError(answer["error"])
    return answer
