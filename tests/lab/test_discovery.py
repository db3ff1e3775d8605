"""Agents find each other through real Avahi daemons, one per device, and believe nothing that is announced."""
# needs: machine agent
import contextlib
import json
import os
import signal
import statistics
import subprocess
import time

from agentcase import AGENT, AgentCase
from labtest import LAB, PATIENCE, PROGRAMS, find_cgroups, home, undisturbed

from hearthlab.status import program_of


class Discovery(AgentCase):
    def publish(self, device, count, *words):
        """`words` with %d for a number from 1 to `count`; ends with the test, or with the input of what is returned."""
        script = ('for i in $(seq $1); do avahi-publish -s "$(printf "$2" $i)" _hearth._tcp 47600 v=1 id="$(printf "$3" $i)"'
                  ' </dev/null & all="$all $!"; done; read end; kill $all; wait')
        process = subprocess.Popen([LAB, "exec", device, "--", "sh", "-c", script, "sh", str(count), *words],
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.env)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdin.close)
        return process

    def avahi_pid(self, device):
        done = self.exec(device, "cat", "/run/avahi-daemon/pid", check=False)
        return int(done.stdout) if done.stdout.strip() else None

    def test_an_agent_appears_within_two_seconds_and_is_gone_soon_after_it_was_killed(self):
        self.up_hosts()
        self.agent("nano-0")
        self.wait_for(lambda: self.ask("nano-0")["discovery"]["announced_as"] == "nano-0", "nano-0 is not announced")
        undisturbed(self.comes_and_goes, lambda told: told[0] >= told[1] and f"it took {told[0]:.1f} s of {told[1]:.1f} s")

    def comes_and_goes(self):
        """The seconds until an agent is seen after its start, or gone after its end, and how many that may be."""
        looks = []

        def nearby():
            began = time.monotonic()
            found = self.nearby("nano-0")
            looks.append(time.monotonic() - began)
            return found

        started = time.monotonic()
        about = self.agent("nano-1")
        listening = time.monotonic()
        self.wait_for(lambda: "nano-1" in nearby(), "nano-1 was not found")
        seen = time.monotonic()
        found = self.nearby("nano-0")["nano-1"]
        self.assertEqual(found["state"], "found")
        self.assertEqual(found["prefix"], about["fingerprint"][:16])
        self.assertEqual(found["hosts"], ["nano-1.local"])
        # Over which protocol it is seen first is anybody's guess.
        self.wait_for(lambda: "10.77.0.12:47600" in self.nearby("nano-0")["nano-1"]["addresses"], "its address is missing")
        self.wait_for(lambda: "nano-0" in self.nearby("nano-1"), "nano-0 was not found")

        os.kill(about["pid"], signal.SIGKILL)
        gone = self.wait_for(lambda: "nano-1" not in nearby(), "nano-1 is still there")
        print(f"found {seen - listening:.2f} s after it listens, {seen - started:.2f} s after its start; "
              f"gone {gone:.2f} s after kill -9", flush=True)
        # A look starts two programs, and so does a start: on a busy machine that takes seconds.
        return max(seen - started, gone), 10 * PATIENCE + 5 * statistics.median(looks)

    def test_after_the_daemon_has_started_again_everybody_is_found_again(self):
        self.up_hosts()
        self.agent("nano-0")
        self.agent("nano-1")
        self.wait_for(lambda: "nano-1" in self.nearby("nano-0"), "nano-1 was not found")
        first, other = self.avahi_pid("nano-0"), self.avahi_pid("nano-1")
        os.kill(other, signal.SIGSTOP)  # else the new daemon may have found nano-1 before anybody sees that it was gone
        try:
            os.kill(first, signal.SIGKILL)
            self.wait_for(lambda: not self.nearby("nano-0"), "what a dead daemon has told is still there")
            self.wait_for(lambda: self.avahi_pid("nano-0") not in (None, first), "there is no new daemon")
        finally:
            os.kill(other, signal.SIGCONT)
        took = self.wait_for(lambda: "nano-1" in self.nearby("nano-0"), "nano-1 was not found again")
        self.wait_for(lambda: self.ask("nano-0")["discovery"]["announced_as"] == "nano-0", "nano-0 is not announced again")
        self.wait_for(lambda: "nano-0" in self.nearby("nano-1"), "nano-0 was not found again")
        print(f"found again {took:.2f} s after both daemons were there", flush=True)

    def test_an_agent_outlives_the_system_bus(self):
        self.up_hosts()
        self.agent("nano-0")
        self.agent("nano-1")
        self.wait_for(lambda: "nano-1" in self.nearby("nano-0"), "nano-1 was not found")

        def without_bus():
            """As soon as it is started again: what comes of its end may be over before anybody looks."""
            for pid in find_cgroups(self.name).processes("nano-0/host"):
                if program_of(pid) == "dbus-daemon":
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            return self.ask("nano-0")

        self.wait_for(lambda: without_bus()["discovery"]["state"] == "absent", "nobody misses the bus")
        self.wait_for(lambda: not without_bus()["nearby"], "what was told over a dead bus is still there")

    def test_a_daemon_that_hangs_holds_up_nobody(self):
        self.up_hosts()
        first = self.avahi_pid("nano-0")
        os.kill(first, signal.SIGSTOP)
        try:
            self.agent("nano-0")
            self.assertEqual(self.ask("nano-0")["discovery"]["announced_as"], "")
        finally:
            os.kill(first, signal.SIGCONT)
        self.wait_for(lambda: self.ask("nano-0")["discovery"]["announced_as"] == "nano-0", "nano-0 is not announced")

    def test_of_two_with_the_same_name_one_is_renamed(self):
        self.up_hosts()
        about = {"nano-0": self.agent("nano-0", name="kitchen")}
        self.wait_for(lambda: self.ask("nano-0")["discovery"]["announced_as"] == "kitchen", "nano-0 is not announced")
        about["nano-1"] = self.agent("nano-1", name="kitchen")
        self.both_kitchens_are_seen(about)

    def test_a_device_whose_daemon_did_not_defend_its_name_is_renamed(self):
        self.up_hosts()
        about = {"nano-0": self.agent("nano-0", name="kitchen")}
        self.daemon_knows("nano-1", "kitchen")
        daemon = self.avahi_pid("nano-0")
        os.kill(daemon, signal.SIGSTOP)
        try:
            about["nano-1"] = self.agent("nano-1", name="kitchen")
            self.wait_for(lambda: self.ask("nano-1")["discovery"]["announced_as"] == "kitchen", "nano-1 has no name")
        finally:
            os.kill(daemon, signal.SIGCONT)
        self.both_kitchens_are_seen(about)

    def daemon_knows(self, device, name):
        """Its address too, so that it says so at once when it is asked."""
        words = ["avahi-browse", "--terminate", "--resolve", "--parsable", "_hearth._tcp"]
        self.wait_for(lambda: f";IPv4;{name};_hearth._tcp;local;" in self.exec(device, *words).stdout,
                      f"the daemon of {device} does not know {name}")

    def both_kitchens_are_seen(self, about):
        """Under names of their own. Who is renamed, and how often, is up to the daemons."""
        seen = {}

        def look():
            seen.update({device: self.ask(device) for device in about})
            names = {device: seen[device]["discovery"]["announced_as"] for device in about}
            if not all(names.values()) or len(set(names.values())) < len(names):
                return False
            for device, other in (("nano-0", "nano-1"), ("nano-1", "nano-0")):
                key = about[other]["fingerprint"]
                # Its own name has digits of the key beside it where another one bears it.
                name = f"kitchen ({key[:8]})" if names[other] == "kitchen" else names[other]
                if [each["name"] for each in seen[device]["nearby"] if each["prefix"] == key[:16]] != [name]:
                    return False
            return True

        self.wait_for(look, lambda: f"the two do not see each other: {seen}")
        for status in seen.values():
            announced = status["discovery"]["announced_as"]
            self.assertRegex(announced, r"^kitchen( #\d+)?$")
            self.assertEqual(status["discovery"]["renamed"], announced != "kitchen")
            self.assertEqual(status["name"], "kitchen")  # only the announcement is another
        print(" and ".join(status["discovery"]["announced_as"] for status in seen.values()), flush=True)

    def test_a_device_that_was_paired_without_an_address_is_found_by_its_announcement(self):
        self.up_hosts()
        for device in ("nano-0", "nano-1"):
            made = self.exec(device, AGENT, "--state", self.state_dir(device), "--name", device, "init")
            with open(os.path.join(self.folder, f"{device}.json"), "w") as file:
                json.dump({**json.loads(made.stdout), "addresses": []}, file)
        self.exec("nano-0", AGENT, "--state", self.state_dir("nano-0"), "trust", os.path.join(self.folder, "nano-1.json"))
        self.exec("nano-1", AGENT, "--state", self.state_dir("nano-1"), "trust", os.path.join(self.folder, "nano-0.json"))
        self.agent("nano-0")
        self.agent("nano-1")

        def state():
            return {each["name"]: each["state"] for each in self.ask("nano-0")["devices"]}["nano-1"]

        took = self.wait_for(lambda: state() == "ready", "they are not linked")
        # Either may have heard of the other first, and dialled it.
        self.wait_for(lambda: self.nearby("nano-0").get("nano-1", {}).get("state") == "paired", "it is not listed")

        def remembered():
            addresses = []
            for device in ("nano-0", "nano-1"):
                with open(os.path.join(self.state_dir(device), "trust.json")) as file:
                    addresses += json.load(file)["devices"][0]["addresses"]
            return addresses

        self.wait_for(remembered, "the address that was announced is not remembered")
        self.assertTrue(all(each.endswith(":47600") for each in remembered()), remembered())
        print(f"linked by announcements after {took:.2f} s", flush=True)

    def test_whoever_announces_the_key_of_a_paired_device_changes_nothing_about_it(self):
        self.up(home("three"), "--programs", PROGRAMS)
        self.run_lab("kill", "nano-2")
        state_dir = self.status("nano-0")["agent"]["state_dir"]

        def device():
            return {each["name"]: each for each in self.ask("nano-0", state_dir)["devices"]}["nano-1"]

        def trusted():
            with open(os.path.join(state_dir, "trust.json")) as file:
                return next(each for each in json.load(file)["devices"] if each["name"] == "nano-1")

        def links_lost():
            with open(os.path.join(self.folder, self.name, "devices", "nano-0", "agent.log")) as log:
                return sum("Lost the link with " + device()["id"][:16] in line for line in log)

        def about_it():
            return device(), trusted(), links_lost()

        def announce():
            """What is said of nano-1 before that, and five times after it. Afterwards nobody else announces its key."""
            self.wait_for(lambda: self.nearby("nano-0", state_dir).get("nano-1", {}).get("state") == "paired",
                          "nano-1 was not found, and alone")
            self.wait_for(lambda: device()["state"] == "ready", "nano-1 is not linked")
            before = about_it()
            others = [self.publish("nano-2", 1, name, before[0]["id"][:16]) for name in ("nano-1", "not-nano-1")]
            self.wait_for(lambda: self.nearby("nano-0", state_dir)["nano-1"]["state"] == "clone", "nobody notices the clone")
            found = self.nearby("nano-0", state_dir)["nano-1"]
            self.assertEqual(sorted(found["hosts"]), ["nano-1.local", "nano-2.local"])
            after = [about_it() for _ in range(5)]
            for other in others:
                other.stdin.close()
            return before, after

        def spoilt(said):
            before, after = said
            return after[-1][2] > before[2] and "the link with nano-1 was lost"

        before, after = undisturbed(announce, spoilt)
        self.assertEqual(after, [before] * 5)

    def test_a_paired_device_that_comes_back_is_linked_however_loud_an_impostor_is(self):
        self.up(home("three"), "--programs", PROGRAMS)
        self.run_lab("kill", "nano-2")
        self.run_lab("kill", "nano-1")
        state_dir = self.status("nano-0")["agent"]["state_dir"]

        def device():
            return {each["name"]: each for each in self.ask("nano-0", state_dir)["devices"]}["nano-1"]

        self.wait_for(lambda: device()["state"] == "lost", "nano-1 is not missed")
        self.publish("nano-2", 8, "impostor-%d", device()["id"][:16])
        self.wait_for(lambda: self.nearby("nano-0", state_dir).get("nano-1", {}).get("hosts") == ["nano-2.local"],
                      "the impostor was not seen")
        self.run_lab("start", "nano-1")
        self.wait_for(lambda: device()["state"] == "ready", "nano-1 was not linked again")
        self.assertEqual(device()["address"], "10.77.0.12:47600")

    def test_many_announcements_leave_the_list_stable(self):
        self.up_hosts()
        self.agent("nano-0")
        self.wait_for(lambda: self.ask("nano-0")["discovery"]["state"] == "running", "there is no discovery")
        self.publish("nano-1", 64, "device %02d", "%016x")
        took = self.wait_for(lambda: len(self.nearby("nano-0")) == 64, "not all 64 were found")

        def seen():
            """Without the addresses: those of a second protocol may come a moment later."""
            return {name: {**each, "addresses": []} for name, each in self.nearby("nano-0").items()}

        once = seen()
        self.assertEqual({each["state"] for each in once.values()}, {"found"})
        for _ in range(10):
            self.assertEqual(seen(), once)
        print(f"64 found in {took:.2f} s", flush=True)

    def test_whom_a_flood_kept_off_the_list_is_found_when_it_is_over(self):
        self.up_hosts("three")
        self.agent("nano-0")
        discovery = lambda: self.ask("nano-0")["discovery"]
        self.wait_for(lambda: discovery()["state"] == "running", "there is no discovery")
        # Over two protocols they are more than are looked up, and more strangers than are listed.
        floods = [self.publish(f"nano-{n}", 200, f"loud {n} %03d", f"{n}%015x") for n in (1, 2)]
        self.wait_for(lambda: len(self.nearby("nano-0")) == 256 and discovery()["crowded"], "it is not crowded")
        self.agent("nano-1", name="late")
        browse = ["avahi-browse", "--terminate", "--parsable", "_hearth._tcp"]
        self.wait_for(lambda: ";late;" in self.exec("nano-0", *browse).stdout, "the late one is not announced")
        self.assertNotIn("late", self.nearby("nano-0"))
        for flood in floods:
            flood.stdin.close()
        took = self.wait_for(lambda: set(self.nearby("nano-0")) == {"late"}, "the late one was not found")
        self.wait_for(lambda: not discovery()["crowded"], "it is still said to be crowded")
        print(f"found {took:.1f} s after the flood began to end", flush=True)

    def test_without_avahi_devices_are_linked_by_their_addresses(self):
        self.up_hosts()
        without = ["DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent"]
        self.pair("nano-0", "nano-1")
        for device in ("nano-0", "nano-1"):
            self.agent(device, environment=without)
        self.wait_for(lambda: {each["state"] for each in self.ask("nano-0")["devices"]} == {"ready"}, "they are not linked")
        self.wait_for(lambda: self.ask("nano-0")["discovery"]["state"] == "absent", "nobody misses the daemon")
        self.assertEqual(self.nearby("nano-0"), {})
