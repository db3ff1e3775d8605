#!/usr/bin/env python3
"""The networks of hugging_face.py, trained in plain PyTorch: SGD with momentum, float64, whole batches.

    trained.py FOLDER

makes the same folders; "trained.safetensors" in each holds what each round takes ("in.tokens", … and "labels", rounds
first), what its loss was ("losses"), and all tensors before and after ("start.…", "final.…"). "lora.safetensors" is the
same where only low-rank adapters of queries and values, and classifiers, are trained. Nothing of Hearth is used.
"""
import fnmatch
import os
import sys

import hugging_face as library
import torch
import torch.nn.functional as F

ROUNDS, SAMPLES, LENGTH, ANSWER = 20, 16, 9, 7
RANK, ALPHA = 2, 3.0
TARGETS = ["*.query", "*.value", "*Attention.q", "*Attention.v", "*.q_proj", "*.v_proj", "*.attn.c_attn"]
WITH_LORA = {"bert-sequence", "gpt2-language", "llama-sequence", "t5", "vit"}


class WithLora(library.Named):
    def adapted(self, name, x, y):
        if not any(fnmatch.fnmatch(name, target) for target in TARGETS):
            return y
        low = F.linear(x, self.get(name + ".lora_A.weight", RANK, x.shape[-1]))
        return y + ALPHA / RANK * F.linear(low, self.get(name + ".lora_B.weight", y.shape[-1], RANK))

    def linear(self, name, x, features, bias=True):
        return self.adapted(name, x, super().linear(name, x, features, bias))

    def conv1d(self, name, x, features):
        return self.adapted(name, x, super().conv1d(name, x, features))


def samples(config, network, architecture):
    if network is library.vit:
        side = config["image_size"]
        return {"image": torch.rand(SAMPLES, config["num_channels"], side, side, dtype=torch.float64)}
    taken = {"tokens": torch.randint(0, config["vocab_size"], (SAMPLES, LENGTH))}
    if network is library.t5:
        taken["decoder_tokens"] = torch.randint(0, config["vocab_size"], (SAMPLES, ANSWER))
    if network in (library.bert, library.distilbert, library.t5) or architecture.endswith("ForSequenceClassification"):
        lengths = torch.randint(2, LENGTH + 1, (SAMPLES, 1))
        taken["mask"] = (torch.arange(LENGTH)[None, :] < lengths).long()
    return taken


def logits(named, config, network, architecture, taken):
    if network is library.vit:
        return network(named, config, taken["image"])
    head = architecture[architecture.index("LMHead" if "LMHead" in architecture else "For") :]
    answer = {"decoder_tokens": taken["decoder_tokens"]} if network is library.t5 else {}
    return network(named, config, taken["tokens"], taken.get("mask", torch.ones(SAMPLES, LENGTH)), head, **answer)


def train(path, named, config, network, architecture):
    torch.manual_seed(2)
    first = samples(config, network, architecture)
    logits(named, config, network, architecture, first)  # makes what is not there yet
    tensors = named.tensors
    trained = [value for name, value in tensors.items()
               if not isinstance(named, WithLora) or ".lora_" in name or name.startswith(("classifier", "score"))]
    start = {"start." + name: value.detach().clone() for name, value in tensors.items()}
    optimizer = torch.optim.SGD(trained, lr=0.05, momentum=0.9)
    taken, labels, losses = {name: [] for name in first}, [], []
    for _ in range(ROUNDS):
        batch = samples(config, network, architecture)
        out = logits(named, config, network, architecture, batch)
        answer = torch.randint(0, out.shape[-1], out.shape[:-1])
        if out.dim() > 2:  # of some tokens nothing is learnt
            answer[torch.rand(answer.shape) < 0.2] = -100
        loss = F.cross_entropy(out.reshape(-1, out.shape[-1]), answer.reshape(-1), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        labels.append(answer)
        for name, value in batch.items():
            taken[name].append(value)
    saved = {"in." + name: torch.stack(values) for name, values in taken.items()}
    saved.update(start, labels=torch.stack(labels), losses=torch.stack(losses))
    saved.update({"final." + name: value.detach() for name, value in tensors.items()})
    library.write_safetensors(path, saved)


def main():
    for name, config, network, architecture in library.NETWORKS:
        folder = os.path.join(sys.argv[1], name)
        library.make(folder, config, network, architecture)
        torch.manual_seed(3)
        train(os.path.join(folder, "trained.safetensors"), library.Named(), config, network, architecture)
        if name in WITH_LORA:
            train(os.path.join(folder, "lora.safetensors"), WithLora(), config, network, architecture)


if __name__ == "__main__":
    main()
