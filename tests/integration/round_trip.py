#!/usr/bin/env python3
"""A network of PyTorch goes to ONNX, is trained at home, and comes back: round_trip.py --bin build/release/bin [--tokens]
[--devices N] [--frozen]

It is one of pictures, or with --tokens an encoder of transformers. torch.onnx.export writes it, `hearth demo` trains it in float64 on several devices, and load_state_dict() takes what it
saved. The network then gives the logits of one that a plain PyTorch loop trained on the same samples, and so does the
ONNX file that `hearth export` writes, evaluated here. With --frozen its first half stays as it is, there are three stages
of one device each, and one worker is killed in between. Exit status: 0 equal, 1 not.
"""
import argparse
import contextlib
import fnmatch
import json
import os
import signal
import subprocess
import sys
import tempfile

import outsider
from hearthlab import standstill

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../core/model/import"))
import onnx_reference

import numpy
import torch
import torch.nn.functional as F
from torch import nn

LIMIT = 1e-10  # relative, of all logits
ROUNDS, BATCH = 20, 48
FROZEN_ROUNDS, KILLED_AT = 250, 5


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, groups=2)

    def forward(self, x):
        return F.relu(x + self.second(F.relu(self.first(x))))


class Pictures(nn.Module):
    trained = ("blocks.1.second*", "head*")

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 5, stride=2, padding=2), nn.ReLU(), nn.MaxPool2d(2))
        self.blocks = nn.Sequential(Block(8), Block(8))
        self.head = nn.Linear(8 * 49, 10)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).flatten(1))

    @staticmethod
    def data(folder, rounds):
        """What the job says, and the samples as the network takes them."""
        scale = 1 / 255
        images, labels = outsider.read_idx("train-images-idx3-ubyte.gz"), outsider.read_idx("train-labels-idx1-ubyte.gz")
        count = rounds * BATCH
        return ({"data": "fashion-mnist", "input": {"scale": scale, "pad": [0, 0], "repeat_channels": 1}},
                images[:count].double()[:, None] * scale, labels[:count].long())


