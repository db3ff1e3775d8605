#!/usr/bin/python3
"""What an ONNX file says its network computes, operator by operator as the standard words it, with PyTorch's numbers.

onnx_reference.py FOLDER
    lets ONNX's own checker look at each FOLDER/NAME.onnx, evaluates it for the inputs in.* of FOLDER/NAME.safetensors and
    prints NAME and how far its output is from the tensor "used" there, relatively, or what is wrong
"""
import pathlib
import sys

import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper


def tensor_of(proto):
    return torch.from_numpy(numpy_helper.to_array(proto).copy())


def padded(x, pads, value=0.0):
    """ONNX: all beginnings, then all ends, of the last dimensions; PyTorch: pairs, the last dimension first."""
    half = len(pads) // 2
    pairs = [each for i in reversed(range(half)) for each in (pads[i], pads[i + half])]
    return F.pad(x, pairs, value=value) if any(pads) else x


def conv(a, x, w, b=None):
    x = padded(x, a["pads"])
    return (F.conv1d if w.dim() == 3 else F.conv2d)(x, w, b, a["strides"], 0, a["dilations"], a["group"])


def conv_transpose(a, x, w, b=None):
    half = len(a["pads"]) // 2
    assert a["pads"][:half] == a["pads"][half:]
    function = F.conv_transpose1d if w.dim() == 3 else F.conv_transpose2d
    return function(x, w, b, a["strides"], a["pads"][:half], a.get("output_padding", 0), a["group"], a["dilations"])


def gemm(a, x, w, b=None):
    y = x @ (w.T if a.get("transB") else w)
    return y if b is None else y + b


def batch_norm(a, x, w, b, mean, var):
    return F.batch_norm(x, mean, var, w, b, False, 0, a["epsilon"])


def pool(function, fill):
    def run(a, x):
        half = len(a["kernel_shape"])
        pads = a.get("pads", [0] * 2 * half)
        if pads[:half] == pads[half:]:
            return function(x, a["kernel_shape"], a["strides"], pads[:half], bool(a.get("ceil_mode")), a)
        assert not a.get("ceil_mode")
        return function(padded(x, pads, fill), a["kernel_shape"], a["strides"], [0] * half, False, a)
    return run


def max_pool(x, kernel, stride, padding, ceil, a):
    return (F.max_pool1d if x.dim() == 3 else F.max_pool2d)(x, kernel, stride, padding, a.get("dilations", 1), ceil)


def average_pool(x, kernel, stride, padding, ceil, a):
    counted = bool(a.get("count_include_pad"))
    assert counted or any(padding) or not any(a.get("pads", [0]))
    return (F.avg_pool1d if x.dim() == 3 else F.avg_pool2d)(x, kernel, stride, padding, ceil, counted)


def pad(a, x, pads, value=None):
    pads = pads.tolist()
    mode = {"constant": "constant", "reflect": "reflect", "edge": "replicate"}[a.get("mode", "constant")]
    if mode == "constant":
        return padded(x, pads, 0.0 if value is None else value.item())
    half = len(pads) // 2
    kept = [i for i in range(half) if pads[i] or pads[i + half]]
    pairs = [each for i in reversed(range(min(kept), half)) for each in (pads[i], pads[i + half])]
    return F.pad(x, pairs, mode)


def reshape(a, x, shape):
    return x.reshape([x.shape[i] if size == 0 else size for i, size in enumerate(shape.tolist())])


def slice_(a, x, starts, ends, axes, steps):
    for start, end, axis, step in zip(*(each.tolist() for each in (starts, ends, axes, steps))):
        x = x.index_select(axis, torch.arange(x.shape[axis])[start:end:step])
    return x


def gather(a, x, index):
    axis = a.get("axis", 0) % x.dim()
    return x.index_select(axis, index.reshape(-1)).reshape([*x.shape[:axis], *index.shape, *x.shape[axis + 1:]])


def resize(a, x, roi, scales, sizes=None):
    sizes = None if sizes is None else sizes.tolist()[2:]
    scales = None if scales is None else [round(each, 6) for each in scales.tolist()[2:]]
    if a["mode"] == "nearest":
        assert a["nearest_mode"] == "floor" and a["coordinate_transformation_mode"] == "asymmetric"
        return F.interpolate(x, sizes, scales, mode="nearest")
    corners = a["coordinate_transformation_mode"] == "align_corners"
    assert corners or a["coordinate_transformation_mode"] == "half_pixel"
    return F.interpolate(x, sizes, scales, mode="bilinear", align_corners=corners)


