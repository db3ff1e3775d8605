#!/usr/bin/env python3
"""An outsider repeats a run of Hearth in plain PyTorch and compares the weights.

Nothing of Hearth is used but its files: the model's description, the initial weights, the job, the data set.

    outsider.py --bin build/release/bin                     trains with `hearth demo` and repeats the run
    outsider.py --bin build/release/bin --tied              the same with a network that shares tensors between its
                                                            layers, cut apart, a device killed on the way
    outsider.py --bin build/release/bin --interleaved       three devices, two of which have two stages each; with --kill
                                                            one of these is killed on the way
    outsider.py --bin build/release/bin --clip 1.5          gradients are clipped by their norm, alone or with --tied
    outsider.py --model M --job J --initial W0 --final W1   repeats a run that is already done
                                                            (M: output of `hearth model NAME --json`)

Exit status: 0 equal, 1 not equal or failed.
"""
import argparse
import contextlib
import gzip
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile

FOLDER = "/usr/share/datasets/fashion-mnist"

import numpy
import torch
import torch.nn.functional as F

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lab"))
from hearthlab import standstill


def read_idx(name):
    with gzip.open(os.path.join(FOLDER, name)) as file:
        content = file.read()
    rank = content[3]
    shape = struct.unpack(f">{rank}I", content[4 : 4 + 4 * rank])
    return torch.from_numpy(numpy.frombuffer(content, numpy.uint8, offset=4 + 4 * rank).reshape(shape).copy())


def read_safetensors(path):
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    types = {"F32": "<f4", "F64": "<f8"}
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        flat = numpy.frombuffer(content[8 + length + begin : 8 + length + end], types[entry["dtype"]])
        tensors[name] = torch.from_numpy(flat.reshape(entry["shape"]).astype(numpy.float64))
    return tensors


def tensor(op, name, key, weights):
    return weights.get(op.get("tensors", {}).get(key, f"{name}.{key}"))


def run_op(op, x, name, weights):
    kind = op["kind"]
    weight, bias = (tensor(op, name, key, weights) for key in ("weight", "bias"))
    if kind in ("convolution", "depthwise"):
        groups = x.shape[1] if kind == "depthwise" else op["groups"]
        return F.conv2d(x, weight, bias, op["stride"], op["padding"], 1, groups)
    if kind == "linear":
        return F.linear(x, weight, bias)
    if kind == "max-pool":
        return F.max_pool2d(x, op["kernel"], op["stride"], op["padding"])
    if kind == "average-pool":
        return F.avg_pool2d(x, op["kernel"], op["stride"])
    if kind == "global-average-pool":
        return x.mean((2, 3), keepdim=True)
    simple = {"relu": F.relu, "relu6": F.relu6, "flatten": lambda y: y.flatten(1)}
    if kind not in simple:
        raise SystemExit(f"the outsider cannot repeat runs with {kind}")
    return simple[kind](x)


def run_graph(layer, x, weights):
    values = {"input": x}
    for op in layer["ops"]:
        inputs = [values[name] for name in op["from"]]
        name = f'{layer["name"]}.{op["name"]}'
        values[op["name"]] = sum(inputs[1:], inputs[0]) if op["kind"] == "add" else run_op(op, inputs[0], name, weights)
    return values[layer["ops"][-1]["name"]]


def run_model(model, x, weights):
    for layer in model["layers"]:
        kind, name = layer["kind"], layer["name"]
        if kind == "graph":
            x = run_graph(layer, x, weights)
            continue
        if kind not in ("sequence", "residual"):
            x = run_op(layer, x, f"{name}.0", weights)
            continue
        y = x
        for i, op in enumerate(layer["ops"]):
            y = run_op(op, y, f"{name}.{i}", weights)
        if kind == "residual":
            for i, op in enumerate(layer["shortcut"]):
                x = run_op(op, x, f"{name}.shortcut.{i}", weights)
            y = y + x
            for i, op in enumerate(layer["after"]):
                y = run_op(op, y, f"{name}.after.{i}", weights)
        x = y
    return x


