#!/usr/bin/env python3
"""Rows of people, trained by three devices: an outsider's PyTorch loop reads the same files and ends with the same weights and,
within a point, the same accuracy.

    rows.py table --bin build/release/bin       weather of Debian's python3-vega-datasets

Exit status: 0 equal, 1 not equal or failed.
"""
import argparse
import csv
import hashlib
import json
import os
import sys
import tempfile

import numpy
import torch
import torch.nn.functional as F

import outsider
import pictures

WEATHER = "/usr/lib/python3/dist-packages/vega_datasets/_data/seattle-weather.csv"


def is_test(fields):
    """A fifth of the rows, by the SHA-256 of their fields."""
    digest = hashlib.sha256("\x1f".join(fields).encode()).digest()
    return int.from_bytes(digest[:8], "little") < 0.2 * 2**64


def registered(programs, name, path, *options):
    """What `hearth data` says of it, and what it writes down."""
    told = json.loads(outsider.hearth(programs, "data", "add", name, path, *options, "--json"))
    assert told == json.loads(outsider.hearth(programs, "data", "show", name, "--json"))
    return told, outsider.read_json(os.path.join(os.environ["XDG_DATA_HOME"], "hearth", "data", f"{name}.json"))


class Table:
    """A multilayer perceptron tells the weather of a day by four measurements."""
    batch, rounds, rate = 64, 400, 0.005

    def __init__(self, programs, folder):
        if not os.path.exists(WEATHER):
            raise SystemExit("The table is not here: sudo apt install python3-vega-datasets")
        told, kept = registered(programs, "table", WEATHER)
        with open(WEATHER, newline="") as file:
            header, *rows = csv.reader(file)
        assert kept["label"] == header[-1] and [left["file"] for left in told["broken"]] == ["date"], told
        assert kept["classes"] == told["classes"] == sorted({row[-1] for row in rows})
        self.model = f"mlp:features={len(kept['columns'])},classes={len(told['classes'])}"
        self.splits = {"train": [row for row in rows if not is_test(row)], "test": [row for row in rows if is_test(row)]}
        assert {split: told[split] for split in self.splits} == {split: len(rows) for split, rows in self.splits.items()}
        self.columns = []
        for column in kept["columns"]:
            at = header.index(column["name"])
            learnt = numpy.array([float(row[at]) for row in self.splits["train"]])
            assert numpy.allclose([learnt.mean(), learnt.std()], [column["mean"], column["deviation"]], rtol=1e-12)
            self.columns.append((at, column["mean"], column["deviation"]))
        self.classes = told["classes"]

    def read(self, split):
        values = [[(float(row[at]) - mean) / deviation for at, mean, deviation in self.columns] for row in self.splits[split]]
        labels = [self.classes.index(row[-1]) for row in self.splits[split]]
        return torch.from_numpy(numpy.array(values, numpy.float32)).double(), torch.tensor(labels)

    @staticmethod
    def run(x, weights):
        for layer in ("0", "2", "4"):
            x = F.linear(x if layer == "0" else F.relu(x), weights[f"{layer}.weight"], weights[f"{layer}.bias"])
        return x


KINDS = {"table": Table}


def train(data, job, weights):
    """The same loop in PyTorch, in the order that the run took."""
    inputs, labels = data.read("train")
    for tensor in weights.values():
        tensor.requires_grad_(True)
    optimizer = outsider.make_optimizer(job["optimizer"], list(weights.values()))
    batch, samples = job["batch"], len(labels)
    orders = [pictures.epoch_order(job["seed"], epoch, samples) for epoch in range(job["rounds"] * batch // samples + 1)]
    for r in range(job["rounds"]):
        chosen = torch.tensor([orders[i // samples][i % samples] for i in range(r * batch, (r + 1) * batch)])
        scores = data.run(inputs[chosen], weights).flatten(0, -2)
        loss = F.cross_entropy(scores, labels[chosen].flatten(), reduction="sum") / labels[chosen].numel()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--bin", required=True, help="folder of the program hearth")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = os.path.join(folder, "home")
        data = KINDS[arguments.kind](arguments.bin, folder)
        job = {"format": "hearth-job/1", "model": data.model, "data": arguments.kind,
               "optimizer": {"kind": "adam", "learning_rate": data.rate, "decay": "all"}, "batch": data.batch,
               "precision": "float64", "rounds": data.rounds, "seed": 1, "evaluate_every": data.rounds}
        initial, final = (os.path.join(folder, f"{name}.safetensors") for name in ("initial", "final"))
        outsider.hearth(arguments.bin, "model", job["model"], "--init", "1", "--save", initial, "--json")
        events = outsider.demo(arguments.bin, [pictures.save(os.path.join(folder, "job.json"), job), "--devices", "3",
                                               "--headless", "--json", "--weights", initial, "--save", final], None)
        theirs = [event["accuracy"] for event in events if event.get("event") == "evaluation"][-1]
        before = outsider.read_safetensors(initial)
        weights = {name: tensor.clone() for name, tensor in before.items()}
        train(data, job, weights)
        inputs, labels = data.read("test")
        with torch.no_grad():
            ours = (data.run(inputs, weights).argmax(-1) == labels).double().mean().item()
        print(f"{len(data.read('train')[1])} samples to train, {len(labels)} to test, {job['rounds']} rounds: accuracy of Hearth "
              f"{theirs:.4f}, of PyTorch {ours:.4f}; of always the commonest answer "
              f"{labels.flatten().bincount().max().item() / labels.numel():.4f}")
        equal = outsider.compare(weights, outsider.read_safetensors(final), before, 1e-10)
        return 0 if equal and abs(ours - theirs) <= 0.01 else 1


if __name__ == "__main__":
    sys.exit(main())
