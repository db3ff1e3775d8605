#!/usr/bin/python3
"""What tests/bench/record writes into the manual."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
path = str(pathlib.Path(__file__).resolve().parent / "record")
loader = importlib.machinery.SourceFileLoader("record", path)
record = importlib.util.module_from_spec(importlib.util.spec_from_loader("record", loader))
loader.exec_module(record)


class RecordTest(unittest.TestCase):
    def test_a_table_is_taken_out_of_what_is_printed(self):
        text = record.section("play", "bench/play", "Playing", "warming up\n| a | b |\n|---|---|\n| 1 | 2 |\n")
        self.assertIn("| a | b |\n|---|---|\n| 1 | 2 |", text)
        self.assertNotIn("warming up", text)

    def test_words_are_taken_whole(self):
        self.assertIn("```\n6.0 us\n```", record.section("simulate", "bench/simulate", "Simulating", "6.0 us\n"))

    def test_a_section_takes_the_place_of_its_older_one_alone(self):
        page = record.put("# Measured\n", "play", "<!-- record: play -->\nold\n<!-- end: play -->\n")
        page = record.put(page, "edits", "<!-- record: edits -->\nkept\n<!-- end: edits -->\n")
        page = record.put(page, "play", "<!-- record: play -->\n\\1 new\n<!-- end: play -->\n")
        self.assertNotIn("old", page)
        self.assertEqual((page.count("\\1 new"), page.count("kept"), page.count("## Recorded")), (1, 1, 1))

    def test_date_commit_and_machine_are_told(self):
        text = record.section("play", "bench/play", "Playing", "1")
        self.assertRegex(text, r"`bench/play`, \d{4}-\d\d-\d\d, commit \w+(-dirty)?, \d+ cores of ")


if __name__ == "__main__":
    unittest.main()
