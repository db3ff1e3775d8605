#!/usr/bin/python3
"""A network as a person writes it in PyTorch, and its plain loop: SGD, whole batches, one thread.

    plain_loop.py NETWORK BATCH STEPS PRECISION [DEVICE [TOKENS]]

answers every line of standard input with the seconds that STEPS steps took. Networks: efficientnet-b1 (32×32 pictures),
resnet50 (224×224), bert-small (32 tokens, classification), gpt2 (128 tokens, causal language model with a tied head); without dropout. Precisions: float32, bfloat16 (forward and loss under
autocast; on a card also TF32). DEVICE: cpu or cuda.
"""
import math
import os
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.all, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x, hidden):
        batch, tokens, width = x.shape
        q, k, v = (part.view(batch, tokens, self.heads, -1).transpose(1, 2) for part in self.all(x).split(width, -1))
        scores = q @ k.transpose(-1, -2) / math.sqrt(width // self.heads) + hidden
        return self.out((torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(batch, tokens, width))


class Block(nn.Module):
    def __init__(self, width, heads, first, approximate):
        super().__init__()
        self.first, self.approximate = first, approximate  # whether the norms come first
        self.attention = Attention(width, heads, first)
        self.inner, self.outer = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])

    def mix(self, x):
        return self.outer(F.gelu(self.inner(x), approximate=self.approximate))

    def forward(self, x, hidden):
        if self.first:
            x = x + self.attention(self.norms[0](x), hidden)
            return x + self.mix(self.norms[1](x))
        x = self.norms[0](x + self.attention(x, hidden))
        return self.norms[1](x + self.mix(x))


class Bert(nn.Module):
    def __init__(self, words=30522, width=512, heads=8, blocks=4, classes=2):
        super().__init__()
        self.words, self.kinds, self.positions = nn.Embedding(words, width), nn.Embedding(2, width), nn.Embedding(512, width)
        self.norm = nn.LayerNorm(width)
        self.blocks = nn.ModuleList([Block(width, heads, False, "none") for _ in range(blocks)])
        self.pooler, self.classifier = nn.Linear(width, width), nn.Linear(width, classes)

    def forward(self, tokens, mask):
        hidden = (1.0 - mask.float())[:, None, None, :] * torch.finfo(torch.float32).min
        places = torch.arange(tokens.shape[1])
        x = self.norm(self.words(tokens) + self.kinds(torch.zeros_like(tokens)) + self.positions(places))
        for block in self.blocks:
            x = block(x, hidden)
        return self.classifier(torch.tanh(self.pooler(x[:, 0])))


class Gpt2(nn.Module):
    def __init__(self, words=50257, width=768, heads=12, blocks=12):
        super().__init__()
        self.words, self.positions = nn.Embedding(words, width), nn.Embedding(1024, width)
        self.blocks = nn.ModuleList([Block(width, heads, True, "tanh") for _ in range(blocks)])
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens):
        length = tokens.shape[1]
        hidden = torch.full((length, length), torch.finfo(torch.float32).min).triu(1)
        x = self.words(tokens) + self.positions(torch.arange(length))
        for block in self.blocks:
            x = block(x, hidden)
        return self.norm(x) @ self.words.weight.t()


def efficientnet(batch):
    import torchvision
    net = torchvision.models.efficientnet_b1(num_classes=10)
    for module in net.modules():  # dropout and stochastic depth
        if hasattr(module, "p"):
            module.p = 0.0
    net.features[0][0].stride = (1, 1)  # for small pictures
    net.features[2][0].block[1][0].stride = (1, 1)
    pictures = torch.randint(0, 256, (batch, 3, 32, 32), dtype=torch.uint8)
    return net, lambda: net(pictures.float() / 255), torch.randint(0, 10, (batch,))


def resnet(batch):
    import torchvision
    net = torchvision.models.resnet50().to(memory_format=torch.channels_last)
    pictures = torch.randint(0, 256, (batch, 3, 224, 224), dtype=torch.uint8)
    return net, lambda: net((pictures.float() / 255).contiguous(memory_format=torch.channels_last)), torch.randint(0, 1000, (batch,))


def bert(batch, length=32):
    net, tokens = Bert(), torch.randint(0, 30522, (batch, length))
    mask = torch.ones_like(tokens)
    return net, lambda: net(tokens, mask), torch.randint(0, 2, (batch,))


def gpt2(batch, length=128):
    net, tokens = Gpt2(), torch.randint(0, 50257, (batch, length))
    return net, lambda: net(tokens), torch.randint(0, 50257, (batch, length))


NETWORKS = {"efficientnet-b1": efficientnet, "resnet50": resnet, "bert-small": bert, "gpt2": gpt2}


def main():
    name, batch, steps, precision = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    os.nice(10)  # as a worker
    torch.set_num_threads(1)
    device = sys.argv[5] if len(sys.argv) > 5 else "cpu"
    if device != "cpu":
        torch.set_default_device(device)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "bfloat16"
    net, forward, labels = NETWORKS[name](batch, *[int(tokens) for tokens in sys.argv[6:7]])
    net.train()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)

    def step():
        with torch.autocast(device, torch.bfloat16, precision == "bfloat16"):
            out = forward()
            loss = F.cross_entropy(out.reshape(-1, out.shape[-1]), labels.reshape(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        return loss.item()

    step()
    for _ in sys.stdin:
        began, cpu = time.monotonic(), time.process_time()
        for _ in range(steps):
            step()
        print(f"{time.monotonic() - began:.9f} {time.process_time() - cpu:.9f}", flush=True)


if __name__ == "__main__":
    main()
