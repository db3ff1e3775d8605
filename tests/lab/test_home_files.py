"""Home files: what they may say, how they are scaled, what their errors tell."""
import copy
import glob
import json
import os
import tempfile
import unittest

from labtest import HOMES

from hearthlab.errors import LabError
from hearthlab.home import load_home, read_home
from hearthlab.rates import bucket, format_rate, largest_send, parse_rate

CORES, MEMORY = 2, 16 * 10**9
TWO = {"format": "hearth-lab/1", "scale": "auto", "link": "100mbit",
       "devices": [{"name": "nano-0", "speed": 1}, {"name": "nano-1", "speed": 3, "up": "20mbit", "memory": "1.5GB"}]}


def read(value):
    return read_home(value, "home.json", CORES, MEMORY)


def changed(**members):
    return {**copy.deepcopy(TWO), **members}


def device(**members):
    """The home with its second device changed."""
    home = copy.deepcopy(TWO)
    home["devices"][1].update(members)
    return home


class HomeFiles(unittest.TestCase):
    def test_speeds_become_parts_of_four_fifths_of_the_cores(self):
        first, second = read(TWO)
        self.assertAlmostEqual(first.cpu, 0.3333, 3)  # 1.0 is all that one thread can use
        self.assertAlmostEqual(second.cpu, 1.0)
        first, second = read(device(threads=2))
        self.assertAlmostEqual(first.cpu, 0.4)
        self.assertAlmostEqual(second.cpu, 1.2)

    def test_links_are_the_homes_unless_a_device_says_otherwise(self):
        first, second = read(TWO)
        self.assertEqual((first.up, first.down), (10**8, 10**8))
        self.assertEqual((second.up, second.down), (2 * 10**7, 10**8))
        self.assertNotEqual(first.address, second.address)

    def test_memory_shrinks_together_where_the_machine_has_too_little(self):
        self.assertEqual([each.memory for each in read(TWO)], [0, 1_500_000_000])
        home = device(memory="32GB")
        home["devices"][0]["memory"] = "16GB"
        small, large = read(home)
        self.assertAlmostEqual(large.memory / small.memory, 2, 6)
        self.assertAlmostEqual(small.memory + large.memory, 0.8 * MEMORY, delta=10)

    def test_without_scale_numbers_count_as_they_stand(self):
        home = changed(scale="none", devices=[{"name": "a", "cpu": 0.25}, {"name": "b", "cpu": 1.25, "threads": 2}])
        self.assertEqual([each.cpu for each in read(home)], [0.25, 1.25])

    def test_a_pinned_device_has_a_whole_core(self):
        home = changed(scale="none", devices=[{"name": "a", "core": 1}, {"name": "b", "cpu": 0.5}])
        self.assertEqual([(each.cpu, each.core) for each in read(home)], [(1, 1), (0.5, -1)])

    def test_devices_that_stay_share_cores_on_which_they_fit(self):
        speeds = (3, 3, 3, 2, 2)
        home = changed(stay=True, devices=[{"name": f"d{index}", "speed": speed} for index, speed in enumerate(speeds)])
        devices = read(home)
        self.assertEqual([each.stays_on for each in devices], [0, 1, 0, 1, 1])
        for core in range(CORES):
            self.assertLessEqual(sum(each.cpu for each in devices if each.stays_on == core), 1)
        self.assertEqual({each.stays_on for each in read(changed(stay=False))}, {-1})
        pinned, other = read(changed(scale="none", stay=True, devices=[{"name": "a", "core": 0}, {"name": "b", "cpu": 0.5}]))
        self.assertEqual((pinned.stays_on, other.stays_on), (-1, 1))

    def test_the_shipped_homes_fit_two_cores_and_keep_their_ratios(self):
        files = glob.glob(os.path.join(HOMES, "*.json"))
        self.assertGreaterEqual(len(files), 8)
        for file in files:
            with self.subTest(os.path.basename(file)):
                devices = load_home(file, CORES, MEMORY)
                pinned = [each for each in devices if each.core >= 0]
                self.assertLessEqual(sum(each.cpu for each in devices), (2 if pinned else 1.6) + 1e-3)
                with open(file) as text:
                    speeds = [each.get("speed", 1) for each in json.load(text)["devices"]]
                for each, speed in zip(devices, speeds):
                    self.assertAlmostEqual(each.cpu / devices[0].cpu, speed / speeds[0], 2)

    def test_errors_name_the_member_and_what_is_possible(self):
        for home, words in (
                (changed(format="hearth-lab/9"),
                 'home.json: the member "format" cannot be "hearth-lab/9". Write "hearth-lab/1"'),
                (changed(scale="big"), '"scale" cannot be "big"'),
                (changed(link="fast"), '"link" cannot be "fast". Write a number and kbit, mbit or gbit'),
                (changed(link="0mbit"), "shapes 100kbit to 40gbit"),
                (changed(link=100), '"link" cannot be 100'),
                (changed(devices=[]), "a list of 1 to 64 devices"),
                (changed(devices=[TWO["devices"][0]] * 2), 'two devices are called "nano-0"'),
                (changed(lnik="1mbit"), 'there is no member "lnik". Did you mean "link"?'),
                (device(sped=2), 'device 2: there is no member "sped". Did you mean "speed"?'),
                (device(cpu=1), 'device 2: there is no member "cpu"'),
                (device(name="Nano 1"), '"name" cannot be "Nano 1". Use 1 to 32 small letters'),
                (device(name="../etc"), "Use 1 to 32 small letters"),
                (device(name=""), "Use 1 to 32 small letters"),
                (device(speed=0), '"speed" cannot be 0. Give a number from 0.001 to 1000'),
                (device(speed=-1), '"speed" cannot be -1'),
                (device(speed="fast"), '"speed" cannot be "fast"'),
                (device(speed=True), '"speed" cannot be true'),
                (device(speed=100), "would get 0.010 cores of this machine's 2. The kernel gives 0.1 at least"),
                (device(threads=1.5), '"threads" cannot be 1.5. Give a whole number'),
                (device(threads=0), '"threads" cannot be 0'),
                (device(memory="lots"), 'for instance "2.5GB"'),
                (device(memory="1MB"), "A device needs 64 MiB at least"),
                (device(up="1000gbit"), '"up" cannot be "1000gbit"'),
                (changed(scale="none", devices=[{"name": "a", "cpu": 1.7, "threads": 2}]),
                 "together have 1.7 cores. At most 1.6"),
                (changed(scale="none", devices=[{"name": "a", "cpu": 1.5}]), "has 1.5 cores and 1 threads"),
                (changed(stay=1), 'the member "stay" cannot be 1. Write true or false.'),
                (changed(stay=True, devices=[{"name": "a", "speed": 1, "threads": 2}]), "a cannot stay on a core."),
                (changed(scale="none", stay=True, devices=[{"name": name, "cpu": 0.53} for name in "abc"]),
                 "c cannot stay on a core. It has 0.53 cores and 1 threads; 0.47 of a core is left."),
                (changed(scale="none", devices=[{"name": "a", "core": 2}]), "a cannot have core 2. The machine has cores 0 to 1"),
                (changed(scale="none", devices=[{"name": "a", "core": 0}, {"name": "b", "core": 0}]), "one device each"),
                (changed(scale="none", devices=[{"name": "a", "core": 0, "cpu": 0.5}]), '"core" cannot be 0. It has "cpu", too.'),
                (changed(scale="none", devices=[{"name": "a", "core": 0}, {"name": "b", "cpu": 0.9}]),
                 "together have 0.9 cores. At most 0.8"),
                (changed(scale="none", devices=[{"name": "a", "cpu": 0.05}]),
                 '"cpu" cannot be 0.05. Give a number from 0.1'),
                (changed(scale="none", devices=[{"name": "a", "cpu": 1, "memory": "64GB"}]), "64000 MB of memory"),
                ([1], "is not an object"),
                (changed(devices=["nano"]), "device 1 is not an object")):
            with self.subTest(words):
                with self.assertRaises(LabError) as caught:
                    read(home)
                self.assertIn(words, str(caught.exception))
        for missing in ("format", "scale", "link", "devices"):
            home = changed()
            del home[missing]
            with self.subTest(f"without {missing}"), self.assertRaisesRegex(LabError, missing):
                read(home)

    def test_files_that_cannot_be_read_are_named(self):
        with self.assertRaisesRegex(LabError, "/no/such.json cannot be read. No such file"):
            load_home("/no/such.json")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write('{"format": ')
            file.flush()
            with self.assertRaisesRegex(LabError, "is not JSON"):
                load_home(file.name)

    def test_rates_are_read_as_they_are_written(self):
        for text, bits in (("100kbit", 10**5), ("1mbit", 10**6), ("2.5gbit", 25 * 10**8)):
            self.assertEqual(parse_rate(text), bits)
            self.assertEqual(format_rate(bits), text)

    def test_buckets_hold_a_frame_at_any_rate_and_little_of_it(self):
        for bits in (10**5, 10**6, 10**8, 10**9, 10**10):
            burst, limit = bucket(bits)
            self.assertGreaterEqual(burst, 1514)
            self.assertGreaterEqual(limit, 2 * burst)
            if bits >= 10**8:
                self.assertLessEqual(burst / (bits / 8), 0.002)

    def test_what_tcp_sends_at_a_time_fits_a_bucket_with_all_headers(self):
        for bits in (10**5, 10**6, 10**8, 10**9, 10**10):
            piece = largest_send(bits)
            self.assertGreaterEqual(piece, 2 * 1448)
            self.assertLessEqual(piece, 65536)
            self.assertLessEqual(piece / 1448 * 1514, bucket(bits)[0])
