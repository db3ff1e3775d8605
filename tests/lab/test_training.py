"""Real runs over two and three devices of the lab."""
# needs: machine agent training
import glob
import json
import os
import subprocess
from unittest import mock

from labtest import FOREVER, LAB, PROGRAMS, LabCase, home, undisturbed, wait_until
from hearthlab.network import share_air
from hearthlab.places import Lab
from hearthlab.rates import parse_rate

ROUNDS = 40


class Training(LabCase):
    def job(self, rounds):
        return self.write("job.json", {
            "format": "hearth-job/1", "model": "fashion-cnn", "data": "fashion-mnist", "batch": 64, "rounds": rounds,
            "optimizer": {"kind": "sgd", "learning_rate": 0.05, "momentum": 0.9, "weight_decay": 0}, "seed": 1,
            "evaluate_every": rounds})

    def test_two_devices_train_together_and_the_loss_falls(self):
        self.up(home("two"), "--programs", PROGRAMS)
        job = self.job(ROUNDS)
        # A pipeline, so that activations and gradients cross the link.
        plan = self.write("plan.json", self.plan_in_peace("nano-0", job, 2))
        events = self.train_in_peace("nano-0", job, "--plan", plan)
        rounds = [event for event in events if event["event"] == "round"]
        losses = [event["loss"] for event in rounds]
        self.assertEqual(len(losses), ROUNDS)
        self.assertLess(sum(losses[-5:]), 0.7 * sum(losses[:5]))
        self.assertEqual([event["rounds"] for event in events if event["event"] == "finished"], [ROUNDS])
        for each in rounds:
            self.assertEqual(len(each["devices"]), 2)
            self.assertEqual(len([link for link in each["links"] if link["bytes"] > 0]), 2, each)

    def test_devices_that_share_the_air_are_planned_as_such(self):
        self.up(home("three"), "--programs", PROGRAMS)
        with mock.patch.dict(os.environ, self.env):
            lab = Lab(self.name)
        lab.load()
        share_air(lab, [device.name for device in lab.devices], parse_rate("24mbit"))
        ids = sorted(each["id"] for each in json.loads(self.exec("nano-0", "hearth", "devices", "--json").stdout)["devices"])

        def attempt():
            done = self.exec("nano-0", "hearth", "profile", "--all")
            problems = glob.glob(os.path.join(lab.state_dir("nano-0"), "runs", "*", "problem-1.json"))
            with open(max(problems, key=os.path.getmtime)) as file:
                return done.stdout, json.load(file)["links"]

        # A machine that stands still for a moment tells less, and nothing wrong.
        said, links = undisturbed(attempt, lambda found: "media" not in found[1] and f"no air was found: {found[1]}")
        self.assertEqual(sorted(nic["id"] for nic in links["nics"]), ids)
        for nic in links["nics"]:
            self.assertEqual((nic["duplex"], nic["medium"]), ("half", links["media"][0]["id"]))
        self.assertAlmostEqual(links["media"][0]["bytes_per_s"] / 3e6, 1, delta=0.25)
        self.assertRegex(said, r"nano-0: half duplex, shares the air with nano-1, nano-2")

    def test_a_worker_can_be_killed_alone(self):
        self.up(home("two"), "--programs", PROGRAMS)
        run = subprocess.Popen([LAB, "exec", "nano-0", "--", "hearth", "train", self.job(100_000), "--json"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.env)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        workers = wait_until(lambda: self.status("nano-1")["agent"]["workers"], FOREVER, "no worker runs on nano-1")
        agent = self.status("nano-1")["agent"]["pid"]
        self.assertEqual(self.run_lab("kill", "nano-1", "--worker").stdout, "nano-1: killed 1 worker\n")
        # The run soon asks for another one.
        wait_until(lambda: set(workers).isdisjoint(self.status("nano-1")["agent"]["workers"]), FOREVER, "the worker lives on")
        after = self.status("nano-1")["agent"]
        self.assertEqual((after["pid"], after["restarts"]), (agent, 0))
