"""What chaos is made of: schedules, moments, verdicts, and a cable that alters bytes."""
# needs: machine clocks
import itertools
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy

from labtest import LabCase, Peer, wait_until
from hearthlab.chaos import verdict
from hearthlab.chaos.conductor import Conductor
from hearthlab.chaos.faults import ALTERED_BYTES, Faults
from hearthlab.chaos.modes import INTERLEAVED, LAYERS, MODES, plan_of
from hearthlab.chaos.recoveries import recoveries_of
from hearthlab.chaos.schedule import KINDS, MOST_FAULTS, Fault, check_kinds, make_schedule
from hearthlab.chaos.tensors import largest_difference, read_tensors
from hearthlab.errors import LabError
from hearthlab.places import Lab

DEVICES = ["nano-0", "nano-1", "nano-2"]


def event(kind, **members):
    return {"event": kind, **members}


def done(*rounds):
    """Events of rounds, given as (term, number)."""
    return [event("round", term=term, round=number, version=number, loss=1 / number, round_s=0.1) for term, number in rounds]


class Schedules(unittest.TestCase):
    def test_a_seed_always_gives_the_same(self):
        for seed in range(50):
            self.assertEqual(make_schedule(seed, DEVICES, list(KINDS), 60), make_schedule(seed, DEVICES, list(KINDS), 60))

    def test_faults_meet_only_devices_that_may_have_them(self):
        seen = set()
        for seed in range(500):
            schedule = make_schedule(seed, DEVICES, list(KINDS), 60)
            self.assertTrue(1 <= len(schedule) <= MOST_FAULTS)
            self.assertFalse(schedule[0].in_recovery)
            for fault in schedule:
                seen.add(fault.kind)
                self.assertIn(fault.device == DEVICES[0],
                              {"home": [True], "away": [False], "any": [True, False]}[KINDS[fault.kind]])
                self.assertTrue(0 <= fault.fraction < 1 <= fault.heal_after)
        self.assertEqual(seen, set(KINDS))

    def test_an_unknown_kind_is_named(self):
        with self.assertRaisesRegex(LabError, "There is no fault 'flood'. There are: kill-worker"):
            check_kinds(["cut", "flood"])


class Plans(unittest.TestCase):
    def test_all_devices_get_layers_and_samples(self):
        for mode, shape, count in itertools.product(MODES, ("chain", "groups"), range(2, 7)):
            plan = plan_of(mode, shape, [f"nano-{index}" for index in range(count)])
            stages = plan["stages"]
            self.assertEqual([stages[0]["layers"][0], stages[-1]["layers"][1]], [0, LAYERS])
            for before, after in zip(stages, stages[1:]):
                self.assertEqual(before["layers"][1], after["layers"][0])
            for stage in stages:
                self.assertLess(*stage["layers"])
                self.assertEqual(sum(stage["shares"].values()), plan["micro_batch"])
                self.assertGreater(min(stage["shares"].values()), 0)
            if mode == INTERLEAVED:
                devices = [next(iter(stage["shares"])) for stage in stages]
                self.assertEqual(len(set(devices)), min(count, 4) if shape == "chain" else 2)
                self.assertTrue(all(before != after for before, after in zip(devices, devices[1:])))
            else:
                self.assertEqual(sum(len(stage["shares"]) for stage in stages), count)


class Verdicts(unittest.TestCase):
    def test_rounds_in_order_are_right(self):
        events = done((1, 1), (1, 2), (1, 3)) + [event("plan", term=2, round=2)] + done((2, 2), (2, 3), (2, 4))
        self.assertEqual(verdict.order_faults(events, 4), [])

    def test_what_is_wrong_is_named(self):
        for events, pattern in ((done((1, 1), (1, 3)), "round 3 follows round 1 in term 1"),
                                (done((1, 1), (1, 1), (1, 2), (1, 3)), "round 1 follows round 1"),
                                (done((2, 1), (1, 2), (2, 3)), "of term 1 after term 2"),
                                (done((1, 1), (2, 3)), "term 2 begins with round 3 after round 1"),
                                (done((1, 1), (1, 2)), "the last round is 2 of 3"),
                                ([event("plan", term=1, round=2), *done((1, 1), (1, 2), (1, 3))], "announced for 2"),
                                ([{**each, "version": 7} for each in done((1, 1))], "round 1 has version 7")):
            self.assertRegex("; ".join(verdict.order_faults(events, 3)), pattern)

    def test_gaps_in_the_numbers_of_events_are_seen(self):
        self.assertEqual(verdict.sequence_faults([{"seq": 1}, {"seq": 2}]), [])
        self.assertTrue(verdict.sequence_faults([{"seq": 1}, {"seq": 3}]))

    def test_a_repeated_round_must_have_the_same_loss(self):
        events = done((1, 1), (1, 2), (2, 2))
        losses = {1: 1.0, 2: 0.5}
        self.assertEqual(verdict.loss_faults(events, losses), [])
        events[2]["loss"] *= 1 + 1e-8
        self.assertRegex(verdict.loss_faults(events, losses)[0], "round 2 of term 2 has the loss 0.500000005")
        events[2]["loss"] = None
        self.assertRegex(verdict.loss_faults(events, losses)[0], "round 2 of term 2 has the loss None")

    def test_weights_are_compared_tensor_by_tensor(self):
        expected = {"a": numpy.ones(4), "b": numpy.full(4, 1e-3)}
        self.assertEqual(verdict.weight_faults(expected, expected), [])
        other = {"a": numpy.ones(4), "b": expected["b"] * (1 + 1e-9)}
        self.assertEqual(largest_difference(other, expected)[1], "b")
        self.assertTrue(verdict.weight_faults(other, expected))
        self.assertTrue(verdict.weight_faults({**expected, "b": expected["b"] * numpy.nan}, expected))
        with self.assertRaisesRegex(LabError, "differ in: \\['b'\\]"):
            largest_difference({"a": expected["a"]}, expected)

    def test_safetensors_are_read(self):
        values = numpy.array([1.5, -2.0])
        header = b'{"__metadata__":{"round":"1"},"w":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}}'
        with tempfile.NamedTemporaryFile() as file:
            file.write(len(header).to_bytes(8, "little") + header + values.tobytes())
            file.flush()
            numpy.testing.assert_array_equal(read_tensors(file.name)["w"], values)

    def test_a_recovery_belongs_to_the_last_fault_before_it(self):
        slow, cut, kill = (Fault(kind, "nano-1", 1, 0.5, False, 1) for kind in ("slow", "cut", "kill-worker"))
        events = [event("recovered", at=at, seconds=1.0) for at in (3.0, 6.0, 9.0)]
        strikes = [(0.5, slow), (1.9, cut), (4.5, cut), (5.5, kill)]
        found = [(kind, round(seconds, 6)) for kind, _, seconds in recoveries_of(events, strikes)]
        self.assertEqual(found, [("cut", 1.1), ("several", 1.5), ("after", 1.0)])


