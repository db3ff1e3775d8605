#!/usr/bin/env python3
"""An outsider repeats asynchronous runs of Hearth in plain PyTorch: stashed weights, stage by stage, by the rule alone.

Nothing of Hearth is used but its files: the model's description, the initial weights, the job, and of the events who had
which layers from which round on. The rule: both passes of a micro-batch that belongs to update u see the weights after
k = max(u - d, what the term began with) updates, where d is the least number of updates that hold all but one of the
micro-batches which the stage may have in flight; led on by "predict" times d of the step from k - 1 to k, where the term
has it.

    stashed.py --bin build/release/bin                     all cases
    stashed.py --bin build/release/bin --only killed       one of them

Exit status: 0 equal, 1 not equal or failed.
"""
import argparse
import json
import math
import os
import sys
import tempfile

sys.dont_write_bytecode = True
import outsider
import torch
import torch.nn.functional as F

BATCH, ROUNDS, LAYERS = 32, 24, 5
SGD = {"kind": "sgd", "learning_rate": 0.02, "momentum": 0.9, "weight_decay": 0.0005, "decay": "all"}
ADAM = {"kind": "adam", "learning_rate": 0.001, "weight_decay": 0.0005, "decay": "all"}


def stage(first, last, in_flight, **shares):
    return {"layers": [first, last], "in_flight": in_flight, "recompute": False, "codec": "none",
            "shares": {name.replace("_", "-"): samples for name, samples in shares.items()}}


