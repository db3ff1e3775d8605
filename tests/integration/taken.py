"""A run is taken along and used without Hearth, by the program in its model card. Debian 12 has no ONNX Runtime: what the standard
says of the file's operators stands in for it."""
import contextlib
import io
import json
import os
import struct
import sys
import types

import outsider

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../core/model/import"))
import onnx_reference

import onnx
import torch


class Session:
    """As much of onnxruntime.InferenceSession as the program uses."""
    types = {1: "tensor(float)", 7: "tensor(int64)", 11: "tensor(double)"}

    def __init__(self, path):
        self.path, self.model = path, onnx.load(path)

    def get_modelmeta(self):
        return types.SimpleNamespace(custom_metadata_map={each.key: each.value for each in self.model.metadata_props})

    def get_inputs(self):
        return [types.SimpleNamespace(name=each.name, type=self.types[each.type.tensor_type.elem_type])
                for each in self.model.graph.input]

    def run(self, _, inputs):
        return [onnx_reference.evaluate(self.path, {name: torch.from_numpy(x) for name, x in inputs.items()}).numpy()]


def asked(programs, home, replaced, **modules):
    """What the program prints for the only run of `home` with weights; `replaced`: what stands in it, by what it asks about instead."""
    runs = os.path.join(home, "runs")
    run, = [each for each in os.listdir(runs) if os.path.exists(os.path.join(runs, each, "weights.safetensors"))]
    paths = {form: os.path.join(home, f"network.{form}") for form in ("onnx", "safetensors", "card")}
    outsider.hearth(programs, "export", run, *(word for form, path in paths.items() for word in (f"--{form}", path)), "--state", home)
    with open(paths["safetensors"], "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        told = json.loads(file.read(length))["__metadata__"]
    assert told == Session(paths["onnx"]).get_modelmeta().custom_metadata_map, told
    with open(paths["card"], encoding="utf-8") as file:
        card = file.read()
    assert os.path.dirname(home) not in card, "the card names folders"
    program = card.split("```python\n")[1].split("```")[0]
    for old, new in {'"network.onnx"': paths["onnx"], **replaced}.items():
        assert old in program, (old, program)
        program = program.replace(old, repr(new))
    sys.modules.update({"onnxruntime": types.SimpleNamespace(InferenceSession=Session), **modules})
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(program, paths["card"], "exec"), {})
    return printed.getvalue()


def alike(printed, answers):
    """Whether it prints the three likeliest classes of each, as `hearth predict` tells them."""
    lines = printed.splitlines()
    assert len(lines) == 3 * len(answers), (len(lines), len(answers))
    off = 0
    for i, line in enumerate(lines):
        name, _, value = line.rpartition(": ")
        known = {each["class"]: each["value"] for each in answers[i // 3]["answers"]}
        off = max(off, abs(known[name] - float(value)), abs(sorted(known.values())[-1 - i % 3] - float(value)))
    print(f"the model card's program is at most {off:.1e} off hearth predict for {len(answers)} samples")
    return off < 1e-4