class Tokens(nn.Module):
    trained = ("encoder.layers.2.*", "head*")
    rows, width, length, classes = 40, 16, 9, 3

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(self.rows, self.width)
        self.positions = nn.Parameter(torch.randn(1, self.length, self.width))
        layer = nn.TransformerEncoderLayer(self.width, 4, 32, dropout=0.0, activation="gelu", batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
        self.head = nn.Linear(self.width, self.classes)

    def forward(self, x):
        return self.head(self.encoder(self.words(x) + self.positions).mean(1))

    @classmethod
    def data(cls, folder, rounds):
        tokens = torch.randint(0, cls.rows, (rounds * BATCH, cls.length))
        labels = tokens[:, 0] % cls.classes
        parts = {}
        for part, count in (("train", len(tokens)), ("test", BATCH)):
            for name, values in (("tokens", tokens[:count]), ("labels", labels[:count])):
                numpy.save(os.path.join(folder, f"{part}-{name}.npy"), values.numpy())
            parts[part] = {"inputs": {"input": f"{part}-tokens.npy"}, "labels": f"{part}-labels.npy"}
        path = os.path.join(folder, "data.json")
        with open(path, "w") as file:
            json.dump({"format": "hearth-data/1", "name": "words", "kind": "arrays", **parts}, file)
        return {"data": path}, tokens, labels


def train_plainly(network, optimizer, samples, labels):
    optimizer = outsider.make_optimizer(optimizer, [each for each in network.parameters() if each.requires_grad])
    for part in (slice(first, first + BATCH) for first in range(0, len(samples), BATCH)):
        loss = F.cross_entropy(network(samples[part]), labels[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def plan_of(model):
    """Three stages of one device each."""
    layers = len(model["layers"])
    borders = (0, layers // 2, layers - 1, layers)
    return {"format": "hearth-plan/1", "model": {"name": "network", "sha256": "", "layers": layers}, "planner": "test",
            "batch": BATCH, "micro_batch": BATCH // 4, "schedule": "1f1b", "stages": [
                {"layers": [borders[i], borders[i + 1]], "shares": {f"local-{i + 1}": BATCH // 4}, "in_flight": 3 - i}
                for i in range(3)]}


def train(words, environment, kill):
    """What it tells; kills the worker of one stage on the way. No other may be lost."""
    return standstill.undisturbed(lambda: train_once(words, environment, kill), lambda told: standstill.losses(*told),
                                  late=lambda told: kill and not standstill.losses(told[0]) and "the run was over too early")[0]


def train_once(words, environment, kill):
    events, pids, killed = [], {}, None
    with subprocess.Popen([*words, "--json"], env=environment, stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            event = json.loads(line)
            events.append(event)
            if event["event"] == "worker":
                pids[event["id"]] = event["worker_pid"]
            if kill and not killed and event["event"] == "round" and event["round"] >= KILLED_AT:
                first = next(each for each in events if each["event"] == "plan")["plan"]["stages"]
                killed = next(iter(first[1]["shares"]))
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pids[killed], signal.SIGKILL)
    if run.returncode != 0:
        raise SystemExit(f"hearth {words[1]} failed")
    return events, killed


def is_equal(what, ours, theirs):
    distance = onnx_reference.difference(ours, theirs)
    print(f"{what}: relative distance {distance:.3g} (limit {LIMIT:g})")
    return distance <= LIMIT


def is_frozen(before, after, events):
    """What is frozen has the same bits, and no recovery moves it."""
    now = dict(after.named_parameters())
    moved = [name for name, each in before.named_parameters() if not torch.equal(each, now[name])]
    trained = [name for name, each in before.named_parameters() if each.requires_grad]
    whole = sum(each.numel() * each.element_size() for each in before.parameters())
    state = 2 * sum(each.numel() * each.element_size() for each in before.parameters() if each.requires_grad)  # with momentum
    recovered = [event for event in events if event["event"] == "recovered"]
    print(f"trained {len(trained)} tensors of {len(now)}, {state} bytes with momentum, of {whole} of all; recovered: "
          f"{[(each['method'], each['moved_bytes']) for each in recovered]}")
    return sorted(moved) == sorted(trained) and len(recovered) == 1 and recovered[0]["moved_bytes"] <= state


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the program hearth")
    parser.add_argument("--tokens", action="store_true", help="a network of tokens instead of one of pictures")
    parser.add_argument("--frozen", action="store_true", help="train the last half alone, and lose a worker")
    parser.add_argument("--devices", type=int, default=3)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(3)
    make = Tokens if arguments.tokens else Pictures
    network = make().double()
    optimizer = {"kind": "sgd", "learning_rate": 0.05, "momentum": 0.9, "weight_decay": 0.0005}
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)

        rounds = FROZEN_ROUNDS if arguments.frozen else ROUNDS
        data, samples, labels = make.data(folder, rounds)
        job = {"format": "hearth-job/1", **data, "loss": "cross-entropy", "optimizer": optimizer, "batch": BATCH,
               "precision": "float64", "rounds": rounds, "seed": 1, "shuffle": False, "evaluate_every": 0}
        torch.onnx.export(network.eval(), samples[:1], path("network.onnx"), opset_version=13,
                          training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False, input_names=["input"],
                          dynamic_axes={"input": {0: "batch"}})
        with open(path("job.json"), "w") as file:
            frozen = {"freeze": ["*", *("!" + each for each in make.trained)]} if arguments.frozen else {}
            json.dump({**job, **frozen, "model": path("network.onnx")}, file)
        environment = {**os.environ, "XDG_CACHE_HOME": path("cache")}
        hearth = os.path.join(arguments.bin, "hearth")
        words = [hearth, "demo", path("job.json"), "--devices", str(arguments.devices), "--save", path("trained.safetensors")]
        if arguments.frozen:
            summary = subprocess.run([hearth, "model", path("network.onnx"), "--json"], env=environment, check=True, stdout=subprocess.PIPE)
            with open(path("plan.json"), "w") as file:
                json.dump(plan_of(json.loads(summary.stdout)), file)
            words += ["--plan", path("plan.json")]
        events = train(words, environment, arguments.frozen)
        subprocess.run([hearth, "export", path("trained.safetensors"), "--from", path("network.onnx"), "--onnx", path("trained.onnx"),
                        "--safetensors", path("state.safetensors")], env=environment, check=True, stdout=subprocess.DEVNULL)
        x = samples[:5]
        returned = make().double().eval()
        returned.load_state_dict(outsider.read_safetensors(path("state.safetensors")))
        with torch.no_grad():
            untrained = network(x)
            by_file = onnx_reference.evaluate(path("trained.onnx"), {"input": x})
            logits = returned(x)
    ok = True
    if arguments.frozen:
        for name, parameter in network.named_parameters():
            parameter.requires_grad = any(fnmatch.fnmatch(name, each) for each in make.trained)
        ok = is_frozen(network, returned, events)
    train_plainly(network.train(), optimizer, samples, labels)
    network.eval()
    with torch.no_grad():
        expected = network(x)
    moved = ((untrained - expected).norm() / expected.norm()).item()
    print(f"training moved the logits by {moved:.3g}")
    ok = is_equal("load_state_dict", logits, expected) and ok
    ok = is_equal("the exported file", by_file, logits) and ok
    return 0 if ok and moved > 0.1 else 1


if __name__ == "__main__":
    sys.exit(main())
