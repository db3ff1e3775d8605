"""How long a person waits for the first round."""
import json
import os
import pathlib
import subprocess
import time

from home import Failed, Home
from report import judged
from texts import texts

MODEL, WORDS, SEQUENCE, BATCH, TARGET_S = "gpt2", 50257, 128, 8, 60


PICTURES = {"scale": 1 / 255, "pad": [2, 2], "repeat_channels": 3}
SOONER, PART = 5, 0.15  # with what is predicted instead of measured


def kernel_seconds():
    """Of the processors, so far, for all workers. Most of it is memory that is new to them: where the host of a virtual machine
    has to fetch that, a first round takes far longer than those after it, however it was planned."""
    ticks = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = stat.read_text().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue  # it has just ended
        ticks += int(fields.split()[12]) if name == "hearth-worker" else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def states(home, job):
    """Seconds until each state and the end of each round; what the first plan and the first round say that they took."""
    begun = time.monotonic()
    run = subprocess.Popen(home.exec_words(home.first, "hearth", "train", job, "--json"), stdout=subprocess.PIPE, text=True)
    seconds = {}
    for line in run.stdout:
        event = json.loads(line)
        what = event["state"] if event["event"] == "state" else f"round {event['round']}" if event["event"] == "round" else ""
        seconds.setdefault(what, time.monotonic() - begun)
        if event["event"] == "plan":
            prediction = event["plan"].get("prediction", {})
            seconds.setdefault("planning_s", prediction.get("planning_s", 0))
            seconds.setdefault("round_predicted_s", prediction.get("round_s", 0))
            seconds.setdefault("relative_error", prediction.get("relative_error", 0))
        elif event["event"] == "round":
            seconds.setdefault("round_s", event["round_s"])
            if "kernel_s" not in seconds:
                seconds["kernel_s"] = kernel_seconds()
    if run.wait() != 0:
        raise Failed("the run did not finish")
    return seconds


def words(seconds):
    """Where the time until the first round went."""
    return (f"measuring begins after {seconds['profiling']:.1f} s, planning {seconds['planning']:.1f} s (it takes "
            f"{seconds['planning_s']:.2f} s), training {seconds['training']:.1f} s; the first round takes "
            f"{seconds['round_s']:.2f} s (predicted {seconds['round_predicted_s']:.2f} s "
            f"± {100 * seconds['relative_error']:.0f} %) and ends after {seconds['round 1']:.1f} s, the kernel had "
            f"{seconds['kernel_s']:.1f} s of the processors until then")


def large(options):
    """GPT-2's 124 million parameters in a home of three at 1 Gbit/s that measures, plans and deploys it: until it trains."""
    with Home(options.programs, "three.json", link="1gbit") as home:
        seconds = states(home, home.file("job.json", {
            "format": "hearth-job/1", "model": MODEL, "batch": BATCH, "rounds": 2, "evaluate_every": 0,
            "data": texts(home.folder.name, WORDS, {"tokens": SEQUENCE}, SEQUENCE),
            "optimizer": {"kind": "adamw", "learning_rate": 0.0001}}))
    print(f"    {words(seconds)}, the second {seconds['round 2'] - seconds['round 1']:.1f} s later")
    return judged("seconds until it trains", seconds["training"], TARGET_S, most=True, digits=1)


def predicted(options, model):
    """A network that nobody has measured, in a home that has measured nothing: planned at once on predictions, against all
    layers at all sizes measured first."""
    job = {"format": "hearth-job/1", "model": model, "batch": 128, "rounds": 1, "evaluate_every": 0, "data": "fashion-mnist",
           "input": PICTURES, "optimizer": {"kind": "sgd", "learning_rate": 0.02}}
    with Home(options.programs, "three.json", link="1gbit") as home:
        seconds = states(home, home.file("job.json", job))
    little, first = seconds["planning"] - seconds["profiling"], seconds["round 1"]
    print(f"    {model}, predicted: {words(seconds)}")
    with Home(options.programs, "three.json", link="1gbit") as home:
        path = home.file("job.json", job)
        begun = time.monotonic()
        subprocess.run(home.exec_words(home.first, "hearth", "profile", path, "--all", "--json"), stdout=subprocess.DEVNULL,
                       check=True)
        whole = time.monotonic() - begun
        seconds = states(home, path)
        later = whole + seconds["round 1"]
    print(f"    {model}, measured before: {words(seconds)}")
    print(f"    {model}: measuring takes {little:.1f} s before a plan on predictions and {whole:.1f} s wholly, links and the "
          f"start of workers included; the first round ends after {first:.1f} and {later:.1f} s")
    return (judged(f"{model}: measuring before a plan on predictions, part of the whole", little / whole, PART, most=True) +
            judged(f"{model}: the first round, times sooner", later / first, SOONER))


def start(options):
    """How long it takes until a home trains that has measured nothing."""
    return large(options) + predicted(options, "mobilenetv2-cifar") + predicted(options, "efficientnet-b1:image=32")
