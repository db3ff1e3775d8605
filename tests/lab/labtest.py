"""What the lab's tests share: running the lab's commands, a peer on each device, and looking for leftovers."""
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

FOLDER = os.path.dirname(os.path.realpath(__file__))
LAB = os.path.join(FOLDER, "lab")
HOMES = os.path.join(FOLDER, "homes")
PEER = os.path.join(FOLDER, "peer.py")
PROGRAMS = os.environ.get("HEARTH_LAB_PROGRAMS", "")

sys.path.insert(0, FOLDER)

from hearthlab.machine import PATIENCE, wait_until  # noqa: E402,F401
from hearthlab.cgroups import find_cgroups  # noqa: E402
from hearthlab.processes import run_tool  # noqa: E402
from hearthlab.standstill import losses, undisturbed  # noqa: E402,F401

FOREVER = 300  # seconds: a busy machine is slow, only a hang is caught
ANSWER = 5  # seconds: for so long `hearth-agent status` waits
TELLING = ["QT_LOGGING_RULES=hearth.*.debug=true", "QT_MESSAGE_PATTERN=%{time h:mm:ss.zzz} %{category}: %{message}"]


def home(name):
    return os.path.join(HOMES, f"{name}.json")


def leftovers(name, folder):
    """Whatever of that lab there is on this machine; words for a person."""
    found = [f"namespace {each}" for each in run_tool("ip", "netns").split() if f"{each}.".startswith(f"hl.{name}.")]
    found += [f"cgroup {each}" for each in find_cgroups(name).exists()]
    with open("/proc/self/mounts") as mounts:
        points = [line.split()[1] + "/" for line in mounts]
    found += [f"mount {each[:-1]}" for each in points
              if f"{folder}/{name}/" in each or f"/hl.{name}/" in each or f"/hl.{name}." in each]
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cgroup") as cgroup, open(f"/proc/{pid}/cmdline") as words:
                if f"/hearth-lab.{name}/" in cgroup.read() or f"{folder}/{name}/" in words.read():
                    found.append(f"process {pid}")
        except OSError:
            pass  # it has ended
    if os.path.exists(os.path.join(folder, name)):
        found.append(f"folder {folder}/{name}")
    return found


def host_interfaces():
    """Of this machine itself, where a lab has none."""
    return sorted(link["ifname"] for link in json.loads(run_tool("ip", "-j", "link")))


class Peer:
    """A program on a device that sends, receives and computes on request (peer.py)."""

    def __init__(self, case, device):
        self.case, self.device = case, device
        self.process = subprocess.Popen([LAB, "exec", device, "--", "/usr/bin/python3", PEER], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, bufsize=0, env=case.env)
        self.rest = b""
        case.addCleanup(self.close)
        self.expect("ready")

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.kill()
        self.process.wait()

    def tell(self, *words):
        self.process.stdin.write(" ".join(str(word) for word in words).encode() + b"\n")

    def expect(self, first, seconds=FOREVER):
        """The rest of the next line, which must begin with that word."""
        deadline = time.monotonic() + seconds * PATIENCE
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                self.case.fail(f"{self.device} did not say \"{first}\" within {seconds} s; so far: {self.rest!r}")
            part = os.read(self.process.stdout.fileno(), 65536)
            self.case.assertTrue(part, f"the peer on {self.device} has ended instead of saying \"{first}\"")
            self.rest += part
        line, self.rest = self.rest.split(b"\n", 1)
        word, _, rest = line.decode().partition(" ")
        self.case.assertEqual(word, first, line)
        return rest

    def ask(self, *words):
        self.tell(*words)
        return self.expect(words[0])


