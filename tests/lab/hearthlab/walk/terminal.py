"""The walk in a terminal: install, both devices listed, both train, install again, uninstall."""
import json
import os
import subprocess
import time

from ..errors import LabError
from ..standstill import losses, undisturbed
from .bare import BareComputer, make_key
from .figures import expect


def install(place, bare, package, *options):
    """The seconds of it, and of each of its steps."""
    words = place.exec_words(place.first, "hearth", "install", f"root@{bare.address}", "--package", package, "--yes",
                             "--json", *options)
    began = time.monotonic()
    steps, started, last = {}, {}, None
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=place.env)
    for text in process.stdout:
        now, last = time.monotonic(), json.loads(text)
        if last["event"] != "progress" or "check" in last:
            continue
        if last["state"] == "started":
            started[last["step"]] = now
        elif last["state"] == "done":
            steps[last["step"]] = now - started[last["step"]]
    errors = process.stderr.read().strip()
    if process.wait() != 0 or not last or last["event"] != "finished":
        raise LabError("The installation did not finish.", errors[-600:])
    return time.monotonic() - began, steps, last


def write_job(place, rounds):
    """A job, and a plan for both computers: a pipeline, so that activations and gradients cross the link."""
    job = place.file("job.json", {
        "format": "hearth-job/1", "model": "fashion-cnn", "data": "fashion-mnist", "batch": 64, "rounds": rounds, "seed": 1,
        "optimizer": {"kind": "sgd", "learning_rate": 0.05, "momentum": 0.9, "weight_decay": 0},
        "evaluate_every": 10 * rounds})
    plan = place.file("plan.json", {
        "format": "hearth-plan/1", "model": {"name": "fashion-cnn", "layers": 5}, "planner": "hearth", "batch": 64,
        "micro_batch": 16, "schedule": "1f1b",
        "stages": [{"layers": [0, 2], "shares": {place.first: 16}, "in_flight": 3},
                   {"layers": [2, 5], "shares": {place.bare: 16}, "in_flight": 1}]})
    return job, plan


def train(place, rounds):
    """The rounds of a run without a loss, and who took part."""
    job, plan = write_job(place, rounds)

    def attempt():
        return [json.loads(line) for line in place.hearth("train", job, "--plan", plan, "--json").splitlines()]

    events = undisturbed(attempt, losses)
    done = [event for event in events if event["event"] == "round"]
    finished = any(event["event"] == "finished" for event in events)
    expect(len(done) == rounds and finished, f"the run ended after {len(done)} rounds")
    return done, {device for event in done for device in event["devices"]}


def bring_key(place, bare):
    key = os.path.join(place.lab.device_dir(place.first, "home"), ".ssh", "id_ed25519")
    make_key(key)
    bare.admit(f"{key}.pub")


def begin(place, package, figures):
    """The bare computer becomes a device; it is returned."""
    bare = BareComputer(place, place.bare)
    bring_key(place, bare)
    seconds, steps, said = install(place, bare, package, "--host-key", bare.fingerprint)
    expect(said["effect"] == "new-device" and said["device"] == place.bare, f"unexpected end: {said}")
    figures.add("hearth install, from the command to a linked device", seconds, 60, steps)
    return bare


def use(place, bare, package, rounds, figures):
    """What a person does with a device from then on, until it is bare again."""
    place.expect_ready(place.first, place.bare)
    figures.say(place.hearth("devices").rstrip())

    done, devices = train(place, rounds)
    expect(len(devices) == 2, f"only {len(devices)} devices took part")
    figures.say(f"hearth train: {len(done)} rounds on {len(devices)} devices, loss {done[0]['loss']:.3f} to "
                f"{done[-1]['loss']:.3f}")

    seconds, steps, said = install(place, bare, package)
    expect(said["effect"] == "nothing", f"after the repeat: {said}")
    place.expect_ready(place.first, place.bare)
    figures.add("hearth install once more, nothing to be changed", seconds, 10, steps)

    place.hearth("install", f"root@{bare.address}", "--uninstall", "--yes")
    place.expect_ready(place.first)
    expect(not bare.traces(), f"uninstalling left {bare.traces()}")
    figures.say("hearth install --uninstall: nothing of it is left there")
