"""How long a person waits for the first round of a large network."""
import json
import subprocess
import time

from home import Failed, Home
from report import judged
from texts import texts

MODEL, WORDS, SEQUENCE, BATCH, TARGET_S = "gpt2", 50257, 128, 8, 60


def start(options):
    """GPT-2's 124 million parameters in a home of three at 1 Gbit/s that measures, plans and deploys it: until it trains."""
    with Home(options.programs, "three.json", link="1gbit") as home:
        job = home.file("job.json", {
            "format": "hearth-job/1", "model": MODEL, "batch": BATCH, "rounds": 2, "evaluate_every": 0,
            "data": texts(home.folder.name, WORDS, {"tokens": SEQUENCE}, SEQUENCE),
            "optimizer": {"kind": "adamw", "learning_rate": 0.0001}})
        begun = time.monotonic()
        run = subprocess.Popen(home.exec_words(home.first, "hearth", "train", job, "--json"), stdout=subprocess.PIPE,
                               text=True)
        seconds = {}
        for line in run.stdout:
            event = json.loads(line)
            what = event["state"] if event["event"] == "state" else f"round {event['round']}" if event["event"] == "round" else ""
            seconds.setdefault(what, time.monotonic() - begun)
        if run.wait() != 0:
            raise Failed("the run did not finish")
    print(f"    measuring begins after {seconds['profiling']:.1f} s, planning {seconds['planning']:.1f} s, training "
          f"{seconds['training']:.1f} s; the first round ends after {seconds['round 1']:.1f} s, the second "
          f"{seconds['round 2'] - seconds['round 1']:.1f} s later")
    return judged("seconds until it trains", seconds["training"], TARGET_S, most=True, digits=1)
