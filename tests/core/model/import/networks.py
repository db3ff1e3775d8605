#!/usr/bin/python3
"""Networks of PyTorch and torchvision as ONNX files, with what an importer must find and compute.

networks.py NETWORK,… FOLDER [--expect]
    for each network writes FOLDER/NETWORK.onnx and FOLDER/NETWORK.json: {"parameters": {name: shape}, "buffers": {name: shape}}
    --expect: also FOLDER/NETWORK.safetensors with inputs (in.*), logits in use (used) and in training without dropout (out), the
    gradient of the loss for these (factors), and its gradients for all parameters (grad.*); without these for a network that
    was exported for use, whose weights the exporter merges and renames
Weights are float64, from a fixed seed."""
import json
import math
import os
import struct
import sys
import warnings

import torch
import torchvision.models as vision
from torch import nn
from torchvision.models.vision_transformer import VisionTransformer
from torchvision.ops import StochasticDepth

warnings.filterwarnings("ignore")


class Tied(nn.Module):
    """Two linear ops with one weight, two fresh norms with equal ones."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 8)
        self.second.weight = self.first.weight
        self.norms = nn.ModuleList([nn.LayerNorm(8), nn.LayerNorm(8)])
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.norms[1](self.second(self.norms[0](self.first(x)).tanh())))


class Activations(nn.Module):
    """What exporters take apart."""

    def __init__(self):
        super().__init__()
        self.group = nn.GroupNorm(2, 6)
        self.conv = nn.Conv2d(3, 6, (3, 5), stride=(1, 2), padding=(1, 2), dilation=(1, 1))
        self.up = nn.ConvTranspose2d(6, 4, 3, stride=2, padding=1, output_padding=1)
        self.line = nn.Conv1d(4, 4, 3, padding=1)
        self.head = nn.Linear(4, 5)

    def forward(self, x):
        x = nn.functional.gelu(self.group(self.conv(x)))
        x = x * 0.5 * (1 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x ** 3)))
        x = nn.functional.silu(self.up(x))
        a, b = x.chunk(2, dim=2)
        x = nn.functional.interpolate(a - b, scale_factor=2)
        x = nn.functional.hardswish(nn.functional.pad(x, (1, 0, 0, 1)))
        x = self.line(x.flatten(2)).softmax(1) / 3 + 2
        return self.head(nn.functional.leaky_relu(x.mean(2), 0.2))


class Odds(nn.Module):
    """What is one module in PyTorch and several operators in the file."""

    def __init__(self):
        super().__init__()
        self.norm = nn.InstanceNorm2d(3, affine=True)
        self.grow = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.PReLU(8))
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.fade = nn.Linear(8, 6)
        self.head = nn.Linear(6, 4)

    def forward(self, x):
        x = nn.functional.mish(nn.functional.interpolate(self.norm(x), scale_factor=1.5, mode="bilinear"))
        x = nn.functional.pixel_shuffle(self.grow(x), 2)
        spread = x.std((2, 3)).sum(1, keepdim=True)
        x = nn.functional.adaptive_avg_pool2d(x, (8, 4)).reshape(-1, 8, 8).permute(0, 2, 1)
        x = self.attention(x, x, x)[0] + nn.functional.normalize(x, dim=2)
        x = nn.functional.selu(self.fade(x.amax(1)))
        return self.head(torch.cat([x[:, :3], spread.expand(-1, 3)], 1))


class Plain(nn.Module):
    """Norms without weights: what their operators take instead are constants."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 6, 3)
        self.norms = nn.Sequential(nn.BatchNorm2d(6, affine=False), nn.InstanceNorm2d(6), nn.GroupNorm(2, 6, affine=False))
        self.last = nn.LayerNorm(6, elementwise_affine=False)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(self.last(self.norms(self.conv(x)).relu().mean((2, 3))))


class Classifier(nn.Module):
    """PyTorch's own encoder of transformers."""

    def __init__(self, rows=30, width=16, tokens=7):
        super().__init__()
        self.words = nn.Embedding(rows, width)
        self.positions = nn.Parameter(torch.randn(1, tokens, width))
        layer = nn.TransformerEncoderLayer(width, 4, 32, dropout=0.0, activation="gelu", batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, 3)

    def forward(self, tokens):
        return self.head(self.encoder(self.words(tokens) + self.positions).mean(1))