class Adafactor(torch.optim.Optimizer):
    """Shazeer and Stern 2018, algorithms 4 to 6, without an own rate or with relative steps."""

    def __init__(self, groups, lr, beta1, scale_parameter, relative_step):
        super().__init__(groups, {"lr": lr, "weight_decay": 0})
        self.beta1, self.scale_parameter, self.relative_step, self.rate = beta1, scale_parameter, relative_step, lr

    @torch.no_grad()
    def step(self):
        def rms(x):
            return (x.pow(2).sum() / x.numel()).sqrt().item()
        for group in self.param_groups:
            for x in group["params"]:
                state = self.state[x]
                t = state["step"] = state.get("step", 0) + 1
                beta2, square = 1 - t ** -0.8, x.grad ** 2 + 1e-30

                def moment(name, now, beta):
                    state[name] = beta * state.get(name, torch.zeros_like(now)) + (1 - beta) * now
                    return state[name]
                if x.dim() < 2:
                    second = moment("all", square, beta2)
                else:
                    rows, columns = moment("rows", square.sum(-1), beta2), moment("columns", square.sum(-2), beta2)
                    second = rows[..., :, None] * columns[..., None, :] / rows.sum(-1)[..., None, None]
                update = x.grad / second.sqrt()
                rate = group["lr"] * (min(self.rate, t ** -0.5) / self.rate if self.relative_step else 1)
                rate *= max(1e-3, rms(x)) if self.scale_parameter else 1
                update = rate * update / max(1.0, rms(update))
                if self.beta1:
                    update = moment("mean", update, self.beta1)
                x.copy_(x - rate * group["weight_decay"] * x - update)


def make_optimizer(spec, parameters):
    adaptive = spec["kind"] != "sgd"
    decay = spec.get("weight_decay", 0.01 if spec["kind"] == "adamw" else 0)
    groups = [{"params": parameters, "weight_decay": decay}]
    if spec.get("decay", "weights") == "weights":
        groups = [{"params": [p for p in parameters if p.dim() > 1], "weight_decay": decay},
                  {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0}]
    if spec["kind"] == "adafactor":
        return Adafactor(groups, spec.get("learning_rate", 0.01), spec.get("beta1", 0), spec.get("scale_parameter", True),
                         spec.get("relative_step", False))
    if adaptive:
        make = torch.optim.AdamW if spec["kind"] == "adamw" else torch.optim.Adam
        return make(groups, spec.get("learning_rate", 0.001), (spec.get("beta1", 0.9), spec.get("beta2", 0.999)),
                    spec.get("epsilon", 1e-8))
    return torch.optim.SGD(groups, spec.get("learning_rate", 0.05), spec.get("momentum", 0.9), nesterov=spec.get("nesterov", False))


def make_schedule(spec, optimizer, rounds):
    schedulers, kind = torch.optim.lr_scheduler, spec["kind"]
    if kind == "one-cycle":
        return schedulers.OneCycleLR(optimizer, optimizer.defaults["lr"], total_steps=rounds, cycle_momentum=False)
    warm = spec["warmup_rounds"]
    if kind == "constant":
        after = schedulers.LambdaLR(optimizer, lambda _: 1.0)
    elif kind == "linear":
        after = schedulers.LinearLR(optimizer, 1.0, spec["last"], rounds - warm)
    elif kind == "steps":
        after = schedulers.StepLR(optimizer, spec["every"], spec["drop"])
    else:
        after = schedulers.CosineAnnealingLR(optimizer, rounds - warm, spec["last"] * optimizer.defaults["lr"])
    if not warm:
        return after
    first = schedulers.LinearLR(optimizer, 1 / (warm + 1), 1.0, warm)
    return schedulers.SequentialLR(optimizer, [first, after], [warm])


