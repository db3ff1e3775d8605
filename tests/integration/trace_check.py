#!/usr/bin/env python3
"""Trains a demo of three stages with `--trace` and holds the trace against the plan and the events of the run.

    trace_check.py --bin build/release/bin --picture tests/bench/trace_picture.py

Exit status: 0 they agree, 1 they do not.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys
import tempfile
import xml.dom.minidom

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lab"))
from hearthlab import standstill

MICRO_BATCHES, ROUNDS = 4, 24
PLAN = {
    "format": "hearth-plan/1", "model": {"name": "fashion-cnn", "layers": 5}, "planner": "hand",
    "batch": 64, "micro_batch": 64 // MICRO_BATCHES, "schedule": "1f1b",
    "stages": [{"layers": layers, "shares": {device: 64 // MICRO_BATCHES}, "in_flight": limit}
               for layers, device, limit in (([0, 2], "local-1", 3), ([2, 3], "local-2", 2), ([3, 5], "local-3", 1))],
}
JOB = {"format": "hearth-job/1", "batch": 64, "rounds": ROUNDS, "evaluate_every": 0}
DEVICES = ["local-1", "local-2", "local-3"]


def check(holds, words):
    if not holds:
        sys.exit(f"failed: {words}")


def train(options, folder):
    files = {}
    for name, content in (("plan", PLAN), ("job", JOB)):
        files[name] = os.path.join(folder, name + ".json")
        with open(files[name], "w", encoding="utf-8") as file:
            json.dump(content, file)
    trace = os.path.join(folder, "trace.json")

    def demo():
        done = subprocess.run([os.path.join(options.bin, "hearth"), "demo", files["job"], "--headless", "--json",
                               "--devices", "3", "--plan", files["plan"], "--trace", trace],
                              stdout=subprocess.PIPE, check=False)
        check(done.returncode == 0, f"hearth demo ended with {done.returncode}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    events = standstill.undisturbed(demo, standstill.losses)
    with open(trace, encoding="utf-8") as file:
        return trace, json.load(file), events


def bars_by_track(trace):
    processes = {e["pid"]: e["args"]["name"] for e in trace if e["name"] == "process_name"}
    tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace if e["name"] == "thread_name"}
    found = collections.defaultdict(list)
    for event in trace:
        if event["ph"] == "X":
            place = event["pid"], event["tid"]
            found[processes[event["pid"]], tracks[place]].append(event)
    return found


def check_devices(tracks):
    for stage, device in enumerate(DEVICES):
        bars = tracks[device, "compute"]
        for kind in ("forward", "backward"):
            count = collections.Counter((bar["args"]["round"], bar["args"]["stage"], bar["args"]["micro_batch"])
                                        for bar in bars if bar["cat"] == kind)
            expected = {(r, stage, m): 1 for r in range(1, ROUNDS + 1) for m in range(MICRO_BATCHES)}
            check(count == expected, f"{device} has these {kind} passes: {count}")
        predicted = tracks["plan (predicted)", device]
        for kind in ("forward", "backward"):
            check(sum(bar["cat"] == kind for bar in predicted) == MICRO_BATCHES, f"the plan's {kind} of {device}")


def check_order(tracks):
    for (process, track), bars in tracks.items():
        bars = sorted(bars, key=lambda bar: (bar["ts"], bar["dur"]))
        for before, after in zip(bars, bars[1:]):
            # Microseconds with three digits: the sum of two of them is exact to a few.
            check(before["ts"] + before["dur"] <= after["ts"] + 0.01,
                  f"{process} {track}: {before} and {after} overlap")
    check(len(tracks["coordinator", "rounds"]) == ROUNDS, "rounds of the coordinator")


def check_links(tracks, events):
    names = {e["id"]: e["name"] for e in events if e["event"] == "device"}
    for event in (e for e in events if e["event"] == "round"):
        for link in event["links"]:
            sender, receiver = names[link["from"]], names[link["to"]]
            carried = sum(bar["args"]["bytes"] for bar in tracks["links", f"{sender} → {receiver}"]
                          if bar["args"]["round"] == event["round"])
            # The event adds what the device of the data serves, with all that TLS adds; the trace has that apart.
            agrees = carried <= link["bytes"] if sender == DEVICES[0] else carried == link["bytes"]
            check(agrees, f"{sender} → {receiver} in round {event['round']}: {carried} bytes of {link['bytes']}")
    for sender, receiver in zip(DEVICES, DEVICES[1:]):
        for a, b in ((sender, receiver), (receiver, sender)):
            check(len(tracks["links", f"{a} → {b}"]) == ROUNDS * MICRO_BATCHES, f"tensors on {a} → {b}")
    check(len(tracks["links", f"coordinator → {DEVICES[0]}"]) == ROUNDS * MICRO_BATCHES, "inputs")


def check_reports(events):
    """What the devices report adds up to the usual round. One alone tells little: each device's ends at another time."""
    rounds = [e for e in events if e["event"] == "round"]
    for device in rounds[0]["devices"]:
        known = statistics.median(sum(value for key, value in e["devices"][device].items() if key.endswith("_s")) / e["round_s"]
                                  for e in rounds)
        check(0.8 < known < 1.2, f"{device[:8]} reports {known:.2f} of the usual round")


def check_picture(options, trace):
    picture = subprocess.run([sys.executable, options.picture, trace], stdout=subprocess.PIPE, check=True).stdout
    document = xml.dom.minidom.parseString(picture)
    texts = [node.firstChild.data for node in document.getElementsByTagName("text")]
    check(all(texts.count(device) == 2 for device in DEVICES), "devices measured and predicted in the picture")
    check(any(text.startswith("Measured: round") for text in texts), "a title of the picture")
    with open(trace, encoding="utf-8") as file:
        text = file.read()
    with open(trace, "w", encoding="utf-8") as file:  # as a crash would leave it, in the middle of an event
        file.write(text[: len(text) * 3 // 4])
    subprocess.run([sys.executable, options.picture, trace], stdout=subprocess.DEVNULL, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--picture", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, trace, events = train(options, folder)
        tracks = bars_by_track(trace)
        check_devices(tracks)
        check_order(tracks)
        check_links(tracks, events)
        check_reports(events)
        check_picture(options, path)
    print(f"{len(trace)} events, {len(tracks)} tracks")


if __name__ == "__main__":
    main()