class Text(nn.Module):
    """Token ids and a mask; learned positions; a decoder's attention written out."""

    def __init__(self, rows=20, width=16, heads=4, tokens=6):
        super().__init__()
        self.heads = heads
        self.words = nn.Embedding(rows, width)
        self.positions = nn.Embedding(tokens, width)
        self.qkv = nn.Linear(width, 3 * width)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, rows, bias=False)
        self.head.weight = self.words.weight
        self.register_buffer("causal", torch.ones(tokens, tokens).tril().bool()[None, None])

    def forward(self, tokens, mask):
        n, t = tokens.shape
        x = self.words(tokens) + self.positions(torch.arange(t))
        q, k, v = (y.view(n, t, self.heads, -1).transpose(1, 2) for y in self.qkv(self.norm(x)).split(x.shape[-1], dim=2))
        scores = q @ k.transpose(-1, -2) / 2.0
        scores = scores.masked_fill(~self.causal[:, :, :t, :t], -1e4) + (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        x = x + (scores.softmax(-1) @ v).transpose(1, 2).reshape(n, t, -1)
        return self.head(x)[:, -1]


class Bert(nn.Module):
    """BERT's attention as Hugging Face's library writes it: projections of their own, a mask that is added."""

    def __init__(self, rows=20, width=16, heads=4, tokens=6):
        super().__init__()
        self.heads = heads
        self.words = nn.Embedding(rows, width)
        self.positions = nn.Embedding(tokens, width)
        self.register_buffer("position_ids", torch.arange(tokens)[None])
        self.query, self.key, self.value, self.dense = (nn.Linear(width, width) for _ in range(4))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 3)

    def forward(self, tokens, mask):
        hidden = (1.0 - mask[:, None, None, :].to(self.head.weight.dtype)) * torch.finfo(torch.float32).min
        x = self.words(tokens) + self.positions(self.position_ids[:, : tokens.shape[1]])
        shape = (x.shape[0], x.shape[1], self.heads, x.shape[2] // self.heads)
        q, k, v = (project(x).view(shape).permute(0, 2, 1, 3) for project in (self.query, self.key, self.value))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(shape[3]) + hidden
        context = torch.matmul(scores.softmax(dim=-1), v).permute(0, 2, 1, 3).contiguous()
        return self.head(self.norm(self.dense(context.view(x.shape)) + x)[:, 0])


class Gpt(nn.Module):
    """A decoder as nanoGPT writes it: its mask is a buffer of real numbers."""

    def __init__(self, rows=20, width=16, heads=4, tokens=6):
        super().__init__()
        self.heads = heads
        self.words = nn.Embedding(rows, width)
        self.positions = nn.Embedding(tokens, width)
        self.norm = nn.LayerNorm(width)
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)
        self.head = nn.Linear(width, rows, bias=False)
        self.register_buffer("bias", torch.tril(torch.ones(tokens, tokens)).view(1, 1, tokens, tokens))

    def forward(self, tokens):
        x = self.words(tokens) + self.positions(torch.arange(tokens.shape[1]))
        n, t, c = x.size()
        q, k, v = (y.view(n, t, self.heads, c // self.heads).transpose(1, 2) for y in self.c_attn(self.norm(x)).split(c, dim=2))
        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        scores = scores.masked_fill(self.bias[:, :, :t, :t] == 0, float("-inf")).softmax(dim=-1)
        y = (scores @ v).transpose(1, 2).contiguous().view(n, t, c)
        return self.head(x + self.c_proj(y))[:, -1]


class Decoder(nn.Module):
    """PyTorch's own layer of decoders: a causal mask of minus infinity, attention to other tokens."""

    def __init__(self, width=16, tokens=5):
        super().__init__()
        self.before = nn.Linear(3, width)
        self.other = nn.Linear(4, width)
        self.layer = nn.TransformerDecoderLayer(width, 2, 24, dropout=0.0, batch_first=True)
        self.mask = nn.Transformer.generate_square_subsequent_mask(tokens).double()
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        tokens = x.reshape(-1, 5, 3)
        return self.head(self.layer(self.before(tokens), self.other(x[:, :12].reshape(-1, 3, 4)), tgt_mask=self.mask).mean(1))


class Unusual(nn.Module):
    """What attention is not, or not that of the op: a learned bias of all scores, a gate between the two products, a
    learned bias and factor that begin as if they were not there."""

    def __init__(self, width=8, tokens=4):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(2, tokens, tokens))
        self.qkv = nn.Linear(width, 3 * width)
        self.gate = nn.Linear(width, 3 * width)
        self.begun = nn.Linear(width, 3 * width)
        self.zero = nn.Parameter(torch.zeros(tokens, tokens))
        self.one = nn.Parameter(torch.ones(1))
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        x = x.reshape(-1, 4, 8)
        q, k, v = (y.view(-1, 4, 2, 4).transpose(1, 2) for y in self.qkv(x).chunk(3, dim=2))
        x = x + ((q @ k.transpose(2, 3) + self.bias).softmax(3) @ v).transpose(1, 2).reshape(-1, 4, 8)
        q, k, v = (y.view(-1, 4, 2, 4).transpose(1, 2) for y in self.gate(x).chunk(3, dim=2))
        weights = (q @ k.transpose(2, 3)).softmax(3)
        x = x + ((weights * weights) @ v).transpose(1, 2).reshape(-1, 4, 8)
        q, k, v = (y.view(-1, 4, 2, 4).transpose(1, 2) for y in self.begun(x).chunk(3, dim=2))
        x = x + ((q @ k.transpose(2, 3) * self.one + self.zero).softmax(3) @ v).transpose(1, 2).reshape(-1, 4, 8)
        return self.head(x.mean(1))


class Kept(nn.Module):
    """Buffers of every kind, and parameters that are not trained."""

    def __init__(self, rows=12, width=8, tokens=5):
        super().__init__()
        self.words = nn.Embedding(rows, width)
        self.words.weight.requires_grad_(False)
        self.first = nn.Linear(width, width)
        self.first.requires_grad_(False)
        self.register_buffer("order", torch.randperm(tokens))
        self.register_buffer("factor", torch.tensor(0.5))
        self.register_buffer("visible", torch.arange(width).remainder(2).bool())
        self.register_buffer("limits", torch.linspace(-1, 1, width))
        self.register_buffer("waves", torch.randn(tokens, width))
        self.head = nn.Linear(width, 3)

    def forward(self, tokens):
        x = self.words(tokens)[:, self.order] * self.factor + self.waves
        x = self.first(x).masked_fill(self.visible, 0.0).masked_fill(self.limits > 0.5, 1.0)
        return self.head(x.mean(1))


def image(size=64, batch=4):
    return (torch.randn(batch, 3, size, size, dtype=torch.float64),)


def small_image():
    return image(64, 2)


def small_vit():
    return VisionTransformer(image_size=64, patch_size=8, num_layers=2, num_heads=4, hidden_dim=64, mlp_dim=128, num_classes=10)


# name -> network, inputs, operator set. "_for_use": exported for inference; "_fixed": the batch is a number in the file, too; "full_":
# as published but for the size of pictures, for --all.
NETWORKS = {
    "tied": (Tied, lambda: (torch.randn(4, 8, dtype=torch.float64),), 17),
    "activations": (Activations, lambda: image(8), 13),
    "plain": (Plain, lambda: image(8), 13),
    "odds": (Odds, lambda: image(8), 16),
    "text": (Text, lambda: (torch.randint(0, 20, (2, 6)), torch.tensor([[1] * 6, [0] * 2 + [1] * 4])), 14),
    "classifier": (Classifier, lambda: (torch.randint(0, 30, (3, 7)),), 17),
    "bert": (Bert, lambda: (torch.randint(0, 20, (2, 6)), torch.tensor([[1] * 6, [1] * 4 + [0] * 2])), 14),
    "gpt": (Gpt, lambda: (torch.randint(0, 20, (2, 6)),), 15),
    "decoder": (Decoder, lambda: (torch.randn(3, 15, dtype=torch.float64),), 17),
    "unusual": (Unusual, lambda: (torch.randn(3, 32, dtype=torch.float64),), 16),
    "kept": (Kept, lambda: (torch.randint(0, 12, (3, 5)),), 17),
    "resnet18": (lambda: vision.resnet18(num_classes=10), image, 13),
    "mobilenet_v2": (lambda: vision.mobilenet_v2(num_classes=10, width_mult=0.25), image, 15),
    "mobilenet_v3_small": (lambda: vision.mobilenet_v3_small(num_classes=10), image, 14),
    "efficientnet_b0": (lambda: vision.efficientnet_b0(num_classes=10), image, 16),
    "densenet121": (lambda: vision.DenseNet(8, (2, 3, 2, 2), 16, num_classes=10), image, 13),
    "convnext": (lambda: vision.convnext.ConvNeXt([vision.convnext.CNBlockConfig(16, 32, 2), vision.convnext.CNBlockConfig(32, None, 2)],
                                                  num_classes=10), image, 17),
    "convnext_opset_13": (lambda: vision.convnext.ConvNeXt([vision.convnext.CNBlockConfig(16, None, 2)], num_classes=10), image, 13),
    "vit": (small_vit, image, 16),
    "vit_opset_17": (small_vit, image, 17),
    "vit_fixed": (small_vit, image, 15),
    "text_fixed": (Text, lambda: (torch.randint(0, 20, (2, 6)), torch.tensor([[1] * 6, [0] * 2 + [1] * 4])), 16),
    "classifier_for_use": (Classifier, lambda: (torch.randint(0, 30, (3, 7)),), 14),
    "mobilenet_v2_for_use": (lambda: vision.mobilenet_v2(num_classes=10, width_mult=0.25), image, 17),
    "efficientnet_b1_for_use": (lambda: vision.efficientnet_b1(num_classes=10), image, 13),
    "full_resnet18": (vision.resnet18, small_image, 13),
    "full_resnet50": (vision.resnet50, small_image, 17),
    "full_mobilenet_v2": (vision.mobilenet_v2, small_image, 13),
    "full_mobilenet_v3_small": (vision.mobilenet_v3_small, small_image, 14),
    "full_mobilenet_v3_large": (vision.mobilenet_v3_large, small_image, 15),
    "full_efficientnet_b0": (vision.efficientnet_b0, small_image, 13),
    "full_efficientnet_b1": (vision.efficientnet_b1, small_image, 16),
    "full_densenet121": (vision.densenet121, small_image, 13),
    "full_convnext_tiny": (vision.convnext_tiny, small_image, 17),
    "full_vit_b_16": (lambda: vision.vit_b_16(image_size=64), small_image, 16),
}


def build(name):
    torch.manual_seed(7)
    make, inputs, opset = NETWORKS[name]
    network = make().double()
    return network.eval(), inputs(), opset


def is_for_use(name):
    return name.endswith("_for_use")


def export(name, network, inputs, opset, path):
    names = ["tokens", "mask"] if len(inputs) == 2 else ["input"]
    for_use = is_for_use(name)
    mode = torch.onnx.TrainingMode.EVAL if for_use else torch.onnx.TrainingMode.PRESERVE
    torch.onnx.export(network, inputs, path, opset_version=opset, training=mode,
                      do_constant_folding=for_use, input_names=names, output_names=["logits"],
                      dynamic_axes=None if name.endswith("_fixed") else {each: {0: "batch"} for each in names + ["logits"]})


def write_safetensors(path, tensors):
    types = {torch.float64: "F64", torch.int64: "I64"}
    header, offset = {}, 0
    for name, tensor in tensors.items():
        end = offset + tensor.numel() * tensor.element_size()
        header[name] = {"dtype": types[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(tensor.detach().contiguous().numpy().tobytes())


def read_safetensors(path):
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    types = {"F32": torch.float32, "F64": torch.float64, "I64": torch.int64}
    return {name: torch.frombuffer(bytearray(content[8 + length + entry["data_offsets"][0] : 8 + length + entry["data_offsets"][1]]),
                                   dtype=types[entry["dtype"]]).reshape(entry["shape"]) for name, entry in header.items()}


def named(inputs):
    return dict(zip(["in.tokens", "in.mask"] if len(inputs) == 2 else ["in.input"], inputs))


def expect(network, inputs, for_use):
    with torch.no_grad():
        used = network(*inputs)
    network.train(not for_use)
    for module in network.modules():
        if isinstance(module, (nn.Dropout, StochasticDepth)):
            module.eval()
    # The file does not tell which parameters are trained, nor buffers from parameters.
    weights = dict(network.named_parameters())
    weights.update((n, b) for n, b in network.named_buffers() if b.is_floating_point() and "running_" not in n)
    for tensor in weights.values():
        tensor.requires_grad_(True)
    out = network(*inputs)
    out.retain_grad()
    labels = torch.arange(len(out)) % out.shape[-1]
    nn.functional.cross_entropy(out, labels).backward()
    tensors = {**named(inputs), "used": used, "out": out, "factors": out.grad}
    if not for_use:
        tensors.update({"grad." + name: tensor.grad for name, tensor in weights.items() if tensor.grad is not None})
    return tensors


def write(name, folder):
    network, inputs, opset = build(name)
    export(name, network, inputs, opset, os.path.join(folder, name + ".onnx"))
    # A tied weight counts under its first name.
    facts = {"parameters": {n: list(p.shape) for n, p in network.named_parameters()},
             "buffers": {n: list(b.shape) for n, b in network.named_buffers() if n.split(".")[-1] in ("running_mean", "running_var")}}
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump(facts, file)
    if "--expect" in sys.argv:
        write_safetensors(os.path.join(folder, name + ".safetensors"), expect(network, inputs, is_for_use(name)))


def main():
    names, folder = sys.argv[1:3]
    for name in names.split(","):
        write(name, folder)


if __name__ == "__main__":
    main()
