#!/usr/bin/env python3
"""A network of PyTorch goes to ONNX, is trained at home, and comes back: round_trip.py --bin build/release/bin [--tokens]
[--devices N]

It is one of pictures, or with --tokens an encoder of transformers. torch.onnx.export writes it, `hearth demo` trains it in float64 on several devices, and load_state_dict() takes what it
saved. The network then gives the logits of one that a plain PyTorch loop trained on the same samples, and so does the
ONNX file that `hearth export` writes, evaluated here. Exit status: 0 equal, 1 not.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import outsider

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../core/model/import"))
import onnx_reference

import numpy
import torch
import torch.nn.functional as F
from torch import nn

LIMIT = 1e-10  # relative, of all logits
ROUNDS, BATCH = 20, 48


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, groups=2)

    def forward(self, x):
        return F.relu(x + self.second(F.relu(self.first(x))))


class Pictures(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 5, stride=2, padding=2), nn.ReLU(), nn.MaxPool2d(2))
        self.blocks = nn.Sequential(Block(8), Block(8))
        self.head = nn.Linear(8 * 49, 10)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).flatten(1))

    @staticmethod
    def data(folder):
        """What the job says, and the samples as the network takes them."""
        scale = 1 / 255
        images, labels = outsider.read_idx("train-images-idx3-ubyte.gz"), outsider.read_idx("train-labels-idx1-ubyte.gz")
        count = ROUNDS * BATCH
        return ({"data": "fashion-mnist", "input": {"scale": scale, "pad": [0, 0], "repeat_channels": 1}},
                images[:count].double()[:, None] * scale, labels[:count].long())


class Tokens(nn.Module):
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
    def data(cls, folder):
        tokens = torch.randint(0, cls.rows, (ROUNDS * BATCH, cls.length))
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
    optimizer = outsider.make_optimizer(optimizer, list(network.parameters()))
    for part in (slice(r * BATCH, (r + 1) * BATCH) for r in range(ROUNDS)):
        loss = F.cross_entropy(network(samples[part]), labels[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def is_equal(what, ours, theirs):
    distance = onnx_reference.difference(ours, theirs)
    print(f"{what}: relative distance {distance:.3g} (limit {LIMIT:g})")
    return distance <= LIMIT


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the program hearth")
    parser.add_argument("--tokens", action="store_true", help="a network of tokens instead of one of pictures")
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

        data, samples, labels = make.data(folder)
        job = {"format": "hearth-job/1", **data, "loss": "cross-entropy", "optimizer": optimizer, "batch": BATCH,
               "precision": "float64", "rounds": ROUNDS, "seed": 1, "shuffle": False, "evaluate_every": 0}
        torch.onnx.export(network.eval(), samples[:1], path("network.onnx"), opset_version=13,
                          training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False, input_names=["input"],
                          dynamic_axes={"input": {0: "batch"}})
        with open(path("job.json"), "w") as file:
            json.dump({**job, "model": path("network.onnx")}, file)
        environment = {**os.environ, "XDG_CACHE_HOME": path("cache")}
        for words in (["demo", path("job.json"), "--devices", str(arguments.devices), "--headless", "--save", path("trained.safetensors")],
                      ["export", path("trained.safetensors"), "--from", path("network.onnx"),
                       "--onnx", path("trained.onnx"), "--safetensors", path("state.safetensors")]):
            if subprocess.run([os.path.join(arguments.bin, "hearth"), *words], env=environment, stdout=subprocess.DEVNULL).returncode != 0:
                raise SystemExit(f"hearth {words[0]} failed")
        x = samples[:5]
        returned = make().double().eval()
        returned.load_state_dict(outsider.read_safetensors(path("state.safetensors")))
        with torch.no_grad():
            untrained = network(x)
            by_file = onnx_reference.evaluate(path("trained.onnx"), {"input": x})
            logits = returned(x)
    train_plainly(network.train(), optimizer, samples, labels)
    network.eval()
    with torch.no_grad():
        expected = network(x)
    moved = ((untrained - expected).norm() / expected.norm()).item()
    print(f"training moved the logits by {moved:.3g}")
    ok = is_equal("load_state_dict", logits, expected)
    ok = is_equal("the exported file", by_file, logits) and ok
    return 0 if ok and moved > 0.1 else 1


if __name__ == "__main__":
    sys.exit(main())