class Moments(unittest.TestCase):
    """The conductor under a clock of the test's own."""

    def setUp(self):
        self.now = 0.0
        clock = mock.patch("hearthlab.chaos.conductor.time", mock.Mock(monotonic=lambda: self.now))
        clock.start()
        self.addCleanup(clock.stop)
        self.faults = mock.Mock(broken=[])

    def conduct(self, *schedule):
        return Conductor(mock.Mock(), self.faults, schedule)

    def rounds(self, conductor, first, last):
        for number in range(first, last + 1):
            self.now += 0.1
            conductor.take({**done((1, number))[0], "at": self.now})
            conductor.act()

    def test_a_fault_comes_in_its_round_and_heals_after_some(self):
        fault = Fault("cut", "nano-1", 5, 0.5, False, 3)
        conductor = self.conduct(fault)
        self.rounds(conductor, 1, 5)
        self.faults.strike.assert_not_called()
        self.assertAlmostEqual(conductor.next_moment(), self.now + 0.05)
        self.now += 0.05
        conductor.act()
        self.faults.strike.assert_called_once_with(fault)
        self.rounds(conductor, 6, 7)
        self.faults.heal.assert_not_called()
        self.rounds(conductor, 8, 8)
        self.faults.heal.assert_called_once_with(fault)

    def test_one_in_a_recovery_follows_its_beginning(self):
        first = Fault("cut", "nano-1", 2, 0, False, 9)
        second = Fault("kill-worker", "nano-2", 50, 0.5, True, 9)
        conductor = self.conduct(first, second)
        conductor.take({"event": "state", "state": "recovering", "at": self.now})
        self.assertIsNone(conductor.due)
        self.rounds(conductor, 1, 3)
        conductor.take({"event": "state", "state": "recovering", "at": self.now})
        self.assertEqual(conductor.due, (self.now + 0.05, second))


class Cable(LabCase):
    def test_bytes_are_altered_on_their_way_and_nothing_is_lost(self):
        self.up(self.write("two.json", {"format": "hearth-lab/1", "scale": "auto", "link": "100mbit",
                                        "devices": [{"name": "a", "speed": 1}, {"name": "b", "speed": 1}]}), "--no-agents")
        with mock.patch.dict(os.environ, {"HEARTH_LAB_DIR": self.folder}):
            place = mock.Mock(lab=Lab(self.name))
            place.lab.load()
            faults = Faults(place)
            faults.alter("b")
            self.addCleanup(faults.undo_alter, "b")
            total = 4_000_000
            receiver = subprocess.Popen(
                self.words("a", f"import socket; listener = socket.create_server(('', 5000)); print('ready', flush=True); "
                                f"data = listener.accept()[0].recv({total}, socket.MSG_WAITALL); "
                                f"print(len(data), len(data) - data.count(0))"), stdout=subprocess.PIPE, text=True, env=self.env)
            self.addCleanup(receiver.stdout.close)
            self.addCleanup(receiver.wait)
            self.addCleanup(receiver.kill)
            self.assertEqual(receiver.stdout.readline(), "ready\n")
            self.exec("b", *self.words("b", f"import socket; socket.create_connection(('10.77.0.11', 5000))"
                                            f".sendall(bytes({total}))")[-3:])
            self.assertEqual(receiver.stdout.readline(), f"{total} {ALTERED_BYTES}\n")

    def words(self, device, program):
        return [os.path.join(os.path.dirname(os.path.realpath(__file__)), "lab"), "exec", device, "--", sys.executable, "-c",
                program]
