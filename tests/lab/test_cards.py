"""A home of two networks: some devices have a card in each, and no address of theirs is the one for everybody."""
# needs: machine agent training
from labtest import PROGRAMS, LabCase, home

from hearthlab.processes import run_tool

DEVICES = ["nano-0", "nano-1", "nano-2"]
FIRST, SECOND = "10.77.0.", "10.78.0."
# nano-0 and nano-1 meet on the first network, nano-2 is on the second one only.
SEEN = {("nano-0", "nano-1"): FIRST, ("nano-1", "nano-0"): FIRST}


class Cards(LabCase):
    def plug_second_network(self):
        switch = f"hl.{self.name}"
        run_tool("ip", "-n", switch, "link", "add", "br1", "type", "bridge", "stp_state", "0", "forward_delay", "0")
        run_tool("ip", "-n", switch, "link", "set", "br1", "up")
        for index, device in enumerate(DEVICES):
            inside = f"{switch}.{device}"
            run_tool("ip", "-n", switch, "link", "add", f"q{index}", "type", "veth", "peer", "name", "eth1", "netns", inside)
            run_tool("ip", "-n", switch, "link", "set", f"q{index}", "master", "br1", "up")
            run_tool("ip", "-n", inside, "address", "add", f"{SECOND}{11 + index}/24", "dev", "eth1")
            run_tool("ip", "-n", inside, "link", "set", "eth1", "up")
        run_tool("ip", "-n", f"{switch}.nano-2", "link", "set", "eth0", "down")

    def test_each_device_finds_the_others_where_it_sees_them(self):
        self.up(home("three"), "--no-agents", "--programs", PROGRAMS)
        self.plug_second_network()
        self.start_agents({(of, other): f"{SEEN.get((of, other), SECOND)}{11 + index}"
                           for of in DEVICES for index, other in enumerate(DEVICES) if other != of})
        job = self.write("job.json", {
            "format": "hearth-job/1", "model": "fashion-cnn", "data": "fashion-mnist", "batch": 64, "rounds": 10,
            "optimizer": {"kind": "sgd", "learning_rate": 0.05, "momentum": 0.9, "weight_decay": 0}, "seed": 1})
        # One stage each: whatever the order, nano-1 and nano-2 have to reach each other, or the device with the data.
        plan = self.write("plan.json", self.plan_in_peace("nano-0", job, 3))
        events = self.train_in_peace("nano-0", job, "--plan", plan)
        self.assertEqual([event["rounds"] for event in events if event["event"] == "finished"], [10])
        self.assertEqual([event for event in events if event["event"] == "lost"], [])
