"""Reads safetensors and compares them."""
import json
import math

import numpy

from ..errors import LabError

TYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "U8": "u1"}


def read_tensors(path):
    """Name to array, as float64."""
    with open(path, "rb") as file:
        data = file.read()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    tensors = {}
    for name, about in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + size + offset for offset in about["data_offsets"])
        tensors[name] = numpy.frombuffer(data[begin:end], TYPES[about["dtype"]]).astype("f8")
    if not tensors:
        raise LabError(f"{path} holds no tensors.")
    return tensors


def largest_difference(left, right):
    """Of all tensors the largest relative L2 distance, and that tensor's name."""
    if left.keys() != right.keys():
        raise LabError("The weights are of two models.", f"They differ in: {sorted(left.keys() ^ right.keys())}.")
    distances = {}
    for name, expected in right.items():
        norm = numpy.linalg.norm(expected)
        distance = float(numpy.linalg.norm(left[name] - expected) / (norm if norm > 0 else 1))
        distances[name] = math.inf if math.isnan(distance) else distance
    worst = max(distances, key=distances.get)
    return distances[worst], worst