def reduction(function):
    def run(a, x, axes=None):
        return function(x, a["axes"] if axes is None else axes.tolist(), keepdim=bool(a.get("keepdims", 1)))
    return run


def clip(a, x, low=None, high=None):
    return x.clamp(low, high)


OPERATORS = {
    "Conv": conv, "ConvTranspose": conv_transpose, "Gemm": gemm, "BatchNormalization": batch_norm, "Pad": pad, "Reshape": reshape,
    "Slice": slice_, "Gather": gather, "Resize": resize, "Clip": clip,
    "LayerNormalization": lambda a, x, w, b=None: F.layer_norm(x, x.shape[a["axis"]:], w, b, a["epsilon"]),
    "InstanceNormalization": lambda a, x, w, b: F.instance_norm(x, None, None, w, b, True, 0, a["epsilon"]),
    "MaxPool": pool(max_pool, float("-inf")), "AveragePool": pool(average_pool, 0.0),
    "GlobalAveragePool": lambda a, x: x.mean(list(range(2, x.dim())), keepdim=True),
    "ReduceMean": reduction(torch.mean), "ReduceSum": reduction(torch.sum), "ReduceMax": reduction(torch.amax),
    "MatMul": lambda a, x, y: x @ y, "Add": lambda a, x, y: x + y, "Sub": lambda a, x, y: x - y, "Mul": lambda a, x, y: x * y,
    "Div": lambda a, x, y: x / y, "Max": lambda a, x, y: torch.maximum(x, y), "Min": lambda a, x, y: torch.minimum(x, y),
    "Pow": lambda a, x, y: x ** y, "Sqrt": lambda a, x: x.sqrt(), "Exp": lambda a, x: x.exp(), "Log": lambda a, x: x.log(),
    "Neg": lambda a, x: -x, "Abs": lambda a, x: x.abs(), "Reciprocal": lambda a, x: 1 / x, "Erf": lambda a, x: x.erf(),
    "Cos": lambda a, x: x.cos(), "Sin": lambda a, x: x.sin(),
    "Relu": lambda a, x: x.relu(), "Sigmoid": lambda a, x: x.sigmoid(), "Tanh": lambda a, x: x.tanh(), "Softplus": lambda a, x: F.softplus(x),
    "LeakyRelu": lambda a, x: F.leaky_relu(x, a["alpha"]), "Elu": lambda a, x: F.elu(x, a["alpha"]),
    "Softmax": lambda a, x: x.softmax(a["axis"]), "LogSoftmax": lambda a, x: x.log_softmax(a["axis"]),
    "Concat": lambda a, *parts: torch.cat(parts, a["axis"]), "Transpose": lambda a, x: x.permute(a["perm"]),
    "Expand": lambda a, x, shape: x * torch.ones(shape.tolist(), dtype=x.dtype),
    "Shape": lambda a, x: torch.tensor(x.shape)[a.get("start", 0):a.get("end", x.dim())],
    "Equal": lambda a, x, y: x == y, "Where": lambda a, c, x, y: torch.where(c, x, y),
    "Cast": lambda a, x: x.to({1: torch.float32, 7: torch.int64, 9: torch.bool, 11: torch.float64}[a["to"]]),
    "Identity": lambda a, x: x, "Constant": lambda a: tensor_of(a["value"]),
}


def evaluate(path, inputs):
    """The first output, for tensors by the names of the inputs."""
    onnx.checker.check_model(path, full_check=True)
    graph = onnx.load(path).graph
    values = {"": None, **{each.name: tensor_of(each) for each in graph.initializer}, **inputs}
    for node in graph.node:
        attributes = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
        attributes = {name: value.decode() if isinstance(value, bytes) else value for name, value in attributes.items()}
        values[node.output[0]] = OPERATORS[node.op_type](attributes, *(values[name] for name in node.input))
    return values[graph.output[0].name]


def difference(ours, theirs):
    return ((ours - theirs).norm() / theirs.norm()).item() if ours.shape == theirs.shape else float("inf")


def compare(path):
    import networks

    expected = networks.read_safetensors(path.with_suffix(".safetensors"))
    inputs = {name[3:]: value for name, value in expected.items() if name.startswith("in.")}
    return difference(evaluate(str(path), inputs), expected["used"])


def main():
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.onnx")):
        try:
            with torch.no_grad():
                print(path.stem, compare(path))
        except Exception as error:  # whatever it is, it belongs to this file
            print(path.stem, repr(error).replace("\n", " "))


if __name__ == "__main__":
    main()
