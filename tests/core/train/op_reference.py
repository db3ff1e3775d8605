#!/usr/bin/env python3
"""What PyTorch gives for one op: requests and answers are JSON, one a line, tensors {"shape", "dtype", "data"} (base64).

A request: "op" (a Hearth op), "inputs", "tensors", "gradient" (of the output). The answer: "output", and "inputs" and
"tensors": their gradients, null where there is none."""
import base64
import json
import math
import sys

import numpy
import torch
import torch.nn.functional as F


def decode(tensor):
    kind = {"float64": "<f8", "int64": "<i8"}[tensor["dtype"]]
    flat = numpy.frombuffer(base64.b64decode(tensor["data"]), kind).copy()
    return torch.from_numpy(flat.reshape(tensor["shape"]))


def encode(tensor):
    if tensor is None:
        return None
    plain = tensor.detach().double().contiguous().numpy()
    return {"shape": list(plain.shape), "dtype": "float64", "data": base64.b64encode(plain.tobytes()).decode()}


def two(value):
    return value if isinstance(value, list) else [value, value]


def window(op, x):
    """Kernel arguments for the rank of x, and x with a border where its sides differ."""
    row = x.dim() == 3
    padding = op.get("padding", 0)
    border = None
    if isinstance(padding, list) and len(padding) == 4:
        top, left, bottom, right = padding
        border, padding = ([left, right] if row else [left, right, top, bottom]), 0

    def pick(value):
        return value if not isinstance(value, list) else value[1] if row else tuple(value)

    keys = {key: pick(op.get(key, default)) for key, default in (("kernel", 1), ("stride", 1), ("dilation", 1), ("output_padding", 0))}
    return row, border, pick(padding), keys


def convolution(op, x, w):
    row, border, padding, keys = window(op, x)
    if border:
        x = F.pad(x, border)
    groups = x.shape[1] if op["kind"] == "depthwise" else op["groups"]
    bias = w[1] if len(w) > 1 else None
    return (F.conv1d if row else F.conv2d)(x, w[0], bias, keys["stride"], padding, keys["dilation"], groups)


def transposed(op, x, w):
    row, _, padding, keys = window(op, x)
    bias = w[1] if len(w) > 1 else None
    return (F.conv_transpose1d if row else F.conv_transpose2d)(x, w[0], bias, keys["stride"], padding, keys["output_padding"], op["groups"], keys["dilation"])


def max_pool(op, x, w):
    row, border, padding, keys = window(op, x)
    if border:
        x = F.pad(x, border, value=-math.inf)
    return (F.max_pool1d if row else F.max_pool2d)(x, keys["kernel"], keys["stride"], padding, keys["dilation"], op.get("ceil", False))


def average_pool(op, x, w):
    row, border, padding, keys = window(op, x)
    if border:
        x = F.pad(x, border)
    return (F.avg_pool1d if row else F.avg_pool2d)(x, keys["kernel"], keys["stride"], padding, op.get("ceil", False), op.get("count_padding", True))


def linear(op, x, w):
    return F.linear(x, w[0].t() if op.get("transposed") else w[0], w[1] if len(w) > 1 else None)


def batch_norm(op, x, w):
    return F.batch_norm(x, w[2].detach().clone(), w[3].detach().clone(), w[0], w[1], True, op["momentum"], op["epsilon"])


def layer_norm(op, x, w):
    return F.layer_norm(x, x.shape[-op["dims"]:], *(list(w) + [None, None])[:2], op["epsilon"])


def group_norm(op, x, w):
    return F.group_norm(x, op["groups"], *(list(w) + [None, None])[:2], op["epsilon"])


def rms_norm(op, x, w):
    return w[0] * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + op["epsilon"]))


def broadcast(function):
    """Shapes are aligned at their end, samples excepted."""
    def call(op, inputs, w):
        rank = max(x.dim() for x in inputs)
        wide = [x.reshape(x.shape[:1] + (1,) * (rank - x.dim()) + x.shape[1:]) for x in inputs]
        result = function(wide[0], wide[1])
        for x in wide[2:]:
            result = function(result, x)
        return result
    return call


