"""The lab's promises measured: rates, shares of the processor, memory. To be run alone."""
# needs: machine
from labtest import FOREVER, LabCase, Peer, home

FIRST, SECOND = "10.77.0.11", "10.77.0.12"
TOLERANCE = 0.15
ATTEMPTS = 3  # other programs on the machine make transfers and loops slower, never faster


class Measures(LabCase):
    def assert_near(self, expected, measure, what):
        """Never above the expected value, and once near it."""
        values = []
        while len(values) < ATTEMPTS:
            values.append(measure())
            self.assertLess(values[-1], expected * (1 + TOLERANCE), what)
            if values[-1] > expected * (1 - TOLERANCE):
                return
        self.fail(f"{what}: expected {expected:g}, measured {values}")

    def rate(self, sender, receiver, address, total):
        receiver.ask("receive")
        sender.tell("stream", address, total)
        rate = float(receiver.expect("rate"))
        sender.expect("stream")
        return rate

    def test_links_carry_their_rate_in_each_direction(self):
        self.up(home("two"), "--no-agents")
        here, there = Peer(self, "nano-0"), Peer(self, "nano-1")

        def assert_rates(out, into, seconds):
            """Megabits per second that nano-0 can send and receive; frames are 1514 bytes for 1448 of a stream."""
            for expected, pair in ((out, (here, there, SECOND)), (into, (there, here, FIRST))):
                payload = expected * 125_000 * 1448 / 1514
                self.assert_near(payload, lambda p=pair, b=payload: self.rate(*p, int(b * seconds)), f"{expected} Mbit/s")

        assert_rates(100, 100, 1)
        self.run_lab("rate", "nano-0", "20mbit", "--up")
        assert_rates(20, 100, 1)
        self.run_lab("rate", "nano-0", "40mbit", "--down")
        assert_rates(20, 40, 1)
        for device in ("nano-0", "nano-1"):
            self.run_lab("rate", device, "1gbit")
        assert_rates(1000, 1000, 1)
        self.run_lab("rate", "nano-0", "1mbit")
        assert_rates(1, 1, 2)

    def test_devices_get_their_share_of_the_processor(self):
        self.up(home("one-to-ten"), "--no-agents")
        peers = {name: Peer(self, name) for name in ("fast-0", "slow-0")}

        def share(name):
            return float(peers[name].ask("compute", 1))

        for name in peers:
            self.assert_near(self.status(name)["cpu"], lambda name=name: share(name), name)
        self.assertAlmostEqual(self.status("fast-0")["cpu"] / self.status("slow-0")["cpu"], 10, 1)
        self.run_lab("slow", "fast-0", "4")
        self.assert_near(self.status("fast-0")["cpu"], lambda: share("fast-0"), "a slowed device")
        self.run_lab("slow", "slow-0", "4")  # below the kernel's smallest quota of 10 ms
        self.assert_near(self.status("slow-0")["cpu"], lambda: share("slow-0"), "a slow device, slowed")
        self.assertGreater(self.status("fast-0")["cpu_seconds"], 0.3)

    def test_a_device_has_no_more_memory_than_its_limit(self):
        self.up(self.write("small.json", {"format": "hearth-lab/1", "scale": "auto", "link": "100mbit", "devices": [
            {"name": "small", "speed": 1, "memory": "128MiB"}, {"name": "free", "speed": 1}]}), "--no-agents")
        small, free = Peer(self, "small"), Peer(self, "free")
        self.assertEqual(int(small.ask("allocate", 50 << 20)), 50 << 20)
        self.assertEqual(int(free.ask("allocate", 200 << 20)), 200 << 20)
        small.tell("allocate", 200 << 20)
        self.assertEqual(small.process.wait(timeout=FOREVER), -9)  # as a device that runs out of memory ends it
