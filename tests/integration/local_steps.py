#!/usr/bin/env python3
"""An outsider repeats a run with local steps in plain PyTorch, each device with a network and an optimizer of its own.

    local_steps.py --bin build/release/bin                 two devices of unequal shares take the mean
    local_steps.py --bin build/release/bin --devices 3 --outer-rate 0.7 --outer-momentum 0.9
                                                           three, with an outer step with momentum
    local_steps.py --bin build/release/bin --kill          one of two is killed, agent and worker, and others go on; the
                                                           inner steps have no momentum then, as it would die with it

Who computed which share when is read from the run's events. Exit status: 0 equal, 1 not equal or failed.
"""
import argparse
import json
import os
import sys
import tempfile

import torch
import torch.nn.functional as F

import outsider

EVERY, BATCH = 4, 32


def plan_of(layers, shares):
    stage = {"layers": [0, layers], "in_flight": 1, "recompute": False, "codec": "none", "shares": shares}
    return {"format": "hearth-plan/1", "model": {"name": "fashion-cnn", "sha256": "", "layers": layers}, "planner": "test",
            "batch": BATCH * EVERY, "micro_batch": BATCH, "schedule": "1f1b", "stages": [stage]}


def shares_by_round(events, rounds):
    """Of every round those of the plan that was announced last for it or for an earlier one."""
    result = {}
    for event in events:
        if event.get("event") == "plan":
            (stage,) = event["plan"]["stages"]
            for r in range(event["round"], rounds + 1):
                result[r] = stage["shares"]
    return result


class Member:
    def __init__(self, job, weights, steps):
        self.weights = {name: tensor.clone().requires_grad_(True) for name, tensor in weights.items()}
        self.optimizer = outsider.make_optimizer(job["optimizer"], list(self.weights.values()))
        # Lengths in the job are in rounds, and every inner step has a rate of its own.
        schedule = {**job["schedule"], "warmup_rounds": job["schedule"]["warmup_rounds"] * EVERY}
        self.schedule = outsider.make_schedule(schedule, self.optimizer, job["rounds"] * EVERY)
        for _ in range(steps):
            self.schedule.step()

    def step(self, model, x, labels):
        loss = F.cross_entropy(outsider.run_model(model, x, self.weights), labels, reduction="sum")
        self.optimizer.zero_grad()
        (loss / len(labels)).backward()
        self.optimizer.step()
        self.schedule.step()
        return loss.item()


def train(model, job, weights, plans):
    """The losses of all rounds; `weights` hold the final ones afterwards."""
    images, labels = (outsider.read_idx(f"train-{name}-ubyte.gz") for name in ("images-idx3", "labels-idx1"))
    rows, columns = job["input"]["pad"]
    steps, members, losses = job["local_steps"], {}, []
    momentum = {name: torch.zeros_like(tensor) for name, tensor in weights.items()}
    for r in range(1, job["rounds"] + 1):
        shares = sorted(plans[r].items(), key=lambda item: item[0].encode())
        # Who rested or was away begins anew, at the weights of all and where the others are.
        members = {device: members[device] if device in members else Member(job, weights, (r - 1) * EVERY) for device, _ in shares}
        loss = 0
        for step in range(EVERY):
            first = ((r - 1) * EVERY + step) * BATCH
            for device, samples in shares:
                own = torch.arange(first, first + samples) % len(labels)
                x = F.pad(images[own].double()[:, None] * job["input"]["scale"], (columns, columns, rows, rows))
                loss += members[device].step(model, x, labels[own].long())
                first += samples
        losses.append(loss / (BATCH * EVERY))
        with torch.no_grad():
            for name, anchor in weights.items():
                moved = anchor - sum(members[device].weights[name] * samples for device, samples in shares) / BATCH
                momentum[name] = steps["outer_momentum"] * momentum[name] + moved
                anchor -= steps["outer_rate"] * (moved + steps["outer_momentum"] * momentum[name])
                for device, _ in shares:
                    members[device].weights[name].copy_(anchor)
    return losses


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the program hearth")
    parser.add_argument("--devices", type=int, choices=[2, 3], default=2)
    parser.add_argument("--outer-rate", type=float, default=1)
    parser.add_argument("--outer-momentum", type=float, default=0)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--kill", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    optimizer = {"kind": "sgd", "learning_rate": 0.05, "momentum": 0 if options.kill else 0.9, "weight_decay": 0.0005, "decay": "all"}
    job = {"format": "hearth-job/1", "model": "fashion-cnn", "data": "fashion-mnist", "loss": "cross-entropy",
           "input": {"scale": 1 / 255, "pad": [2, 2], "repeat_channels": 1}, "optimizer": optimizer,
           "schedule": {"kind": "cosine", "warmup_rounds": 2, "last": 0.1}, "batch": BATCH, "precision": "float64",
           "rounds": options.rounds, "seed": 1, "shuffle": False, "evaluate_every": 0,
           "local_steps": {"every": EVERY, "outer_rate": options.outer_rate, "outer_momentum": options.outer_momentum}}
    shares = {"local-1": 19, "local-2": 13} if options.devices == 2 else {"local-1": 16, "local-2": 5, "local-3": 11}
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)
        described = json.loads(outsider.hearth(options.bin, "model", "fashion-cnn", "--init", "1", "--save", path("initial"), "--json"))
        model = described["model"]
        for name, value in {"job": job, "plan": plan_of(len(model["layers"]), shares)}.items():
            with open(path(name), "w") as file:
                json.dump(value, file)
        words = [path("job"), "--devices", "3", "--headless", "--json", "--plan", path("plan"), "--weights", path("initial"), "--save", path("final")]
        events = outsider.demo(options.bin, words, ("local-2", options.rounds // 3) if options.kill else None)
        initial, final = (outsider.read_safetensors(path(name)) for name in ("initial", "final"))
    kinds = [event.get("event") for event in events]
    if options.kill:
        print(f"devices lost: {kinds.count('lost')}, recoveries: {kinds.count('recovered')}")
        assert kinds.count("recovered") >= 1, "nobody was missed"
    plans = shares_by_round(events, options.rounds)
    ours = {name: tensor.clone() for name, tensor in initial.items()}
    losses = train(model, job, ours, plans)
    print(f"repeated {len(losses)} rounds of {EVERY} x {BATCH} on {len(plans[1])} devices, {len(plans[options.rounds])} at the end")
    equal = outsider.compare(ours, final, initial, 1e-10)
    return 0 if outsider.compare_losses(losses, events, 1e-10) and equal else 1


if __name__ == "__main__":
    sys.exit(main())
