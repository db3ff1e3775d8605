#!/usr/bin/python3
"""What compression costs in accuracy: `accuracy.py [--programs BUILD]`, hours on two cores.

Trains the same networks on four real devices of this machine (agents, coordinator and workers as processes, TLS between
them), cut three times, with cuts that lose nothing, with bfp8 and with bfp4, guard included; prints the mean accuracy on the
test set over all seeds, and by how much it differs. A job that was done is not done again while its lines are in --log."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
FOLDER = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(os.path.dirname(FOLDER), "common"))

from report import machine  # noqa: E402

# By network: where stages begin, how its pictures come, learning rate.
NETWORKS = {"fashion-cnn": ([0, 1, 2, 3, 5], {"scale": 1 / 255, "pad": [2, 2]}, 0.05),
            "mobilenetv2-cifar": ([0, 4, 8, 13, None], {"scale": 1 / 255, "pad": [2, 2], "repeat_channels": 3}, 0.02)}
BARS = {"bfp8": 0.3, "bfp4": 1.0}  # points below the mean without
CODECS = ["none", *BARS]


def layers_of(programs, model):
    said = subprocess.run([os.path.join(programs, "bin", "hearth"), "model", model, "--json"], capture_output=True, text=True,
                          check=True)
    return len(json.loads(said.stdout)["layers"])


def plan_of(model, borders, batch, micro_batch, codec):
    written = codec if codec == "none" else {"forward": codec, "backward": codec}
    last = len(borders) - 2
    stages = [{"layers": borders[s:s + 2], "shares": {f"local-{s + 1}": micro_batch}, "in_flight": 2 * (last - s) + 1,
               "recompute": False, "codec": written if s < last else "none"} for s in range(last + 1)]
    return {"format": "hearth-plan/1", "model": {"name": model, "sha256": "", "layers": borders[-1]}, "planner": "accuracy",
            "batch": batch, "micro_batch": micro_batch, "schedule": "1f1b", "stages": stages}


def train(options, model, codec, seed):
    """{"accuracy", "raised"}: in per cent; how often the guard stepped in."""
    borders, pictures, rate = NETWORKS[model]
    borders = [layers_of(options.programs, model) if each is None else each for each in borders]
    job = {"format": "hearth-job/1", "model": model, "data": "fashion-mnist", "input": pictures, "loss": "cross-entropy",
           "optimizer": {"kind": "sgd", "learning_rate": rate, "momentum": 0.9, "weight_decay": 0}, "batch": options.batch,
           "rounds": options.rounds, "seed": seed, "evaluate_every": options.rounds}
    with tempfile.TemporaryDirectory(prefix="hearth-accuracy-") as folder:
        files = []
        for name, value in (("job", job), ("plan", plan_of(model, borders, options.batch, options.batch // 2, codec))):
            files.append(os.path.join(folder, f"{name}.json"))
            with open(files[-1], "w") as text:
                json.dump(value, text)
        done = subprocess.run([os.path.join(options.programs, "bin", "hearth"), "demo", files[0], "--plan", files[1],
                               "--devices", str(len(borders) - 1), "--headless", "--json"], capture_output=True, text=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    found = [each["accuracy"] for each in events if each["event"] == "evaluation"]
    if done.returncode != 0 or not found:
        sys.exit(f"{model}, {codec}, seed {seed}: {done.stderr.strip()[-600:]}")
    return {"accuracy": 100 * found[-1], "raised": sum(each["event"] == "codec" for each in events)}


def results(options):
    """{(model, codec): [one for each seed]}"""
    known = {}
    if options.log and os.path.exists(options.log):
        with open(options.log) as text:
            known = {tuple(each["key"]): each for each in map(json.loads, text)}
    found = {}
    for seed in range(1, options.seeds + 1):
        for model in options.models:
            for codec in CODECS:
                key = (model, codec, seed, options.batch, options.rounds)
                if key not in known:
                    known[key] = train(options, model, codec, seed)
                    print(f"{model}, {codec}, seed {seed}: {known[key]['accuracy']:.2f} %", file=sys.stderr, flush=True)
                    if options.log:
                        with open(options.log, "a") as text:
                            print(json.dumps({"key": key, **known[key]}), file=text)
                found.setdefault((model, codec), []).append(known[key])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default="build/release", help="build folder with bin/")
    parser.add_argument("--models", type=lambda text: text.split(","), default=list(NETWORKS), help=f"of {','.join(NETWORKS)}")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=600)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--log", help="a file for what was done")
    options = parser.parse_args()
    if set(options.models) - set(NETWORKS) or options.seeds < 1 or options.rounds < 1 or options.batch < 2 or options.batch % 2:
        parser.error("unknown network, or a number that is too small or odd")
    print(machine(), file=sys.stderr)
    found = results(options)
    missed = False
    print(f"| network | cuts | accuracy, mean of {options.seeds} seeds after {options.rounds} rounds of {options.batch} | "
          "least to most | below the mean without | guard stepped in |")
    print("|---|---|---|---|---|---|")
    for (model, codec), runs in found.items():
        accuracies = [each["accuracy"] for each in runs]
        apart = statistics.mean(each["accuracy"] for each in found[model, "none"]) - statistics.mean(accuracies)
        bar = BARS.get(codec)
        missed |= bar is not None and apart > bar
        target = "" if bar is None else f"{apart:.2f} points (at most {bar}{'' if apart <= bar else ', **missed**'})"
        print(f"| {model} | {codec} | {statistics.mean(accuracies):.2f} % | {min(accuracies):.2f} to {max(accuracies):.2f} | "
              f"{target} | {sum(each['raised'] for each in runs)} times |")
    return 1 if missed else 0


try:
    sys.exit(main())
except KeyboardInterrupt:
    sys.exit(130)
