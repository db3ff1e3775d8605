"""Homes without agents: hosts, network, commands, and what is left of them."""
# needs: machine
import json
import os
import shutil
import signal
import subprocess
import tempfile

from labtest import FOLDER, FOREVER, LAB, LabCase, Peer, home, host_interfaces, leftovers, wait_until

from hearthlab.cgroups import CgroupsV2
from hearthlab.processes import join, run_tool

FIRST, SECOND = "10.77.0.11", "10.77.0.12"


class Hosts(LabCase):
    def up_two(self):
        self.up(home("two"), "--no-agents")

    def test_each_device_is_a_computer_of_its_own(self):
        self.up_two()
        for name, address in (("nano-0", FIRST), ("nano-1", SECOND)):
            self.assertEqual(self.exec(name, "hostname").stdout.strip(), name)
            links = json.loads(self.exec(name, "ip", "-j", "-4", "address").stdout)
            self.assertEqual([link["addr_info"][0]["local"] for link in links], ["127.0.0.1", address])
        routes = json.loads(self.exec("nano-0", "ip", "-j", "route").stdout)
        self.assertEqual([route["dst"] for route in routes], ["10.77.0.0/24"])  # no way out
        self.assertEqual(host_interfaces(), self.interfaces)
        script = "echo $HOME; cat; exit 7"
        done = subprocess.run([LAB, "exec", "nano-0", "--", "sh", "-c", script], input=b"words", capture_output=True,
                              env=self.env)
        self.assertEqual((done.returncode, done.stdout.decode().split()), (7, [self.status("nano-0")["home"], "words"]))

    def test_down_leaves_nothing_and_ends_what_was_started_by_exec(self):
        self.up_two()
        kinds = {each.split()[0] for each in leftovers(self.name, self.folder)}  # it sees what there is
        self.assertEqual(kinds, {"namespace", "cgroup", "mount", "process", "folder"})
        forgotten = subprocess.Popen([LAB, "exec", "nano-1", "--", "sh", "-c", "echo here; setsid sleep 600 & sleep 600"],
                                     stdout=subprocess.PIPE, env=self.env)
        self.addCleanup(forgotten.stdout.close)
        self.assertEqual(forgotten.stdout.readline(), b"here\n")
        self.run_lab("down")
        self.assertEqual(forgotten.wait(timeout=FOREVER), -signal.SIGKILL)
        self.assertEqual(leftovers(self.name, self.folder), [])
        self.fails(f"There is no lab {self.name}", "down")

    def test_what_does_not_exist_is_named(self):
        self.fails(f"There is no lab {self.name}.*lab up", "status")
        self.fails(f"There is no lab {self.name}", "cut", "nano-0")
        self.fails("no/such.json cannot be read", "up", "no/such.json")
        self.fails("cannot be called 'X Y'", "up", home("two"), "--name", "X Y")
        self.fails("hearth-agent was not found", "up", home("two"), "--programs", self.folder)
        self.up_two()
        self.fails(f"The lab {self.name} is up already", "up", home("two"), "--name", self.name, "--no-agents")
        for words in (["cut", "tx2"], ["exec", "tx2", "--", "true"], ["slow", "tx2", "2"]):
            self.fails("no device 'tx2'. It has: nano-0, nano-1", *words)
        self.fails("'fast' is not a rate", "rate", "nano-0", "fast")
        self.fails("factor from 1 to 1000", "slow", "nano-0", "0")
        for address in (SECOND, "10.78.0.11", "nowhere"):
            self.fails(f"cannot have the address '{address}'", "address", "nano-0", address)
        self.fails("runs no agents", "kill", "nano-0")
        self.fails("What is to be run", "exec", "nano-0")
        inside = self.run_lab("exec", "nano-0", "--", LAB, "down", check=False)
        self.assertRegex(inside.stderr, "This is a device of a lab")
        self.fails("nosuchprogram could not be run on nano-0", "exec", "nano-0", "--", "nosuchprogram")

    def test_cuts_swallow_what_they_say_and_nothing_else(self):
        self.up_two()
        here, there = Peer(self, "nano-0"), Peer(self, "nano-1")

        def talks(sender, receiver, address, text):
            sender.ask("send", address, text)
            self.assertEqual(receiver.expect("got"), text)

        def passes(way, text):
            talks(here, there, SECOND, text) if way == "out" else talks(there, here, FIRST, text)

        for cut, dead, alive in ((["--out"], ["out"], ["in"]), (["--in"], ["in"], ["out"]), ([], ["in", "out"], [])):
            for way in ("out", "in"):
                passes(way, f"before-{way}")
            for _ in range(2):  # once more does no harm
                self.run_lab("cut", "nano-0", *cut)
            status = self.status("nano-0")
            self.assertEqual((status["cut_in"], status["cut_out"]), ("in" in dead, "out" in dead))
            for way in alive:
                passes(way, "alive")
            for way in dead:
                (here if way == "out" else there).ask("send", SECOND if way == "out" else FIRST, "lost")
            for _ in range(2):
                self.run_lab("mend", "nano-0")
            for way in ("out", "in"):
                passes(way, f"after-{way}")  # and not "lost", which would have come first
        self.run_lab("cut", "nano-0", "--out")
        self.run_lab("rate", "nano-0", "10mbit")
        self.assertTrue(self.status("nano-0")["cut_out"])  # a rate mends nothing

    def test_a_device_is_where_its_address_is(self):
        self.up_two()
        here, there = Peer(self, "nano-0"), Peer(self, "nano-1")
        moved = "10.77.0.99"
        for address in (moved, "none", SECOND):
            for _ in range(2):
                self.run_lab("address", "nano-1", address)
            self.run_lab("rate", "nano-1", "10mbit")  # which changes no address
            self.assertEqual(self.status("nano-1")["address"], "" if address == "none" else address)
            if address != "none":
                here.ask("send", address, address)
                self.assertEqual(there.expect("got"), address)

    def test_restore_gives_back_what_the_home_file_says(self):
        self.up_two()
        before = self.status("nano-1")
        for words in (["rate", "nano-1", "1mbit", "--down"], ["slow", "nano-1", "20"], ["cut", "nano-1"], ["freeze", "nano-1"],
                      ["address", "nano-1", "10.77.0.99"]):
            self.run_lab(*words)
        changed = self.status("nano-1")
        self.assertEqual(changed["address"], "10.77.0.99")
        self.assertEqual((changed["down"], changed["up"], changed["frozen"], changed["slow"]), (10**6, 10**8, True, 20))
        self.assertAlmostEqual(changed["cpu"], before["cpu"] / 20, 4)
        for _ in range(2):
            self.run_lab("restore", "nano-1")
            self.assertEqual({**self.status("nano-1"), "cpu_seconds": 0}, {**before, "cpu_seconds": 0})

    def test_a_service_that_one_device_publishes_is_seen_by_two_others(self):
        self.up(home("three"), "--no-agents")
        publish = ["avahi-publish", "-s", "kitchen", "_hearth._tcp", "47600", "a=b"]
        publisher = subprocess.Popen([LAB, "exec", "nano-0", "--", *publish], stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL, env=self.env)
        self.addCleanup(publisher.wait)
        self.addCleanup(publisher.kill)
        for device in ("nano-1", "nano-2"):
            def sees(device=device):
                found = self.exec(device, "avahi-browse", "--resolve", "--terminate", "--parsable", "_hearth._tcp")
                return any(line.startswith("=;") and "kitchen" in line and "nano-0.local" in line
                           for line in found.stdout.splitlines())
            wait_until(sees, FOREVER, f"{device} does not see the service", pause=0.1)
        outside = subprocess.run(["avahi-browse", "--terminate", "--parsable", "_hearth._tcp"], capture_output=True, text=True)
        self.assertNotIn("kitchen", outside.stdout)

    def test_two_labs_do_not_know_each_other(self):
        self.up_two()
        other = self.other
        self.run_lab("up", home("two"), "--name", other, "--no-agents")
        self.exec("nano-0", "true")
        self.run_lab("down", self.name)
        self.assertEqual(leftovers(self.name, self.folder), [])
        self.assertEqual(self.run_lab("--lab", other, "exec", "nano-1", "--", "hostname").stdout.strip(), "nano-1")
        self.run_lab("down", other)


