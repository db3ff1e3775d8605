"""What else there may be in a network: a second home of Hearth, and a device whose clock is a year off."""
# needs: machine agent training clocks
import json
import os
import subprocess

from agentcase import AgentCase
from labtest import FOREVER, LAB, PATIENCE, PROGRAMS, losses, undisturbed

from hearthlab.chaos.place import find_faketime

JOB = {"format": "hearth-job/1", "model": "fashion-cnn", "data": "fashion-mnist", "batch": 64, "rounds": 12,
       "optimizer": {"kind": "sgd", "learning_rate": 0.05, "momentum": 0.9, "weight_decay": 0}, "seed": 1, "evaluate_every": 12}


def four():
    return {"format": "hearth-lab/1", "scale": "auto", "link": "100mbit",
            "devices": [{"name": f"nano-{index}", "speed": 1} for index in range(4)]}


class Neighbours(AgentCase):
    def hearth(self, device, *words):
        return [os.path.join(PROGRAMS, "hearth"), *words, "--state", self.state_dir(device)]

    def devices(self, device, *options):
        return json.loads(self.exec(device, *self.hearth(device, "devices", "--json", *options)).stdout)

    def wait_until_ready(self, device, others):
        def states():
            return {each["name"]: each["state"] for each in self.devices(device)["devices"]}
        self.wait_for(lambda: states() == dict.fromkeys({device, *others}, "ready"), f"{device} is not linked")

    def findings(self, device):
        return {each["id"]: each for each in self.devices(device, "--diagnose")["findings"]}

    def test_computers_that_offer_ssh_are_looked_for_while_somebody_asks(self):
        self.up_hosts()
        self.agent("nano-0")
        publisher = subprocess.Popen([LAB, "exec", "nano-1", "--", "avahi-publish", "-s", "kitchen", "_ssh._tcp", "2222"],
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.env)
        self.addCleanup(publisher.wait)
        self.addCleanup(publisher.kill)
        self.assertEqual(self.ask("nano-0")["computers"], [])

        def kitchen():
            found = self.devices("nano-0", "--computers")["computers"]
            return next((each for each in found if each["name"] == "kitchen"), None)

        self.wait_for(lambda: "10.77.0.12" in (kitchen() or {"addresses": []})["addresses"], "the computer was not found")
        found = kitchen()
        self.assertEqual((found["host"], found["ssh_port"], found["has_hearth"]), ("nano-1.local", 2222, False))
        self.agent("nano-1")
        self.wait_for(lambda: kitchen()["has_hearth"], "nobody notices that it has Hearth")
        self.assertNotIn("kitchen", self.nearby("nano-0"))
        self.wait_for(lambda: not self.ask("nano-0")["computers"], "they are looked for without end")
        self.assertIn("nano-1", self.nearby("nano-0"))

    def test_two_homes_in_one_network_train_without_hearing_of_each_other(self):
        self.up(self.write("four.json", four()), "--no-agents")
        homes = (("nano-0", "nano-1"), ("nano-2", "nano-3"))
        keys = {}
        for members in homes:
            self.pair(*members)
            for device in members:
                keys[device] = self.agent(device)["fingerprint"]
        for own, others in (homes, homes[::-1]):
            self.wait_until_ready(own[0], own[1:])
            # The others are seen, as what they are.
            self.wait_for(lambda: {name: each["state"] for name, each in self.nearby(own[0]).items()} ==
                          {own[1]: "paired", **dict.fromkeys(others, "found")}, f"{own[0]} does not see its neighbours")

            def strangers():
                reach = [each for name, each in self.findings(own[0]).items() if name.startswith("reach:")]
                return {each["subject"] for each in reach if "not of this home" in each["finding"]}

            self.wait_for(lambda: strangers() == {f"Way to {each}" for each in others}, f"{own[0]} takes them for its own")
        job = self.write("job.json", JOB)
        runs = [subprocess.Popen([LAB, "exec", members[0], "--", *self.hearth(members[0], "train", job, "--json")],
                                 stdout=subprocess.PIPE, text=True, env=self.env) for members in homes]
        for run, members in zip(runs, homes):
            events = [json.loads(line) for line in run.communicate(timeout=2 * FOREVER * PATIENCE)[0].splitlines()]
            self.assertEqual(events[-1]["event"], "state", events[-3:])
            self.assertEqual([each["rounds"] for each in events if each["event"] == "finished"], [JOB["rounds"]])
            self.assertEqual({each["id"] for each in events if each["event"] == "device"}, {keys[each] for each in members})

    def test_a_device_whose_clock_is_a_year_off_trains_along_and_is_named(self):
        for offset, word in (("-365d", "behind"), ("+365d", "ahead")):
            with self.subTest(offset):
                self.up_hosts()
                self.pair("nano-0", "nano-1")
                self.agent("nano-0")
                self.agent("nano-1", environment=[f"LD_PRELOAD={find_faketime()}", f"FAKETIME={offset}",
                                                  "FAKETIME_DONT_FAKE_MONOTONIC=1"])
                self.wait_until_ready("nano-0", ["nano-1"])

                def found():
                    return next(each for name, each in self.findings("nano-0").items() if name.startswith("clock:"))

                self.wait_for(lambda: found()["verdict"] == "warn", "nobody warns")
                clock = found()
                self.assertIn(f"365 days {word}", clock["finding"])
                self.assertTrue(clock["cure"] and clock["command"], clock)
                job = self.write("job.json", JOB)

                def train():
                    done = self.exec("nano-0", *self.hearth("nano-0", "train", job, "--json"))
                    return [json.loads(line) for line in done.stdout.splitlines()]

                def trouble(events):
                    return losses(events) or "; ".join(each["what"] for each in events if each["event"] == "warning")

                events = undisturbed(train, trouble)
                self.assertEqual([each["rounds"] for each in events if each["event"] == "finished"], [JOB["rounds"]])
                self.assertEqual(len({each["id"] for each in events if each["event"] == "device"}), 2)
                self.assertEqual([each for each in events if each["event"] == "error"], [])
                self.run_lab("down")
