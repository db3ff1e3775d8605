#!/usr/bin/python3
"""Events in, numbers out."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import figures  # noqa: E402


def round_done(t, number, term=1, seconds=0.1):
    return {"event": "round", "t": t, "round": number, "term": term, "round_s": seconds}


def lost(t, device, number):
    return {"event": "lost", "t": t, "id": device, "round": number, "cause": "killed"}


def recovered(t, term, replayed):
    return {"event": "recovered", "t": t, "term": term, "method": "lightweight", "moved_bytes": 7, "seconds": 0.5,
            "replayed_rounds": replayed, "detect_s": 0.1, "plan_s": 0, "move_s": 0.2, "rebuild_s": 0.1, "replay_s": 0.1}


def replica(version):
    return {"event": "replica", "t": 0, "version": version}


class Percentiles(unittest.TestCase):
    def test_are_values_that_occurred(self):
        values = list(range(20, 0, -1))
        self.assertEqual(figures.percentile(values, 0.95), 19)
        self.assertEqual(figures.percentile(values, 1), 20)
        self.assertEqual(figures.percentile([*values, 21], 0.95), 20)

    def test_of_one_value_are_that_value(self):
        self.assertEqual(figures.percentile([3], 0.5), 3)


class Roles(unittest.TestCase):
    def test_members_of_groups_come_before_places(self):
        plan = {"stages": [{"shares": {"a": 4, "b": 4}}, {"shares": {"c": 8}}, {"shares": {"d": 8}}]}
        self.assertEqual(figures.roles(plan), {"a": "member", "b": "member", "c": "lone", "d": "last"})

    def test_a_single_stage_is_the_first(self):
        self.assertEqual(figures.roles({"stages": [{"shares": {"a": 8}}]}), {"a": "first"})

    def test_moments_have_names(self):
        self.assertEqual([figures.third(phase) for phase in (0, 0.34, 0.67, 1)], ["early", "middle", "late", "late"])


class Recoveries(unittest.TestCase):
    EVENTS = [round_done(1.0, 8), lost(1.5, "a", 9), round_done(2.0, 7, 2), recovered(2.0, 2, 2), round_done(2.1, 8, 2),
              round_done(2.2, 9, 2)]

    def test_are_known_when_the_lost_round_is_done_again(self):
        for count in range(len(self.EVENTS)):
            self.assertIsNone(figures.recovery(self.EVENTS[:count], "a", 1))
        found = figures.recovery(self.EVENTS, "a", 1)
        self.assertEqual((found["lost"], found["first"], found["caught_up"]), (1.5, 2.0, 2.2))
        self.assertEqual((found["terms"], found["replayed_rounds"], found["move_s"]), (1, 2, 0.2))

    def test_of_another_device_do_not_count(self):
        self.assertIsNone(figures.recovery(self.EVENTS, "b", 1))
        self.assertEqual(figures.others_lost(self.EVENTS, "b"), ["a"])
        self.assertEqual(figures.others_lost(self.EVENTS, "a"), [])

    def test_that_take_two_terms_end_with_the_first_step(self):
        events = [lost(1, "a", 9), lost(1.2, "b", 9), round_done(3, 9, 3), recovered(3, 3, 0)]
        found = figures.recovery(events, "a", 1)
        self.assertEqual((found["first"], found["terms"]), (3, 2))

    def test_make_rows_by_kind(self):
        parts = dict.fromkeys(figures.PARTS, 0.1)
        faults = [{"kind": "cut", "wall_s": wall, "known_s": 1, "caught_up_s": 4, "replayed_rounds": 2, **parts}
                  for wall in (2, 3, 4)]
        faults.append({"kind": "kill", "wall_s": None})
        rows = figures.recovery_rows(faults, lambda each: each["kind"])
        self.assertEqual(rows[0][:5], ["cut", "3", "3.00", "4.00", "4.00"])
        self.assertEqual(rows[1][:2], ["kill", "0 of 1"])
        self.assertEqual({len(row) for row in rows}, {len(figures.RECOVERY_HEAD)})


class Rates(unittest.TestCase):
    def test_count_the_rounds_between_two_times(self):
        events = [round_done(t / 10, t) for t in range(1, 31)]
        self.assertAlmostEqual(figures.throughput(events, 64, 1.0, 2.0), 640)
        self.assertIsNone(figures.throughput(events, 64, 2.9, 9))

    def test_windows_of_copies_end_with_the_last_copy(self):
        events = [round_done(0, 4), round_done(0, 5), replica(4), round_done(0, 6), replica(4), round_done(0, 7)]
        self.assertEqual(figures.copy_windows(events), [(4, 7)])

    def test_rounds_with_copies_are_compared_with_others(self):
        seconds = {4: 0.3, 5: 0.2}
        events = []
        for number in range(1, 13):
            events.append(round_done(number, number, 1, seconds.get(number, 0.1)))
            if number == 4:
                events.append(replica(4))
        self.assertEqual(figures.copying(events), [(0.3, 0.1)])
        self.assertEqual(figures.copying(events, skip=6), [])

    def test_many_rounds_with_copies_are_compared_with_as_many_others(self):
        def run(last):  # two copies are under way for `last` - 3 rounds; every sixth round takes longer
            events = [round_done(number, number, 1, 0.3 if number % 6 == 0 else 0.1) for number in range(1, 31)]
            events.insert(4, replica(4))
            events.insert(last, replica(4))
            return events
        self.assertEqual(figures.copying(run(4)), [(0.1, 0.1)])
        self.assertEqual(figures.copying(run(8)), [(0.3, 0.3)])
        self.assertEqual(figures.copying(run(29)), [])

    def test_copies_cost_what_their_rounds_take_more_than_those_around(self):
        events = [round_done(number, number) for number in range(1, 11)]
        events.insert(5, replica(4))
        cpu = {number: 1.0 for number in range(1, 11)} | {4: 1.5, 5: 1.5, 6: 1.5, 9: 100.0}
        self.assertEqual(figures.copy_windows(events), [(4, 6)])
        self.assertIsNone(figures.copying_share(events[:1], cpu))
        del cpu[9]
        self.assertAlmostEqual(figures.copying_share(events, cpu), 1.5 / 10.5)


class Tables(unittest.TestCase):
    def test_are_markdown(self):
        self.assertEqual(figures.table(["a", "b"], [["1", "2"]]), "| a | b |\n| --- | --- |\n| 1 | 2 |")


unittest.main()
