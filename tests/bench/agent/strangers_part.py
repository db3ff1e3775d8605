import contextlib
import json
import os
import statistics
import subprocess
import threading
import time

from home import ROOT, Failed, Home
from process import MIB, Peak, Usage, memory
from report import judged

FLOOD = os.path.join(ROOT, "tests", "lab", "flood.py")
SOURCES = "10.78.0.0/16"
PORT = "47600"
PAUSE_MS = 500  # between two links of the paired device
QUIET, SETTLE = 15, 10  # seconds: before the flood, and after it
MOVES = 5

VICTIM, PAIRED, CROWD = "nano-0", "nano-1", "nano-2"
THREE = [{"name": VICTIM, "cpu": 0.6}, {"name": PAIRED, "cpu": 0.3}, {"name": CROWD, "cpu": 0.7}]


class Strangers:
    """A home of three, of which one is taken out of the home to make a crowd."""

    def __init__(self, home, options):
        self.home, self.options = home, options
        about = {each["name"]: each for each in json.loads(home.lab("--lab", home.name, "status", "--json"))["devices"]}
        self.address = {name: each["address"] for name, each in about.items()}
        self.state = {name: each["agent"]["state_dir"] for name, each in about.items()}
        self.log = about[VICTIM]["agent"]["log"]
        self.pid = about[VICTIM]["agent"]["pid"]
        with open(f"{self.state[PAIRED]}/trust.json") as text:
            self.fingerprint = next(each["fingerprint"] for each in json.load(text)["devices"] if each["name"] == VICTIM)
        home.lab("--lab", home.name, "kill", CROWD)
        self.exec(CROWD, "ip", "route", "add", "local", SOURCES, "dev", "lo")
        self.exec(VICTIM, "ip", "route", "add", SOURCES, "via", self.address[CROWD])
        foreign = os.path.join(home.folder.name, "foreign")
        subprocess.run([f"{options.programs}/bin/hearth-agent", "init", "--state", foreign], check=True,
                       stdout=subprocess.DEVNULL)
        self.key = [f"{foreign}/cert.pem", f"{foreign}/key.pem"]
        self.idle_cores = 0  # with the links of the paired device, once measured

    def exec(self, device, *words):
        done = subprocess.run(self.home.exec_words(device, *words), capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"{' '.join(words)}: {done.stderr.strip()}")

    def start(self, device, *words):
        return subprocess.Popen(self.home.exec_words(device, *words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def flood(self, count, seconds, *kinds):
        return self.start(CROWD, FLOOD, self.address[VICTIM], PORT, str(count), str(seconds), SOURCES,
                          *self.key, *([",".join(kinds)] if kinds else []))

    def links_lost(self):
        with open(self.log) as log:
            return log.read().count("Lost the link with")

    def log_after(self, offset):
        with open(self.log) as log:
            log.seek(offset)
            return log.read()


class Dials(threading.Thread):
    """The paired device that connects again and again: when each link was there, how long it took, the attempts."""

    def __init__(self, strangers):
        super().__init__(daemon=True)
        self.links = []
        self.process = strangers.start(PAIRED, f"{strangers.options.programs}/bench/dials", strangers.state[PAIRED],
                                       strangers.address[VICTIM], PORT, strangers.fingerprint, str(PAUSE_MS))
        self.start()

    def run(self):
        for line in self.process.stdout:
            took, attempts = line.split()
            self.links.append((time.monotonic(), float(took), int(attempts)))

    def between(self, begin, end):
        return [(took, attempts) for at, took, attempts in self.links if begin <= at <= end]

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.join()


def strangers(options):
    """Strangers: floods of nine kinds from 4000 addresses at one agent, among them whole handshakes with a foreign key."""
    description = {"format": "hearth-lab/1", "scale": "none", "link": "1gbit", "devices": THREE}
    with Home(options.programs, "three.json", **description) as home:
        scene = Strangers(home, options)
        dials = Dials(scene)
        try:
            return crowd(scene, dials, options) + dearest(scene, options) + moved(scene, options)
        finally:
            dials.close()


def crowd(scene, dials, options):
    time.sleep(QUIET / 3)  # the first links
    before = memory(scene.pid)
    idle, lost, began = Usage(scene.pid), scene.links_lost(), time.monotonic()
    time.sleep(QUIET)
    idle_cores, quiet = idle.cores(), dials.between(began, time.monotonic())
    scene.idle_cores = idle_cores
    usage, began = Usage(scene.pid), time.monotonic()
    with Peak(scene.pid) as peak:
        told = json.loads(scene.flood(options.connections, options.seconds).communicate()[0])
    spent, links = usage.cores() * usage.seconds() - idle_cores * usage.seconds(), dials.between(began, time.monotonic())
    time.sleep(SETTLE)
    after = memory(scene.pid)
    if not links or not quiet:
        raise Failed("the paired device was never linked")

    opened = sum(told["opened"].values())
    print(f"    {opened} connections in {told['seconds']:.1f} s; {sum(told['answered'].values())} were answered, "
          f"{told['ended'].get('LET IN', 0)} let in; the flood took {told['cpu_seconds'] / told['seconds']:.2f} cores itself")
    print("    " + ", ".join(f"{kind} {count}" for kind, count in told["ended"].items()))
    times = sorted(took for took, _ in links)
    print(f"    {len(links)} links of the paired device: {1000 * statistics.median(times):.0f} ms (median), "
          f"{1000 * times[int(0.95 * len(times))]:.0f} ms (p95), {1000 * times[-1]:.0f} ms (longest); before the flood "
          f"{1000 * statistics.median(took for took, _ in quiet):.0f} ms; {sum(attempts for _, attempts in links) - len(links)} "
          f"attempts failed; its standing link was lost {scene.links_lost() - lost} times")
    print(f"    processor: {spent:.2f} s more than before the flood, when the same links took {100 * idle_cores:.2f} % of a core")
    missed = judged("strangers let in", told["ended"].get("LET IN", 0), 0, most=True, digits=0)
    missed += judged("longest time to a link of the paired device, s", times[-1], 1, most=True, digits=3)
    missed += judged("processor spent on strangers, % of a core", 100 * spent / options.seconds, 5, most=True)
    missed += judged("private memory at most above before, MiB", (peak.most - before["Private_Dirty"]) / MIB, 8, most=True)
    missed += judged(f"the same {SETTLE} s after, MiB", (after["Private_Dirty"] - before["Private_Dirty"]) / MIB, 1, most=True)
    missed += judged("PSS the same, MiB", (after["Pss"] - before["Pss"]) / MIB, 1, most=True)
    return missed


def dearest(scene, options):
    """Nothing but what costs the agent most: hellos that are answered, and whole handshakes."""
    usage, seconds = Usage(scene.pid), options.seconds / 3
    flood = scene.flood(int(options.connections / 3), seconds, "replayed hello", "a key of its own")
    flood.communicate()
    spent = (usage.cores() - scene.idle_cores) * usage.seconds()
    if flood.returncode:
        raise Failed("the flood of hellos ended early")
    return judged("processor, only hellos and handshakes, % of a core", 100 * spent / seconds, 5, most=True)


def moved(scene, options):
    """The paired device comes up at addresses that nobody knows, found by its announcements, during another flood."""
    flood = scene.flood(options.connections // 2, options.seconds / 2)
    time.sleep(options.seconds / 12)
    times = []
    try:
        for number in range(MOVES):
            times.append(move(scene, options, f"10.77.0.{200 + number}"))
    finally:
        flood.communicate()
    print(f"    links at new, announced addresses: {', '.join(f'{each:.2f}' for each in times)} s after it listens")
    return judged("longest time to a link at a new, announced address, s", max(times), 5, most=True)


def move(scene, options, address):
    with contextlib.suppress(Failed):
        scene.home.lab("--lab", scene.home.name, "kill", PAIRED)
    scene.exec(PAIRED, "ip", "address", "flush", "dev", "eth0", "scope", "global")
    scene.exec(PAIRED, "ip", "address", "add", f"{address}/24", "brd", "+", "dev", "eth0")
    offset = os.path.getsize(scene.log)
    agent = scene.start(PAIRED, f"{options.programs}/bin/hearth-agent", "--state", scene.state[PAIRED], "--name", PAIRED,
                        "--listen", f"0.0.0.0:{PORT}")
    give_up = threading.Timer(options.seconds / 3, agent.kill)
    try:
        agent.stdout.readline()
        listening = time.monotonic()
        give_up.start()
        while f"Linked with {PAIRED} " not in scene.log_after(offset):
            if agent.poll() is not None:
                raise Failed(f"the paired device was not linked at {address}")
            time.sleep(0.005)
        return time.monotonic() - listening
    finally:
        give_up.cancel()
        agent.kill()
        agent.wait()