class Groups(LabCase):
    def test_version_2_freezes_and_ends_real_processes(self):
        """Also where another version has the controllers; limits are left out here."""
        with open("/proc/self/mounts") as mounts:
            points = [line.split()[1] for line in mounts if line.split()[2] == "cgroup2"]
        if not points:
            self.skipTest("version 2 of cgroups is not mounted")
        cgroups = CgroupsV2(self.name, points[0])
        self.addCleanup(cgroups.remove)
        for group in ("", "nano-0", "nano-0/agent"):
            cgroups.make(group)
        counter = subprocess.Popen(["sh", "-c", "while :; do echo tick; done"], stdout=subprocess.PIPE,
                                   preexec_fn=lambda: join(cgroups, "nano-0/agent"))
        self.addCleanup(counter.stdout.close)
        self.assertEqual(counter.stdout.readline(), b"tick\n")
        self.assertEqual(cgroups.processes("nano-0"), [counter.pid])
        for _ in range(2):
            cgroups.freeze("nano-0/agent", True)
        self.assertTrue(cgroups.is_frozen("nano-0/agent"))
        cgroups.freeze("nano-0/agent", False)
        self.assertFalse(cgroups.is_frozen("nano-0/agent"))
        cgroups.freeze("nano-0/agent", True)
        self.assertEqual(cgroups.kill(), 1)
        self.assertEqual(counter.wait(timeout=FOREVER), -signal.SIGKILL)
        cgroups.remove()
        self.assertEqual(cgroups.exists(), [])


