"""What workers take, whole processes at their fullest, against what their plans said. Homes inside this machine: no root."""
import json
import os
import subprocess
import tempfile

from texts import texts

# Rounds are enough for all snapshots that a plan leaves room for, and of small networks for a second copy.
NETWORKS = (  # model, batch, micro-batch, rounds, border of the pictures (none: texts), layers before the first cut
    ("fashion-cnn", 128, 32, 250, 2, 3),
    ("mobilenetv2", 128, 32, 250, 2, 9),
    ("resnet50", 4, 2, 40, 98, 10),
    ("t5-small:sequence=64", 8, 2, 40, None, 8),
)
TEXT = {"tokens": 64, "mask": 64, "decoder_tokens": 64}
WORDS = 32128
OPTIMIZERS = {
    "SGD": {"kind": "sgd", "learning_rate": 0.01, "momentum": 0.9, "weight_decay": 0},
    "Adam": {"kind": "adam", "learning_rate": 0.0001, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0},
}
PLANS = {  # members of each stage
    "alone": (1,),
    "two stages": (1, 1),
    "a group of two": (2,),
    "one, then two": (1, 2),
}
SETTLED = 3  # rounds; by then the memory of the measurement before is given back
CHANNELS = {"fashion-cnn": 1}


def plan_of(model, layers, batch, micro_batch, members, cut):
    borders = [0, layers] if len(members) == 1 else [0, cut, layers]
    stages, device = [], 1
    for stage, count in enumerate(members):
        shares = {}
        for _ in range(count):
            shares[f"local-{device}"] = micro_batch // count
            device += 1
        stages.append({"layers": borders[stage:stage + 2], "shares": shares, "in_flight": 2 * (len(members) - stage) - 1})
    return {"format": "hearth-plan/1", "model": {"name": model, "layers": layers}, "planner": "bench", "batch": batch,
            "micro_batch": micro_batch, "schedule": "1f1b", "stages": stages}


def run_of(programs, job, plan, devices):
    with tempfile.TemporaryDirectory(prefix="hearth-bench-") as folder:
        files = []
        for name, value in (("job.json", job), ("plan.json", plan)):
            files.append(os.path.join(folder, name))
            with open(files[-1], "w") as text:
                json.dump(value, text)
        done = subprocess.run([f"{programs}/bin/hearth", "demo", files[0], "--plan", files[1], "--devices", str(devices), "--json"],
                              capture_output=True, text=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or not any(each["event"] == "finished" for each in events):
        return None, done.stderr.strip()[-300:]
    return events, ""


def layers_of(programs, model):
    told = json.loads(subprocess.run([f"{programs}/bin/hearth", "model", model, "--json"], capture_output=True, text=True,
                                     check=True).stdout)
    return len(told["layers"])


def memory(options):
    """The workers' memory against the plan's prediction: within 10 %, and never above it by more than 2 %."""
    missed = []
    folder = tempfile.TemporaryDirectory(prefix="hearth-bench-")
    print("| network | optimizer | plan | device | predicted | measured | measured / predicted |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for model, batch, micro_batch, rounds, border, cut in NETWORKS:
        layers = layers_of(options.programs, model)
        for optimizer, settings in OPTIMIZERS.items():
            data = {"data": texts(folder.name, WORDS, TEXT, TEXT["decoder_tokens"])} if border is None else {
                "data": "fashion-mnist",
                "input": {"scale": 1 / 255, "pad": [border, border], "repeat_channels": CHANNELS.get(model, 3)}}
            job = {"format": "hearth-job/1", "model": model, **data, "loss": "cross-entropy", "optimizer": settings,
                   "batch": batch, "micro_batch": micro_batch, "precision": "float32", "rounds": rounds, "seed": 1}
            for name, members in PLANS.items():
                what = f"{model}, {optimizer}, {name}"
                plan = plan_of(model, layers, batch, micro_batch, members, cut)
                events, why = run_of(options.programs, job, plan, sum(members))
                if events is None:
                    missed.append(f"{what}: {why}")
                    continue
                names = {each["id"]: each["name"] for each in events if each["event"] == "device"}
                used = {}
                for each in [each for each in events if each["event"] == "round"][SETTLED:]:
                    for device, report in each["devices"].items():
                        used[device] = max(used.get(device, 0), report["memory_bytes"])
                predicted = [each for each in events if each["event"] == "plan"][-1]["plan"]["prediction"]["memory_bytes"]
                for device, taken in sorted(used.items(), key=lambda each: names[each[0]]):
                    ratio = taken / predicted[device]
                    print(f"| {model} | {optimizer} | {name} | {names[device]} | {predicted[device] / 1e6:.0f} MB "
                          f"| {taken / 1e6:.0f} MB | {ratio:.3f} |", flush=True)
                    if not 0.9 <= ratio <= 1.02:
                        missed.append(f"{what}, {names[device]}: {ratio:.3f}")
    return missed
