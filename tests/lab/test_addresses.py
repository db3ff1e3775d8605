"""Runs of devices whose addresses go and change, as when a Wi-Fi is away, or a router gives out others."""
# needs: machine agent training
import itertools

from labtest import FOREVER, PATIENCE, PROGRAMS, LabCase, home, losses, undisturbed, wait_until

FIRST, SECOND = "10.77.0.11", "10.77.0.12"
AWAY = 5  # seconds: longer than a silent device is waited for
SOON = 15  # seconds: less than until a connection that is stuck is given up, or a call to halt
UNREACHED = "did not reach another one"


class Addresses(LabCase):
    def setUp(self):
        super().setUp()
        self.free = (f"10.77.0.{number}" for number in itertools.count(100))
        self.up(home("two"), "--no-agents", "--programs", PROGRAMS)
        self.start_agents({("nano-0", "nano-1"): SECOND, ("nano-1", "nano-0"): FIRST})
        self.job = self.write("job.json", {
            "format": "hearth-job/1", "model": "fashion-cnn", "data": "fashion-mnist", "batch": 64, "rounds": 100_000,
            "optimizer": {"kind": "sgd", "learning_rate": 0.05, "momentum": 0.9, "weight_decay": 0}, "seed": 1,
            "evaluate_every": 0})

    def wait_for(self, run, condition, what):
        """Its value."""
        value = wait_until(lambda: condition() or run.poll() is not None, FOREVER, lambda: what + self.told())
        self.assertIsNone(run.poll(), self.events("error"))
        return value

    def told(self):
        """What the run has told, but for its rounds, and the ends of what all its programs have."""
        with open(self.log) as lines:
            events = [line[:300].rstrip() for line in lines if '"event":"round"' not in line]
        return "".join(f"\n{line}" for line in events[-60:]) + self.logs(20_000)

    def stop(self, run):
        self.exec("nano-0", "hearth", "stop", self.events("run")[0]["id"])
        wait_until(lambda: run.poll() is not None, FOREVER, "the run does not stop")

    def test_the_worker_of_the_runs_own_device_needs_no_address(self):
        def train():
            run = self.begin_training("nano-0", self.job, "--devices", "nano-0")
            self.wait_for(run, lambda: self.events("round"), "no round was done")
            self.run_lab("address", "nano-0", "none")
            gone = self.events("round")[-1]["t"]
            self.wait_for(run, lambda: self.events("round")[-1]["t"] > gone + AWAY, "no round was done without an address")
            self.run_lab("restore", "nano-0")
            done = len(self.events("round"))
            self.wait_for(run, lambda: len(self.events("round")) > done, "no round was done with the address again")
            self.stop(run)
            return losses(self.events("lost"))

        undisturbed(train, lambda lost: lost)

    def test_a_run_goes_on_with_a_device_whose_address_changes(self):
        self.goes_on_when_the_address_changes_of("nano-1", FOREVER)

    def test_a_run_goes_on_when_the_address_of_its_own_device_changes(self):
        self.goes_on_when_the_address_changes_of("nano-0", SOON)

    def goes_on_when_the_address_changes_of(self, device, limit):
        plan = self.write("plan.json", self.plan_in_peace("nano-0", self.job, 2))

        def train():
            run = self.begin_training("nano-0", self.job, "--plan", plan)
            self.wait_for(run, lambda: self.events("round"), "no round was done")
            other = next(each["id"] for each in self.events("device") if each["name"] == "nano-1")
            changed = self.events("round")[-1]["t"]
            self.run_lab("address", device, next(self.free))
            self.wait_for(run, lambda: self.events("joined"), "nano-1 did not come back")
            back = self.events("joined")[-1]["seq"]
            took = self.wait_for(run, lambda: self.trained_together(back), "it came back in vain") - changed
            self.stop(run)
            late = took > limit * PATIENCE and f"they trained together again after {took:.1f} s"
            wrong = losses(self.events("lost"), other, other) or self.unreached() or late
            return wrong and wrong + self.told()

        undisturbed(train, lambda wrong: wrong)

    def trained_together(self, since):
        """When after that event the first round was done by both."""
        return next((each["t"] for each in self.events("round") if each["seq"] > since and len(each["devices"]) == 2), None)

    def unreached(self):
        return "; ".join(each["what"] for each in self.events("warning") if UNREACHED in each["what"])