def pad(op, x, w):
    flat = [number for both in reversed(op["padding"]) for number in both]
    if op["mode"] == "constant":
        return F.pad(x, flat, value=op["value"])
    return F.pad(x, flat[: 2 * max(1, x.dim() - 2)], mode=op["mode"])


def take(op, x, w):
    parts = [slice(None)] * x.dim()
    parts[op["axis"] + 1] = slice(op["start"], op["end"], op["step"])
    return x[tuple(parts)]


def axes(op):
    return [axis + 1 for axis in op["axes"]]


def upsample(op, x, w):
    bilinear = op["mode"] == "bilinear"
    return F.interpolate(x, size=op["size"], scale_factor=op["scale"], mode=op["mode"], align_corners=op["align_corners"] if bilinear else None)


def embedding(op, x, w):
    return F.embedding(x, w[0], op["padding"])


def sinusoidal(op, x, w):
    tokens, features = x.shape[1:]
    table = torch.zeros(tokens, features + features % 2, dtype=torch.float64)
    position = torch.arange(tokens, dtype=torch.float64).unsqueeze(1)
    rate = torch.exp(torch.arange(0, features, 2, dtype=torch.float64) * (-math.log(10000.0) / features))
    table[:, 0::2] = torch.sin(position * rate)
    table[:, 1::2] = torch.cos(position * rate)
    return table[:, :features].expand(x.shape) + 0 * x