class Crashes(LabCase):
    def assert_stale_and_removed(self, other_home):
        self.fails(f"The lab {self.name} was left by process .*, which is gone.*lab down {self.name}",
                   "up", home("two"), "--name", self.name, "--no-agents")
        self.fails(f"lab down {self.name}", "exec", "nano-0", "--", "true")
        self.assertEqual(self.status()["state"], "stale")
        if other_home:
            done = self.run_lab("up", home("two"), "--name", self.other, "--no-agents")
            self.assertRegex(done.stderr, f"The lab {self.name} was left by")
            self.run_lab("down", self.other)
        self.run_lab("down", self.name)
        self.assertEqual(leftovers(self.name, self.folder), [])

    def test_a_lab_whose_keeper_was_killed_is_named_and_removed(self):
        self.up(home("two"), "--no-agents")
        self.run_lab("freeze", "nano-0")
        keeper = self.status()["keeper"]
        os.kill(keeper, signal.SIGKILL)
        wait_until(lambda: self.status()["state"] == "stale", FOREVER, "the lab is not stale")
        self.assert_stale_and_removed(True)

    def start_up_until(self, sign):
        """An `up` that is still at work and has just made a file of that name."""
        up = subprocess.Popen([LAB, "up", home("three"), "--name", self.name, "--no-agents"], env=self.env,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        path = os.path.join(self.folder, self.name, sign)
        wait_until(lambda: os.path.exists(path) or up.poll() is not None, FOREVER, f"there is no {sign}", 0.001)
        self.assertIsNone(up.poll())
        return up

    def test_an_up_that_was_killed_halfway_is_named_and_removed(self):
        """At several points: after the folder, cgroups, the first namespaces, the keeper."""
        for sign in ("lab.json", "made.jsonl", "devices", "keeper.log", "keeper.sock"):
            with self.subTest(sign):
                up = self.start_up_until(sign)
                up.kill()
                up.wait()
                self.assertEqual(self.status()["state"], "stale")
                done = self.run_lab("down", self.name)
                self.assertIn("removed", done.stdout)
                self.assertEqual(leftovers(self.name, self.folder), [])

    def test_an_up_that_is_asked_to_end_removes_what_it_made(self):
        for number, sign in ((signal.SIGTERM, "made.jsonl"), (signal.SIGINT, "keeper.log")):
            with self.subTest(sign):
                up = self.start_up_until(sign)
                up.send_signal(number)
                self.assertIn(up.wait(timeout=FOREVER), (130, 143))
                self.assertEqual(leftovers(self.name, self.folder), [])

    def test_an_up_that_fails_removes_what_it_made(self):
        with open(os.path.join(self.folder, "hearth-agent"), "w") as program:
            program.write("#!/bin/sh\necho broken >&2\nexit 1\n")
        os.chmod(program.name, 0o755)
        self.fails("hearth-agent init failed for nano-0. broken", "up", home("two"), "--name", self.name, "--programs",
                   self.folder)
        self.assertEqual(leftovers(self.name, self.folder), [])

    def test_what_a_tool_says_when_it_fails_is_told_wherever_it_says_it(self):
        for stream in (1, 2):
            with open(os.path.join(self.folder, "ip"), "w") as program:
                program.write(f"#!/bin/sh\necho 'no room for cables' >&{stream}\nexit 2\n")
            os.chmod(program.name, 0o755)
            path = os.pathsep.join((self.folder, self.env["PATH"]))
            done = subprocess.run([LAB, "up", home("two"), "--name", self.name, "--no-agents"],
                                  env={**self.env, "PATH": path}, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"lab: \"ip netns add hl.{self.name}\" failed. no room for cables\n"))

    def test_what_the_lab_did_not_make_is_left_alone(self):
        foreign = f"hl.{self.name}.nano-1"
        run_tool("ip", "netns", "add", foreign)
        self.addCleanup(run_tool, "ip", "netns", "del", foreign)
        self.fails(f"{foreign} exists already", "up", home("two"), "--name", self.name, "--no-agents")
        self.assertEqual(leftovers(self.name, self.folder), [f"namespace {foreign}", f"mount /run/netns/{foreign}"])

    def test_a_record_that_a_crash_has_cut_off_does_no_harm(self):
        self.up(home("two"), "--no-agents")
        os.kill(self.status()["keeper"], signal.SIGKILL)
        with open(os.path.join(self.folder, self.name, "lab.json"), "w") as file:
            file.write('{"format"')
        with open(os.path.join(self.folder, self.name, "made.jsonl"), "a") as file:
            file.write('{"kind": "names')
        self.fails(f"The lab {self.name} was left unfinished.*lab down", "up", home("two"), "--name", self.name,
                   "--no-agents")
        self.run_lab("down", self.name)
        self.assertEqual(leftovers(self.name, self.folder), [])

    def test_without_root_one_line_says_so(self):
        # A copy: nobody else may look into root's home, where this may be.
        place = tempfile.mkdtemp(prefix="hearth-lab-test-")
        self.addCleanup(shutil.rmtree, place)
        os.chmod(place, 0o755)
        copy = shutil.copytree(FOLDER, os.path.join(place, "lab"))
        done = subprocess.run([os.path.join(copy, "lab"), "up", os.path.join(copy, "homes/two.json"), "--name", self.name],
                              user=65534, env=self.env, capture_output=True, text=True)
        words = "lab: The lab needs root. It makes network namespaces and cgroups. Run it with sudo.\n"
        self.assertEqual((done.returncode, done.stderr), (1, words))


