#!/usr/bin/env python3
"""LoRA is trained at home and leaves as PEFT reads it: peft.py --bin build/release/bin

For some families: a folder as Hugging Face's library saves it, `hearth train` by an agent of this computer in float64,
and `hearth export` of the run. A reader of the published format puts the adapters beside the folder's network, computed
here in plain PyTorch; its loss is the one that Hearth evaluated, and its logits are those of the exported whole network
with the adapters merged, and of the ONNX file. What cannot be written is said. Exit status: 0 equal, 1 not.
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile

import outsider

here = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(here, "../core/train/outsiders"), os.path.join(here, "../core/model/import")]
import hugging_face as library
import onnx_reference

import numpy
import torch
import torch.nn.functional as F

LIMIT = 1e-10  # relative
ROUNDS, BATCH, TESTED, LENGTH, ANSWER = 12, 16, 16, 9, 7
PREFIX = "base_model.model."
# Networks, with what a job says of adapters, and whether the folder lacks the head.
CASES = [
    ("bert-sequence", {"rank": 2, "alpha": 3}, ("classifier.",)),
    ("distilbert-sequence", {"rank": 3, "alpha": 16}, ()),
    ("gpt2-language", {"rank": 2, "alpha": 3, "targets": ["*.attn.c_attn", "*.mlp.c_proj"]}, ()),
    ("llama-sequence", {"rank": 2, "alpha": 3}, ("score.",)),
    ("t5", {"rank": 2, "alpha": 4}, ()),
]


class WithPeft(library.Named):
    """The network of a folder with what PEFT has beside it: get_peft_model_state_dict()'s names, LoRA's rule."""

    def __init__(self, folder, adapter):
        super().__init__()
        self.tensors = outsider.read_safetensors(os.path.join(folder, "model.safetensors"))
        with open(os.path.join(adapter, "adapter_config.json")) as file:
            self.config = json.load(file)
        self.adapter = outsider.read_safetensors(os.path.join(adapter, "adapter_model.safetensors"))
        self.used = set()
        for name in self.adapter:
            if ".lora_" in name:
                continue
            module = name[len(PREFIX) :].rpartition(".")[0]
            assert any(module.endswith(saved) for saved in self.config["modules_to_save"]), name
            self.tensors[name[len(PREFIX) :]] = self.take(name)

    def take(self, name):
        self.used.add(name)
        return self.adapter[name]

    def get(self, name, *shape, around=0.0):
        assert name in self.tensors, f"neither the folder nor the adapter has {name}"
        return super().get(name, *shape)

    def adapted(self, name, x, y):
        if not any(name == target or name.endswith("." + target) for target in self.config["target_modules"]):
            return y
        a, b = (self.take(f"{PREFIX}{name}.lora_{part}.weight") for part in "AB")
        assert a.shape == (self.config["r"], x.shape[-1]) and b.shape == (y.shape[-1], self.config["r"])
        return y + (x @ a.T @ b.T) * (self.config["lora_alpha"] / self.config["r"])

    def linear(self, name, x, features, bias=True):
        return self.adapted(name, x, super().linear(name, x, features, bias))

    def conv1d(self, name, x, features):
        y = super().conv1d(name, x, features)
        assert self.config["fan_in_fan_out"], name
        return self.adapted(name, x, y)


class Folder(library.Named):
    def __init__(self, path):
        super().__init__()
        self.tensors = outsider.read_safetensors(path)


def make_samples(config, network, architecture, folder):
    """Of both parts; what goes in, labels, and the file that describes them."""
    torch.manual_seed(4)
    parts, described = {}, {"format": "hearth-data/1", "name": "words", "kind": "arrays"}
    for part, count in (("train", ROUNDS * BATCH), ("test", TESTED)):
        taken = {"tokens": torch.randint(1, config["vocab_size"], (count, LENGTH))}
        if network is library.t5:
            taken["decoder_tokens"] = torch.randint(1, config["vocab_size"], (count, ANSWER))
        if network is not library.gpt2:
            lengths = torch.randint(2, LENGTH + 1, (count, 1))
            taken["mask"] = (torch.arange(LENGTH)[None, :] < lengths).long()
        if "SequenceClassification" in architecture:
            labels = taken["tokens"][:, 0] % len(config["id2label"])
        else:
            labels = taken["decoder_tokens" if network is library.t5 else "tokens"].roll(1, -1)
        for name, values in (*taken.items(), ("labels", labels)):
            numpy.save(os.path.join(folder, f"{part}-{name}.npy"), values.numpy())
        described[part] = {"inputs": {name: f"{part}-{name}.npy" for name in taken}, "labels": f"{part}-labels.npy"}
        parts[part] = taken, labels
    path = os.path.join(folder, "data.json")
    with open(path, "w") as file:
        json.dump(described, file)
    return path, parts["test"]


def logits(named, config, network, architecture, taken):
    head = architecture[architecture.index("LMHead" if "LMHead" in architecture else "For") :]
    answer = {"decoder_tokens": taken["decoder_tokens"]} if network is library.t5 else {}
    mask = taken.get("mask", torch.ones(taken["tokens"].shape, dtype=torch.long))
    with torch.no_grad():
        return network(named, config, taken["tokens"], mask, head, **answer)


class Home:
    """An agent of this computer alone."""

    def __init__(self, programs, folder):
        self.programs, self.state = programs, os.path.join(folder, "state")
        self.environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(folder, "cache")}
        self.agent = subprocess.Popen(
            [os.path.join(programs, "hearth-agent"), "--state", self.state, "--listen", "127.0.0.1:0", "--threads", "1"],
            stdout=subprocess.PIPE, env=self.environment)
        self.agent.stdout.readline()  # it listens

    def hearth(self, *words, status=0):
        done = subprocess.run([os.path.join(self.programs, "hearth"), *words, "--state", self.state], text=True,
                              env=self.environment, capture_output=True)
        if done.returncode != status:
            raise SystemExit(f"hearth {' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stderr if status else done.stdout

    def end(self):
        self.agent.send_signal(signal.SIGTERM)
        self.agent.wait(60)

    def train(self, job, folder):
        path = os.path.join(folder, "job.json")
        with open(path, "w") as file:
            json.dump(job, file)
        events = [json.loads(line) for line in self.hearth("train", path, "--json").splitlines()]
        losses = [event["loss"] for event in events if event.get("event") == "evaluation"]
        runs = json.loads(self.hearth("runs", "--json"))["runs"]
        run = next(event["run"] for event in events if "run" in event) if len(runs) != 1 else runs[0]["id"]
        return run, losses


def is_equal(what, ours, theirs):
    distance = onnx_reference.difference(ours, theirs)
    print(f"  {what}: relative distance {distance:.3g} (limit {LIMIT:g})")
    return distance <= LIMIT


def refused(home, says, *words):
    told = home.hearth(*words, status=1)
    ok = says in told
    print(f"  refused: {told.strip()}" if ok else f"  {' '.join(words)} said {told!r}, not {says!r}")
    return ok


def check(home, folder, name, adapters, missing):
    print(name)
    _, config, network, architecture = next(each for each in library.NETWORKS if each[0] == name)
    base = os.path.join(folder, "base")
    library.make(base, config, network, architecture)
    weights = os.path.join(base, "model.safetensors")
    kept = {key: value for key, value in outsider.read_safetensors(weights).items() if not key.startswith(missing)}
    library.write_safetensors(weights, kept)

    def path(*words):
        return os.path.join(folder, *words)

    data, (taken, labels) = make_samples(config, network, architecture, folder)
    model = f"{base}:sequence={LENGTH},dropout=0" + (f",answer={ANSWER}" if network is library.t5 else "")
    job = {"format": "hearth-job/1", "model": model, "data": data, "loss": "cross-entropy", "batch": BATCH,
           "optimizer": {"kind": "adam", "learning_rate": 0.02}, "precision": "float64", "rounds": ROUNDS, "seed": 1,
           "evaluate_every": ROUNDS, "adapters": {"kind": "lora", **adapters}}
    run, losses = home.train(job, folder)
    origin = ["--from", model]
    ok = refused(home, "--merge", "export", run, "--hugging-face", path("no"), *origin)
    ok = refused(home, "--merge", "export", run, "--onnx", path("no.onnx"), *origin) and ok
    ok = not os.path.exists(path("no")) and not os.path.exists(path("no.onnx")) and ok
    home.hearth("export", run, "--peft", path("peft"), *origin)
    home.hearth("export", run, "--merge", "--hugging-face", path("whole"), "--onnx", path("whole.onnx"), "--safetensors",
                path("whole.safetensors"), *origin)
    home.hearth("export", run, "--safetensors", path("apart.safetensors"))
    ok = refused(home, "Name the run", "export", path("apart.safetensors"), "--merge", "--safetensors", path("no"), *origin) and ok
    ok = refused(home, "Name a run", "export", path("apart.safetensors"), "--peft", path("no"), *origin) and ok
    ok = refused(home, "not empty", "export", run, "--peft", path("peft"), *origin) and ok

    named = WithPeft(base, path("peft"))
    ours = logits(named, config, network, architecture, taken)
    unused = set(named.adapter) - named.used
    if unused or named.config["peft_type"] != "LORA":
        print(f"  not used: {sorted(unused)}")
        ok = False
    loss = F.cross_entropy(ours.reshape(-1, ours.shape[-1]), labels.reshape(-1))
    ok = is_equal("the loss that Hearth evaluated", torch.tensor([losses[-1]], dtype=torch.float64), loss[None]) and ok
    for whole, file in (("the folder", path("whole", "model.safetensors")), ("the weights", path("whole.safetensors"))):
        merged = logits(Folder(file), config, network, architecture, taken)
        ok = is_equal(f"{whole} with LoRA merged", merged, ours) and ok
    ok = is_equal("the ONNX file", onnx_reference.evaluate(path("whole.onnx"), taken).reshape(ours.shape), ours) and ok
    for key in named.adapter:  # its adapters matter
        if key.endswith("lora_B.weight"):
            named.adapter[key] = torch.zeros_like(named.adapter[key])
    moved = onnx_reference.difference(logits(named, config, network, architecture, taken), ours)
    print(f"  without adapters: relative distance {moved:.3g}")
    return ok and moved > 1e-3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the programs")
    parser.add_argument("--only", help="one network")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    ok = True
    for name, adapters, missing in CASES:
        if arguments.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            home = Home(arguments.bin, folder)
            try:
                ok = check(home, folder, name, adapters, missing) and ok
            finally:
                home.end()
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
