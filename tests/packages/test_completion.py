#!/usr/bin/python3
"""Completion of commands, options, devices, runs, models and planners in bash, zsh and fish, from the build's own words:
test_completion.py BUILD. No program of Hearth is where the shells could find it."""
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import completion  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1))
RUNS = ["2026-01-02-0304-abcd", "2026-02-03-0405-bcde", "the first"]  # one of them with a name
PLACES = {"bash": "bash-completion/completions/{}", "zsh": "zsh/vendor-completions/_{}", "fish": "fish/vendor_completions.d/{}.fish"}


def lay_out(share):
    for shell, place in PLACES.items():
        for program in ("hearth", "hearth-agent"):
            target = share / place.format(program)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(BUILD / "installed_files" / f"{program}.{shell}", target)
    (share / "hearth").mkdir()
    shutil.copy(BUILD / "installed_files/completion-words", share / "hearth")
    shutil.copy(HERE.parent.parent / "resources/packages/completion/candidates", share / "hearth")


def make_home(state):
    for run in RUNS[:2]:
        (state / "runs" / run).mkdir(parents=True)
    (state / "sweeps/rates").mkdir(parents=True)
    own = {"format": "hearth-device/1", "name": "laptop"}
    others = [{"addresses": ["10.0.0.7:47600"], "fingerprint": "ab" * 32, "name": name} for name in ("nano-1", "Anna's box")]
    # As Qt writes them.
    for run, name in zip(RUNS, ("", RUNS[2])):
        label = {"format": "hearth-label/1", "name": name, "note": "", "starred": True, "tags": []}
        (state / "runs" / run / "label.json").write_text(json.dumps(label, indent=4, sort_keys=True))
    (state / "device.json").write_text(json.dumps(own, indent=4, sort_keys=True))
    (state / "trust.json").write_text(json.dumps({"devices": others, "format": "hearth-trust/1"}, indent=4, sort_keys=True))


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.temporary.name)
        cls.share, cls.home, cls.other = folder / "share", folder / "home", folder / "other"
        lay_out(cls.share)
        make_home(cls.home / ".local/share/hearth")
        (cls.other / "runs/elsewhere").mkdir(parents=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def candidates(self, *words):
        return completion.run([self.share / "hearth/candidates", *words], self.home)

    def test_words_of_the_program_are_known(self):
        completion.check_in_bash(self, self.share)

    def test_runs_are_those_of_the_home(self):
        self.assertEqual(self.candidates("attach", ""), RUNS)
        self.assertEqual(self.candidates("train", "--resume", ""), RUNS)
        self.assertEqual(self.candidates("attach", RUNS[0], ""), [])
        self.assertEqual(self.candidates("label", RUNS[0], ""), RUNS)
        self.assertEqual(self.candidates("sweep", "--resume", ""), ["rates"])
        self.assertEqual(self.candidates("attach", "--state", str(self.other), ""), ["elsewhere"])
        self.assertEqual(self.candidates("attach", f"--state={self.other}", ""), ["elsewhere"])

    def test_devices_are_those_of_the_home(self):
        everybody = ["laptop", "nano-1", "Anna's box"]
        for words in (["limits"], ["leave", RUNS[0]], ["rename"]):
            self.assertEqual(self.candidates(*words, ""), everybody)
        self.assertEqual(self.candidates("forget", ""), everybody[1:])
        self.assertEqual(self.candidates("train", "--devices", "nano-1,"), ["nano-1,laptop", "nano-1,Anna's box"])
        self.assertEqual(self.candidates("forget", "--state", str(self.other), ""), [])

    def test_files_folders_and_words_that_an_option_names(self):
        self.assertEqual(self.candidates("save", RUNS[0], ""), [":files"])
        self.assertEqual(self.candidates("predict", RUNS[0], ""), [":files"])
        self.assertEqual(self.candidates("predict", RUNS[0], "new.csv", ""), [":files"])
        self.assertEqual(self.candidates("data", "add", "pets", ""), [":files"])
        self.assertEqual(self.candidates("data", "add", "reviews", "reviews.csv", "--tokenizer", ""), [":files"])
        self.assertEqual(self.candidates("export", ""), [*RUNS, ":files"])
        self.assertEqual(self.candidates("export", RUNS[0], "--onnx", ""), [":files"])
        self.assertEqual(self.candidates("export", RUNS[0], "--peft", ""), [":folders"])
        self.assertIn("fashion-cnn", self.candidates("export", RUNS[0], "--from", ""))
        self.assertEqual(self.candidates("runs", "--state", ""), [":folders"])
        self.assertIn("fashion-cnn", self.candidates("demo", "--model", ""))
        self.assertEqual(self.candidates("plan", "--duplex", ""), ["half", "full"])
        self.assertEqual(self.candidates("plan", "--planner", "hearth", "--steps", ""), [])

    def test_words_that_are_no_words_of_hearth_do_no_harm(self):
        for word in ("$(touch x)", "a/e touch x", "*", "--x/;w y", "\\"):
            if not word.startswith("--"):
                self.assertEqual(self.candidates(word, ""), [])
            self.assertEqual(self.candidates("plan", "--planner", word, "--duplex", ""), ["half", "full"])

    def test_bash_quotes_what_it_would_not_quote_itself(self):
        self.assertEqual(completion.bash(self.share, "hearth", "attach", "the", home=self.home), [r"the\ first"])
        self.assertEqual(completion.bash(self.share, "hearth", "export", "the", home=self.home), ["the first"])

    def ask(self, shell):
        if not completion.has(shell):
            self.skipTest(f"{shell} is not installed")
        ask = getattr(completion, shell)
        return lambda *words: [re.sub(r"\\(.)", r"\1", each) for each in ask(self.share, *words, home=self.home)]

    def check(self, shell):
        ask = self.ask(shell)
        self.assertIn("devices", ask("hearth", "dev"))
        self.assertIn("--planner", ask("hearth", "plan", "--pl"))
        self.assertIn("asteroid", ask("hearth", "plan", "--planner", "as"))
        self.assertIn(RUNS[0], ask("hearth", "attach", "2026"))
        self.assertIn("nano-1", ask("hearth", "forget", "na"))
        self.assertIn("mobilenetv2", ask("hearth", "model", "mob"))
        self.assertIn("Anna's box", ask("hearth", "forget", "An"))
        self.assertIn("trust", ask("hearth-agent", "tr"))
        self.assertIn("--group-socket", ask("hearth-agent", "--g"))

    def test_bash(self):
        self.check("bash")

    def test_zsh(self):
        self.check("zsh")

    def test_fish(self):
        self.check("fish")


unittest.main(verbosity=2)
