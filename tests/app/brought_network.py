#!/usr/bin/python3
"""A small network of pictures, as somebody brings it from PyTorch.

brought_network.py export FILE     writes it as an ONNX file
brought_network.py judge WEIGHTS   takes trained weights back: load_state_dict() takes them as they are, and the loss over pictures
    that it was not trained on has fallen
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../integration"))
import outsider

import torch
import torch.nn.functional as F
from torch import nn


class Brought(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 5, stride=2, padding=2), nn.ReLU(), nn.MaxPool2d(2))
        self.block = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.ReLU())
        self.head = nn.Linear(8 * 49, 10)

    def forward(self, x):
        x = self.stem(x)
        return self.head((x + self.block(x)).flatten(1))


def loss_of(network):
    images, labels = outsider.read_idx("t10k-images-idx3-ubyte.gz"), outsider.read_idx("t10k-labels-idx1-ubyte.gz")
    with torch.no_grad():
        return F.cross_entropy(network(images[:1000].float()[:, None] / 255), labels[:1000].long()).item()


def main():
    what, path = sys.argv[1:]
    torch.manual_seed(3)
    network = Brought().eval()
    if what == "export":
        torch.onnx.export(network, torch.zeros(1, 1, 28, 28), path, opset_version=13,
                          training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False, input_names=["input"],
                          output_names=["logits"], dynamic_axes={"input": {0: "batch"}, "logits": {0: "batch"}})
        return 0
    before = loss_of(network)
    network.load_state_dict(outsider.read_safetensors(path))
    after = loss_of(network)
    print(f"loss over 1000 other pictures: {before:.4f} before, {after:.4f} after")
    return 0 if after < before else 1


if __name__ == "__main__":
    sys.exit(main())