def train(model, job, weights):
    """The losses of all rounds; `weights` hold the final ones afterwards."""
    assert job["precision"] == "float64" and not job["shuffle"], "only such runs can be repeated without Hearth"
    images, labels = read_idx("train-images-idx3-ubyte.gz"), read_idx("train-labels-idx1-ubyte.gz")
    transform, batch = job["input"], job["batch"]
    rows, columns = transform["pad"]
    for tensor in weights.values():
        tensor.requires_grad_(True)
    optimizer = make_optimizer(job["optimizer"], list(weights.values()))
    schedule = make_schedule(job.get("schedule", {"kind": "constant", "warmup_rounds": 0}), optimizer, job["rounds"])
    losses, clipped, limit = [], 0, job["optimizer"].get("clip_norm", 0)
    for r in range(job["rounds"]):
        indices = torch.arange(r * batch, (r + 1) * batch) % len(labels)
        x = F.pad(images[indices].double()[:, None] * transform["scale"], (columns, columns, rows, rows))
        x = x.repeat(1, transform["repeat_channels"], 1, 1)
        loss = F.cross_entropy(run_model(model, x, weights), labels[indices].long(), reduction="sum") / batch
        optimizer.zero_grad()
        loss.backward()
        if limit:
            clipped += torch.nn.utils.clip_grad_norm_(list(weights.values()), limit).item() > limit
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    if limit:
        print(f"clipped in {clipped} of {job['rounds']} rounds")
        assert clipped > 0, "the gradients never were too long"
    return losses


def compare(ours, theirs, initial, limit):
    if ours.keys() != theirs.keys():
        raise SystemExit(f"the files have different tensors: {sorted(ours.keys() ^ theirs.keys())}")
    worst, worst_name, moved = 0.0, "", 0.0
    for name in sorted(ours):
        mine = ours[name].detach()
        distance = ((theirs[name] - mine).norm() / mine.norm().clamp_min(1e-300)).item()
        moved = max(moved, ((theirs[name] - initial[name]).norm() / theirs[name].norm().clamp_min(1e-300)).item())
        if not distance <= worst:  # not a number counts as worst
            worst, worst_name = distance, name
    print(f"worst tensor: {worst_name or 'all equal'}, relative distance {worst:.3g} (limit {limit:g}); training moved weights by up to {moved:.3g}")
    return worst <= limit and moved > 1e-3


def compare_losses(ours, events, limit):
    theirs = {event["round"]: event["loss"] for event in events if event.get("event") == "round"}  # the last time counts
    if sorted(theirs) != list(range(1, len(ours) + 1)):
        print(f"the run reported rounds {sorted(theirs)[:5]}… instead of 1 to {len(ours)}")
        return False
    worst = max(abs(theirs[i + 1] - loss) / abs(loss) for i, loss in enumerate(ours))
    print(f"losses of {len(ours)} rounds: {ours[0]:.6f} to {ours[-1]:.6f}, worst relative distance {worst:.3g}")
    return worst <= limit


def hearth(programs, *words):
    done = subprocess.run([os.path.join(programs, "hearth"), *words], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"hearth {' '.join(words)} failed with status {done.returncode}")
    return done.stdout