TWO = [stage(0, 2, 3, local_1=8), stage(2, 5, 1, local_2=8)]
THREE = [stage(0, 1, 4, local_1=8), stage(1, 3, 3, local_2=8), stage(3, 5, 1, local_3=8)]
GROUP = [stage(0, 2, 3, local_1=8), stage(2, 4, 2, local_2=5, local_3=3), stage(4, 5, 1, local_4=8)]
CASES = {  # the stages, the optimizer, what "asynchronous" says, (device, round) that dies
    "two": (TWO, SGD, {"correct_rate": False}, None),
    "two-micro-batch": (TWO, ADAM, {"update": "micro-batch"}, None),
    "three": (THREE, ADAM, {"vertical_sync": True}, None),
    "three-micro-batch": (THREE, SGD, {"update": "micro-batch", "vertical_sync": True, "predict": 0}, None),
    "three-predicted": (THREE, SGD, {"update": "micro-batch", "predict": 0.75}, None),
    "group": (GROUP, SGD, {"average_every": 4}, None),
    "group-micro-batch": (GROUP, ADAM, {"update": "micro-batch", "average_every": 4}, None),
    "killed": (GROUP, ADAM, {"average_every": 5}, ("local-2", ROUNDS // 3)),
    "killed-micro-batch": (GROUP, SGD, {"update": "micro-batch"}, ("local-4", ROUNDS // 3)),
}


class Term:
    """The stages from one round on."""

    def __init__(self, first_round, plan, rule):
        self.version = first_round - 1
        self.micro_batches = plan["batch"] // plan["micro_batch"]
        self.updates = 1 if rule.get("update", "round") == "round" else self.micro_batches  # in a round
        per_update = self.micro_batches // self.updates
        limits = [self.micro_batches if plan["schedule"] == "fill-drain" else min(each["in_flight"], self.micro_batches)
                  for each in plan["stages"]]
        delays = [math.ceil((limit - 1) / per_update) for limit in limits]
        if rule.get("vertical_sync"):
            delays = [max(delays)] * len(delays)
        self.delay = {layer: delay for each, delay in zip(plan["stages"], delays) for layer in range(*each["layers"])}


def terms_of(events, rule):
    """What counted in the end: rounds that were thrown away came again under a later one."""
    terms = []
    for event in events:
        if event.get("event") == "plan":
            while terms and terms[-1].version >= event["round"] - 1:
                terms.pop()
            terms.append(Term(event["round"], event["plan"], rule))
    return terms


class Layer:
    """Of one layer: its weights, its optimizer and the versions that passes may still see, newest last."""

    def __init__(self, weights, spec):
        self.weights, self.rate = weights, outsider.make_optimizer(spec, list(weights.values())).defaults["lr"] if weights else 0
        self.optimizer = outsider.make_optimizer(spec, list(weights.values())) if weights else None
        self.history = []

    def copy(self):
        return {name: each.detach().clone().requires_grad_(True) for name, each in self.weights.items()}

    def begin(self):
        self.history = [self.copy()]

    def seen(self, delay, rule):
        kept = len(self.history) - 1 - min(delay, len(self.history) - 1)
        predict = rule.get("predict", 0 if rule.get("average_every") else 2)
        if not predict or not delay or not kept:
            return self.history[kept]
        before, at = self.history[kept - 1], self.history[kept]
        with torch.no_grad():
            return {name: (each + predict * delay * (each - before[name])).requires_grad_(True) for name, each in at.items()}

    def update(self, seen, delay, number, rule):
        if not self.optimizer:
            return
        for name, each in seen.items():
            self.weights[name].grad = each.grad
            each.grad = None
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate / (1 + delay if rule.get("correct_rate", True) else 1)
        self.optimizer.step()
        every = rule.get("average_every", 0)
        if every and number % every == 0:
            kept = self.history[-delay:] if delay else []
            with torch.no_grad():
                for name, each in self.weights.items():
                    each.copy_(sum([older[name] for older in kept], each) / (len(kept) + 1))
        self.history.append(self.copy())
        del self.history[: -2 - delay]


def train(model, job, weights, terms):
    rule, batch = job["asynchronous"], job["batch"]
    images, labels = (outsider.read_idx(f"train-{kind}-ubyte.gz") for kind in ("images-idx3", "labels-idx1"))
    rows, columns = job["input"]["pad"]
    layers = []
    for each in model["layers"]:
        own = {name: tensor.requires_grad_(True) for name, tensor in weights.items() if name.startswith(each["name"] + ".")}
        layers.append(Layer(own, job["optimizer"]))
    losses = []
    # Who is lost after the last round, while weights are collected, begins a term that trains nothing.
    waiting = [each for each in terms if each.version != job["rounds"]]
    for r in range(job["rounds"]):
        if waiting and waiting[0].version == r:
            term = waiting.pop(0)
            for each in layers:
                each.begin()
        picked = torch.arange(r * batch, (r + 1) * batch) % len(labels)
        x = F.pad(images[picked].double()[:, None] * job["input"]["scale"], (columns, columns, rows, rows))
        answers, loss = labels[picked].long(), 0.0
        for u in range(term.updates):
            seen = [each.seen(term.delay[index], rule) for index, each in enumerate(layers)]
            part = slice(u * batch // term.updates, (u + 1) * batch // term.updates)
            own = F.cross_entropy(outsider.run_model(model, x[part], dict(pair for own in seen for pair in own.items())), answers[part], reduction="sum")
            (own / (batch // term.updates)).backward()
            loss += own.item() / batch
            for index, each in enumerate(layers):
                each.update(seen[index], term.delay[index], r * term.updates + u + 1, rule)
        losses.append(loss)
    assert not waiting, "a term begins after the last round"
    return losses


def check(programs, name, folder):
    stages, optimizer, rule, kill = CASES[name]
    job = {"format": "hearth-job/1", "model": "fashion-cnn", "data": "fashion-mnist", "optimizer": optimizer, "batch": BATCH,
           "input": {"scale": 1 / 255, "pad": [2, 2], "repeat_channels": 1}, "loss": "cross-entropy", "precision": "float64",
           "rounds": ROUNDS, "seed": 1, "shuffle": False, "evaluate_every": 0, "mode": "asynchronous", "asynchronous": rule}
    plan = {"format": "hearth-plan/1", "model": {"name": "fashion-cnn", "sha256": "", "layers": LAYERS}, "planner": "test",
            "batch": BATCH, "micro_batch": BATCH // 4, "schedule": "1f1b", "stages": stages}
    paths = {each: os.path.join(folder, each) for each in ("job.json", "plan.json", "initial.safetensors", "final.safetensors")}
    for file, value in (("job.json", job), ("plan.json", plan)):
        with open(paths[file], "w") as text:
            json.dump(value, text)
    summary = json.loads(outsider.hearth(programs, "model", "fashion-cnn", "--init", "1", "--save", paths["initial.safetensors"], "--json"))
    devices = len({device for each in stages for device in each["shares"]})
    events = outsider.demo(programs, [paths["job.json"], "--devices", str(devices), "--headless", "--json", "--plan", paths["plan.json"],
                                      "--weights", paths["initial.safetensors"], "--save", paths["final.safetensors"]], kill)
    terms = terms_of(events, rule)
    if kill:
        assert any(event.get("event") == "recovered" for event in events) and len(terms) > 1, "nobody was missed"
    print(f"{name}: terms begin with versions {[each.version for each in terms]}, delays by layer {list(terms[0].delay.values())}")
    initial, final = (outsider.read_safetensors(paths[each]) for each in ("initial.safetensors", "final.safetensors"))
    ours = {key: tensor.clone() for key, tensor in initial.items()}
    losses = train(summary["model"], job, ours, terms)
    equal = outsider.compare(ours, final, initial, 1e-10)
    return outsider.compare_losses(losses, events, 1e-10) and equal


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the program hearth")
    parser.add_argument("--only", choices=CASES, help="one case")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    wrong = []
    for name in [arguments.only] if arguments.only else CASES:
        with tempfile.TemporaryDirectory() as folder:
            if not check(arguments.bin, name, folder):
                wrong.append(name)
    if wrong:
        print(f"not equal: {', '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