def rotary(op, x, w):
    n, t, features = x.shape
    d = features // op["heads"]
    rate = op["base"] ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = (torch.arange(t, dtype=torch.float64) + op["offset"])[:, None] * rate
    q = x.view(n, t, op["heads"], d).transpose(1, 2)
    if op["style"] == "half":  # as Llama has it
        cos, sin = (torch.cat([f(angle), f(angle)], -1) for f in (torch.cos, torch.sin))
        turned = torch.cat((-q[..., d // 2:], q[..., : d // 2]), -1)
    else:  # as GPT-J has it
        cos, sin = (torch.repeat_interleave(f(angle), 2, -1) for f in (torch.cos, torch.sin))
        turned = torch.stack((-q[..., 1::2], q[..., 0::2]), -1).flatten(-2)
    return (q * cos + turned * sin).transpose(1, 2).reshape(n, t, features)


def t5_bucket(relative, both, buckets, distance):
    """transformers' T5Attention._relative_position_bucket, in its words of PyTorch."""
    result = 0
    if both:
        buckets //= 2
        result = (relative > 0).long() * buckets
        relative = relative.abs()
    else:
        relative = -torch.min(relative, torch.zeros_like(relative))
    exact = buckets // 2
    far = exact + (torch.log(relative.float() / exact) / math.log(distance / exact) * (buckets - exact)).long()
    far = torch.min(far, torch.full_like(far, buckets - 1))
    return result + torch.where(relative < exact, relative, far)


def attention(op, inputs, w):
    query, key, value = inputs[:3]
    n, t, features = query.shape
    s, d, heads, groups = key.shape[1], features // op["heads"], op["heads"], op["kv_heads"]
    q = query.view(n, t, heads, d).transpose(1, 2)
    k, v = (x.view(n, s, groups, d).transpose(1, 2).repeat_interleave(heads // groups, 1) for x in (key, value))
    scores = q @ k.transpose(2, 3) * (d ** -0.5 if op["scale"] is None else op["scale"])
    if op["relative"]:
        r = op["relative"]
        bucket = t5_bucket(torch.arange(s)[None, :] - torch.arange(t)[:, None], r["bidirectional"], r["buckets"], r["max_distance"])
        scores = scores + w[0][bucket].permute(2, 0, 1)
    if op["causal"]:
        scores = scores.masked_fill(torch.ones(t, s).triu(1).bool(), -math.inf)
    blind = torch.zeros(n, 1, t, 1, dtype=torch.bool)
    if len(inputs) == 4:
        mask = inputs[3]
        hidden = (mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]) == 0
        scores = scores.masked_fill(hidden, -math.inf)
        blind = torch.isinf(scores).all(-1, keepdim=True)[:, :1]
        scores = scores.masked_fill(blind, 0.0)
    weights = torch.softmax(scores, -1).masked_fill(blind, 0.0)
    return (weights @ v).transpose(1, 2).reshape(n, t, features)


ONE = {
    "convolution": convolution, "depthwise": convolution, "transposed-convolution": transposed, "linear": linear,
    "batch-norm": batch_norm, "layer-norm": layer_norm, "group-norm": group_norm, "rms-norm": rms_norm,
    "relu": lambda op, x, w: F.relu(x), "relu6": lambda op, x, w: F.relu6(x),
    "leaky-relu": lambda op, x, w: F.leaky_relu(x, op["slope"]), "silu": lambda op, x, w: F.silu(x),
    "gelu": lambda op, x, w: F.gelu(x, approximate=op["approximate"]), "sigmoid": lambda op, x, w: torch.sigmoid(x),
    "hard-swish": lambda op, x, w: F.hardswish(x), "hard-sigmoid": lambda op, x, w: F.hardsigmoid(x),
    "tanh": lambda op, x, w: torch.tanh(x), "elu": lambda op, x, w: F.elu(x, op["alpha"]),
    "softplus": lambda op, x, w: F.softplus(x), "exp": lambda op, x, w: torch.exp(x), "log": lambda op, x, w: torch.log(x),
    "sqrt": lambda op, x, w: torch.sqrt(x), "neg": lambda op, x, w: -x, "abs": lambda op, x, w: torch.abs(x),
    "erf": lambda op, x, w: torch.erf(x), "reciprocal": lambda op, x, w: 1 / x,
    "softmax": lambda op, x, w: torch.softmax(x, op["axis"] + 1), "log-softmax": lambda op, x, w: torch.log_softmax(x, op["axis"] + 1),
    "clip": lambda op, x, w: torch.clamp(x, op["min"], op["max"]), "power": lambda op, x, w: x ** op["exponent"],
    "scale": lambda op, x, w: x * op["factor"] + op["offset"],
    "slice": take, "pad": pad, "reshape": lambda op, x, w: x.reshape([x.shape[0]] + op["shape"]),
    "flatten": lambda op, x, w: x.flatten(1), "transpose": lambda op, x, w: x.permute([0] + axes(op)),
    "select": lambda op, x, w: x.select(op["axis"] + 1, op["index"]), "identity": lambda op, x, w: x * 1,
    "max-pool": max_pool, "average-pool": average_pool, "global-average-pool": lambda op, x, w: x.mean((2, 3), keepdim=True),
    "adaptive-average-pool": lambda op, x, w: F.adaptive_avg_pool2d(x, op["size"]),
    "mean": lambda op, x, w: x.mean(axes(op), op["keep"]), "sum": lambda op, x, w: x.sum(axes(op), op["keep"]),
    "max": lambda op, x, w: torch.amax(x, axes(op), op["keep"]), "upsample": upsample,
    "embedding": embedding, "parameter": lambda op, x, w: w[0].expand([x.shape[0]] + list(w[0].shape)),
    "sinusoidal-positions": sinusoidal, "rotary": rotary,
    "cast": lambda op, x, w: x.double() if op["to"] == "real" else x.long(),
}
SEVERAL = {
    "add": broadcast(torch.add), "sub": broadcast(torch.sub), "mul": broadcast(torch.mul), "div": broadcast(torch.div),
    "maximum": broadcast(torch.maximum), "minimum": broadcast(torch.minimum), "matmul": broadcast(torch.matmul),
    "concat": lambda op, inputs, w: torch.cat(inputs, op["axis"] + 1), "attention": attention,
}


def answer(request):
    op = request["op"]
    inputs = [decode(x) for x in request["inputs"]]
    tensors = [decode(x) for x in request["tensors"]]
    for x in inputs + tensors:
        x.requires_grad_(x.is_floating_point())
    if op["kind"] in SEVERAL:
        output = SEVERAL[op["kind"]](op, inputs, tensors)
    else:
        output = ONE[op["kind"]](op, inputs[0], tensors)
    if output.requires_grad:
        output.backward(decode(request["gradient"]))
    return {"output": encode(output), "inputs": [encode(x.grad) for x in inputs], "tensors": [encode(x.grad) for x in tensors]}


torch.set_num_threads(1)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