@contextlib.contextmanager
def agent(programs, state):
    """An agent of this computer alone, which ends with the block."""
    with subprocess.Popen([os.path.join(programs, "hearth-agent"), "--state", state, "--listen", "127.0.0.1:0", "--parent-pipe"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()  # it listens
        yield


def demo(programs, words, kill):
    """Events of `hearth demo`; `kill` = (device, round): it dies, agent and worker, after that round. Without that, no run may
    have to recover."""
    def late(events):
        kinds = [event.get("event") for event in events]
        is_over = "lost" not in kinds or "round" not in kinds[kinds.index("lost"):]
        return kill and is_over and "recovered" not in kinds and f"the run was over before {kill[0]} was missed"

    def spoilt(events):
        return not kill and any(event.get("event") == "recovered" for event in events) and standstill.losses(events)

    return standstill.undisturbed(lambda: demo_once(programs, words, kill), spoilt, late)


def demo_once(programs, words, kill):
    process = subprocess.Popen([os.path.join(programs, "hearth"), "demo", *words], stdout=subprocess.PIPE, text=True)
    events, pids = [], {}
    for line in process.stdout:
        event = json.loads(line)
        events.append(event)
        key = event.get("id")
        if event.get("event") == "device" and event.get("name") == (kill or [None])[0]:
            pids[key] = {"agent": event.get("agent_pid")}
        if event.get("event") == "worker" and key in pids:
            pids[key]["worker"] = event["worker_pid"]
        if event.get("event") == "round" and kill and event["round"] == kill[1]:
            kill = None
            for pid in [pid for known in pids.values() for pid in known.values() if pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
    if process.wait() != 0:
        raise SystemExit(f"hearth demo failed with status {process.returncode}")
    return events


def tied_network():
    """The stem's weights are those of the fourth layer, twice there, and of the head; the second layer's are the fourth's."""
    def linear(name, features, **tensors):
        return {"name": name, "kind": "linear", "features": features, **({"tensors": tensors} if tensors else {})}
    relu, stem = {"name": "relu", "kind": "relu"}, "stem.in.weight"
    layers = {
        "stem": [{"name": "pool", "kind": "average-pool", "kernel": 4}, {"name": "flat", "kind": "flatten"}, linear("in", 64), relu],
        "a": [linear("x", 48), relu, linear("y", 64), {"name": "sum", "kind": "add", "from": ["y", "input"]}],
        "b": [linear("own", 64), relu],
        "c": [linear("x", 48, weight="a.x.weight"), relu, linear("y", 64, weight="a.y.weight", bias="a.y.bias"),
              linear("z", 64, weight=stem), linear("again", 64, weight=stem), {"name": "sum", "kind": "add", "from": ["again", "input"]}],
        "head": [linear("up", 64, weight=stem), relu, linear("out", 10)]}
    return {"format": "hearth-model/1", "name": "tied", "input": [1, 32, 32], "classes": 10,
            "layers": [{"name": name, "kind": "graph", "ops": ops} for name, ops in layers.items()]}


def tied_plan(batch):
    """Every tied pair is cut apart; one of the stages that have them is a group of two."""
    def stage(first, last, in_flight, **shares):
        return {"layers": [first, last], "in_flight": in_flight, "recompute": False, "codec": "none",
                "shares": {name.replace("_", "-"): samples for name, samples in shares.items()}}
    return {"format": "hearth-plan/1", "model": {"name": "tied", "sha256": "", "layers": 5}, "planner": "test", "batch": batch,
            "micro_batch": 16, "schedule": "1f1b",
            "stages": [stage(0, 2, 3, local_1=16), stage(2, 4, 2, local_2=10, local_3=6), stage(4, 5, 1, local_4=16)]}


def interleaved_plan(batch):
    """Of fashion-cnn's five layers: the first and the fourth are one device's, the second and the fifth another's."""
    order = ("local-1", "local-2", "local-3", "local-1", "local-2")
    stages = [{"layers": [layer, layer + 1], "in_flight": 4, "recompute": False, "codec": "none", "shares": {device: batch // 4}}
              for layer, device in enumerate(order)]
    return {"format": "hearth-plan/1", "model": {"name": "fashion-cnn", "sha256": "", "layers": 5}, "planner": "test", "batch": batch,
            "micro_batch": batch // 4, "schedule": "zero-bubble", "stages": stages}


def run_hearth(arguments, folder):
    decay = {"learning_rate": 0.05, "momentum": 0.9, "weight_decay": 0.0005}
    optimizer = {"sgd": {"kind": "sgd", "decay": "all", **decay},
                 "adam": {"kind": "adam", "learning_rate": 0.001, "weight_decay": 0.0005, "decay": "all"},
                 "nesterov": {"kind": "sgd", "nesterov": True, **decay},
                 "adamw": {"kind": "adamw", "learning_rate": 0.002},
                 "adafactor": {"kind": "adafactor", "beta1": 0.9, "weight_decay": 0.01}}[arguments.optimizer]
    if arguments.clip:
        optimizer["clip_norm"] = arguments.clip
    schedule = {"nesterov": {"kind": "one-cycle"},
                "adafactor": {"kind": "linear", "warmup_rounds": 5, "last": 0.2},
                "adamw": {"kind": "cosine", "warmup_rounds": 5, "last": 0.1}}.get(arguments.optimizer, {"kind": "constant", "warmup_rounds": 0})
    job = {"format": "hearth-job/1", "model": "fashion-cnn", "data": "fashion-mnist",
           "input": {"scale": 1 / 255, "pad": [2, 2], "repeat_channels": 1}, "loss": "cross-entropy", "optimizer": optimizer, "schedule": schedule,
           "batch": arguments.batch, "precision": "float64", "rounds": arguments.rounds, "seed": 1, "shuffle": False, "evaluate_every": 0}
    paths = {name: os.path.join(folder, name) for name in ("job.json", "initial.safetensors", "final.safetensors")}
    extra = []
    plan = interleaved_plan(arguments.batch) if arguments.interleaved else None
    if arguments.tied:
        job["model"], plan = os.path.join(folder, "tied.json"), tied_plan(arguments.batch)
        with open(job["model"], "w") as file:
            json.dump(tied_network(), file)
    if plan:
        extra = ["--plan", os.path.join(folder, "plan.json")]
        with open(extra[1], "w") as file:
            json.dump(plan, file)
    with open(paths["job.json"], "w") as file:
        json.dump(job, file)
    summary = json.loads(hearth(arguments.bin, "model", job["model"], "--init", "1", "--save", paths["initial.safetensors"], "--json"))
    words = [paths["job.json"], "--devices", str(arguments.devices), "--headless", "--json",
             "--weights", paths["initial.safetensors"], "--save", paths["final.safetensors"], *extra]
    kill = arguments.tied or arguments.kill
    events = demo(arguments.bin, words, ("local-2", arguments.rounds // 3) if kill else None)
    if kill:
        kinds = [event.get("event") for event in events]
        print(f"devices lost: {kinds.count('lost')}, recoveries: {kinds.count('recovered')}")
        assert kinds.count("recovered") >= 1, "nobody was missed"
    return summary["model"], job, read_safetensors(paths["initial.safetensors"]), read_safetensors(paths["final.safetensors"]), events


def read_json(path):
    with open(path) as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", help="folder of the program hearth")
    parser.add_argument("--model", help="output of hearth model NAME --json, or a hearth-model/1 with all parameters")
    parser.add_argument("--job"), parser.add_argument("--initial"), parser.add_argument("--final")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--devices", type=int, default=3)
    parser.add_argument("--optimizer", choices=["sgd", "adam", "nesterov", "adamw", "adafactor"], default="sgd")
    parser.add_argument("--clip", type=float, help="the norm that gradients have at most")
    parser.add_argument("--tied", action="store_true", help="a network that shares tensors, on four devices, one of which dies")
    parser.add_argument("--interleaved", action="store_true", help="devices with several stages")
    parser.add_argument("--kill", action="store_true", help="a device dies on the way")
    parser.add_argument("--limit", type=float, default=1e-10)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    arguments.devices = 4 if arguments.tied else arguments.devices
    events = None
    if arguments.bin:
        with tempfile.TemporaryDirectory() as folder:
            model, job, initial, final, events = run_hearth(arguments, folder)
    elif arguments.model and arguments.job and arguments.initial and arguments.final:
        model, job = read_json(arguments.model), read_json(arguments.job)
        model = model.get("model", model)
        initial, final = read_safetensors(arguments.initial), read_safetensors(arguments.final)
    else:
        parser.error("give --bin, or --model, --job, --initial and --final")
    ours = {name: tensor.clone() for name, tensor in initial.items()}
    losses = train(model, job, ours)
    print(f"repeated {len(losses)} rounds of {job['batch']} with PyTorch {torch.__version__}")
    equal = compare(ours, final, initial, arguments.limit)
    if events is not None:
        equal = compare_losses(losses, events, arguments.limit) and equal
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