class LabCase(unittest.TestCase):
    """Each test may bring up labs under names of its own; all are gone after it, or it fails."""

    longMessage = True

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hearth-lab-test-")
        self.name, self.other = f"t{os.getpid()}", f"t{os.getpid()}b"
        self.env = {**os.environ, "HEARTH_LAB_DIR": self.folder, "HEARTH_LAB": self.name}
        self.interfaces = host_interfaces()
        self.addCleanup(self.check_nothing_is_left)

    def check_nothing_is_left(self):
        self.run_lab("down", "--all", check=False)
        left = leftovers(self.name, self.folder) + leftovers(self.other, self.folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.assertEqual(left, [])
        self.assertEqual(host_interfaces(), self.interfaces)

    def run_lab(self, *words, check=True):
        done = subprocess.run([LAB, *words], env=self.env, capture_output=True, text=True, timeout=2 * FOREVER * PATIENCE)
        if check:
            self.assertEqual(done.returncode, 0, f"lab {' '.join(words)}: {done.stderr}{self.logs()}")
        return done

    def logs(self, characters=1500):
        """The ends of all logs, for failures."""
        ends = []
        for folder, _, files in os.walk(self.folder):
            for file in files:
                if file.endswith(".log"):
                    with open(os.path.join(folder, file), errors="replace") as log:
                        ends.append(f"\n--- {file} of {os.path.basename(folder)}\n{log.read()[-characters:]}")
        return "".join(ends)

    def fails(self, pattern, *words, status=1):
        """The command fails with one line that matches."""
        done = self.run_lab(*words, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        lines = done.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertRegex(lines[0], re.compile(pattern))

    def up(self, file, *options):
        return self.run_lab("up", file, "--name", self.name, *options)

    def exec(self, device, *words, **options):
        return self.run_lab("exec", device, "--", *words, **options)

    def start_agents(self, places):
        """One on each device, by hand, which listens on all addresses as those do that are installed, and logs all that it
        can. `places` says by the names of two devices where the first is told to look for the second."""
        devices = sorted({device for device, _ in places})
        words = {device: ["hearth-agent", "--name", device] for device in devices}
        identities = {device: json.loads(self.exec(device, *words[device], "init").stdout) for device in devices}
        for (of, other), place in places.items():
            file = self.write(f"{of}-{other}.json", {**identities[other], "addresses": [f"{place}:47600"]})
            self.exec(of, *words[of], "trust", file)
        for device in devices:
            with open(os.path.join(self.folder, f"{device}.log"), "ab") as log:
                agent = subprocess.Popen([LAB, "exec", device, "--", "env", *TELLING, *words[device], "--listen",
                                          "[::]:47600", "--no-mdns", "--threads", "1"], env=self.env,
                                         stdout=subprocess.DEVNULL, stderr=log)
            self.addCleanup(agent.wait)
            self.addCleanup(agent.kill)
        for device in devices:
            wait_until(lambda: self.device_states(device) == ["ready"] * len(devices), FOREVER,
                       lambda: f"{device} sees {self.device_states(device)}", pause=0.2)

    def device_states(self, of):
        """What an agent that was started by hand says of all devices; nothing before it answers."""
        done = self.exec(of, "hearth-agent", "status", check=False)
        return [each["state"] for each in json.loads(done.stdout)["devices"]] if done.returncode == 0 else []

    def begin_training(self, device, *words):
        """`hearth train` there, in the background; its events so far are read with events()."""
        self.log = os.path.join(self.folder, "events.jsonl")
        with open(self.log, "wb") as out:
            run = subprocess.Popen([LAB, "exec", device, "--", "hearth", "train", *words, "--json"], stdout=out,
                                   stderr=subprocess.DEVNULL, env=self.env)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def events(self, kind):
        with open(self.log) as lines:
            events = [json.loads(line) for line in lines if line.endswith("\n")]
        return [event for event in events if event["event"] == kind]

    def train_in_peace(self, device, *words):
        """The events of `hearth train` there, without a loss."""
        def attempt():
            done = self.exec(device, "hearth", "train", *words, "--json")
            return [json.loads(line) for line in done.stdout.splitlines()]

        return undisturbed(attempt, losses)

    def plan_in_peace(self, device, job, count):
        """A pipeline through all `count` devices, as `hearth plan` makes it there. One that is lost while it is measured
        would be left out."""
        def attempt():
            done = self.exec(device, "hearth", "plan", "--job", job, "--planner", "pp-1f1b", "--json")
            return json.loads(done.stdout)

        def used(plan):
            return {device for stage in plan["stages"] for device in stage["shares"]}

        def spoilt(plan):
            return len(used(plan)) < count and f"not all {count} devices are used, {plan}"

        plan = undisturbed(attempt, spoilt)
        self.assertEqual(len(used(plan)), count, plan)
        return plan

    def ask_agent(self, device, state_dir, program="hearth-agent"):
        """What the agent says of itself. It is asked again where there was no answer in time."""
        def ask():
            began = time.monotonic()
            done = self.exec(device, program, "status", "--state", state_dir, check=False)
            return done, time.monotonic() - began

        def failed(asked):
            return asked[0].returncode and f"{device} gives no status: {asked[0].stderr.strip()}"

        done, _ = undisturbed(ask, failed, late=lambda asked: asked[1] >= ANSWER and failed(asked))
        return json.loads(done.stdout)

    def status(self, device=None):
        status = json.loads(self.run_lab("status", "--json").stdout)
        return status if device is None else next(each for each in status["devices"] if each["name"] == device)

    def write(self, name, value):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            json.dump(value, file)
        return path
