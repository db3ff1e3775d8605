#!/usr/bin/env python3
"""Rows and texts of people, trained by three devices: an outsider's PyTorch loop reads the same files and ends with the same weights
and, within a point, the same accuracy. Then `hearth predict` says of rows and texts what PyTorch does, and so does the program in
the model card of what was taken along.

    rows.py table --bin build/release/bin       the weather of Debian's python3-vega-datasets
    rows.py text --bin build/release/bin        categories of Debian's fortunes, by WordPiece
    rows.py language --bin build/release/bin    the next byte of Debian's documents

Exit status: 0 equal, 1 not equal or failed.
"""
import argparse
import collections
import csv
import glob
import hashlib
import importlib.util
import json
import os
import sys
import tempfile
import types

import numpy
import torch
import torch.nn.functional as F

import outsider
import pictures
import taken

HERE = os.path.dirname(os.path.abspath(__file__))
FORTUNES = "/usr/share/games/fortunes"
DOCUMENTS = "/usr/share/doc/*/copyright"
WEATHER = "/usr/lib/python3/dist-packages/vega_datasets/_data/seattle-weather.csv"


def is_test(content):
    """A fifth of all, by SHA-256; of rows by that of their fields."""
    digest = hashlib.sha256("\x1f".join(content).encode() if isinstance(content, list) else content).digest()
    return int.from_bytes(digest[:8], "little") < 0.2 * 2**64


def registered(programs, name, path, *options):
    """What `hearth data` says of it, and what it writes down."""
    told = json.loads(outsider.hearth(programs, "data", "add", name, path, *options, "--json"))
    assert told == json.loads(outsider.hearth(programs, "data", "show", name, "--json"))
    return told, outsider.read_json(os.path.join(os.environ["XDG_DATA_HOME"], "hearth", "data", f"{name}.json"))


class Table:
    """A multilayer perceptron tells the weather of a day by four measurements."""
    batch, rounds, rate = 64, 400, 0.005

    def __init__(self, programs, folder):
        if not os.path.exists(WEATHER):
            raise SystemExit("The table is not here: sudo apt install python3-vega-datasets")
        told, kept = registered(programs, "table", WEATHER)
        with open(WEATHER, newline="") as file:
            header, *rows = csv.reader(file)
        assert kept["label"] == header[-1] and [left["file"] for left in told["broken"]] == ["date"], told
        assert kept["classes"] == told["classes"] == sorted({row[-1] for row in rows})
        self.model = f"mlp:features={len(kept['columns'])},classes={len(told['classes'])}"
        self.splits = {"train": [row for row in rows if not is_test(row)], "test": [row for row in rows if is_test(row)]}
        assert {split: told[split] for split in self.splits} == {split: len(rows) for split, rows in self.splits.items()}
        self.columns = []
        for column in kept["columns"]:
            at = header.index(column["name"])
            learnt = numpy.array([float(row[at]) for row in self.splits["train"]])
            assert numpy.allclose([learnt.mean(), learnt.std()], [column["mean"], column["deviation"]], rtol=1e-12)
            self.columns.append((at, column["mean"], column["deviation"]))
        self.classes = told["classes"]

    def read(self, split):
        values = [[(float(row[at]) - mean) / deviation for at, mean, deviation in self.columns] for row in self.splits[split]]
        labels = [self.classes.index(row[-1]) for row in self.splits[split]]
        return torch.from_numpy(numpy.array(values, numpy.float32)).double(), torch.tensor(labels)

    def question(self, folder):
        """The rows that test, without their label and in another order of columns."""
        with open(WEATHER, newline="") as file:
            header = next(csv.reader(file))
        path = os.path.join(folder, "new.csv")
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([header[-2::-1], *(row[-2::-1] for row in self.splits["test"])])
        return [path, "--top", str(len(self.classes))]

    def off(self, told, weights):
        scores = self.run(self.read("test")[0], weights)
        return (scores.softmax(-1) - pictures.chances(told["rows"], self.classes)).abs().max().item()

    def elsewhere(self, ask, told, path, *_):
        return taken.alike(ask({'"rows.csv"': path}), told["rows"])

    @staticmethod
    def run(x, weights):
        for layer in ("0", "2", "4"):
            x = F.linear(x if layer == "0" else F.relu(x), weights[f"{layer}.weight"], weights[f"{layer}.bias"])
        return x


def graph_model(folder, name, length, ops):
    """A description of a network that takes tokens."""
    return pictures.save(os.path.join(folder, f"{name}.json"), {
        "format": "hearth-model/1", "name": name, "inputs": [{"name": "tokens", "shape": [length], "dtype": "int64"}],
        "graph": [{"name": op, "kind": kind, **rest} for op, kind, rest in ops], "outputs": [ops[-1][0]]})


class Text:
    """The mean of its words tells what a fortune is about. They are tokenized by another implementation."""
    batch, rounds, rate, length = 64, 120, 0.01, 48
    categories = ["computers", "definitions", "men-women", "politics", "science", "songs-poems"]

    def __init__(self, programs, folder):
        if not os.path.isdir(FORTUNES):
            raise SystemExit("The fortunes are not here: sudo apt install fortunes")
        where = os.path.join(HERE, "..", "core", "data", "tokenizers.py")
        specification = importlib.util.spec_from_file_location("tokenizers", where)
        self.tokenizers = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(self.tokenizers)
        rows = []
        for category in self.categories:
            with open(os.path.join(FORTUNES, category), encoding="utf-8") as file:
                rows += [[text.strip(), category] for text in file.read().split("\n%\n") if text.strip()]
        path = os.path.join(folder, "fortunes.csv")
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["text", "label"], *rows])
        counts = collections.Counter(word for text, _ in rows for word in self.tokenizers.basic_words(text, True))
        letters = sorted({letter for word in counts for letter in word})
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + letters + ["##" + letter for letter in letters]
        words += [word for word, _ in counts.most_common(3000) if len(word) > 1]
        self.vocabulary = {word: i for i, word in enumerate(words)}
        vocabulary = os.path.join(folder, "vocab.txt")
        with open(vocabulary, "w", encoding="utf-8") as file:
            file.write("\n".join(words) + "\n")
        told, _ = registered(programs, "text", path, "--tokenizer", vocabulary)
        self.splits = {"train": [row for row in rows if not is_test(row)], "test": [row for row in rows if is_test(row)]}
        assert told["kind"] == "text" and told["classes"] == self.categories and not told["broken"], told
        assert {split: told[split] for split in self.splits} == {split: len(all) for split, all in self.splits.items()}, told
        self.model = graph_model(folder, "words", self.length, [
            ("table", "embedding", {"rows": len(words), "features": 32, "padding": 0}), ("mean", "mean", {"axes": [0]}),
            ("middle", "linear", {"features": 48}), ("relu", "relu", {}), ("answer", "linear", {"features": len(self.categories)})])

    def tokens(self, text):
        ids = self.tokenizers.word_pieces(text, self.vocabulary, True)[:self.length - 2]
        return ([2] + ids + [3] + [0] * self.length)[:self.length]

    def read(self, split):
        rows = self.splits[split]
        return torch.tensor([self.tokens(text) for text, _ in rows]), torch.tensor([self.categories.index(label) for _, label in rows])

    def question(self, folder):
        path = os.path.join(folder, "new.tsv")
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter="\t").writerows([["label", "text"], *(row[::-1] for row in self.splits["test"])])
        return [path, "--top", str(len(self.categories))]

    def off(self, told, weights):
        x, labels = self.read("test")
        scores = self.run(x, weights)
        assert (told["judged"], told["right"]) == (len(labels), (scores.argmax(-1) == labels).sum().item()), told["right"]
        return (scores.softmax(-1) - pictures.chances(told["rows"], self.categories)).abs().max().item()

    def elsewhere(self, ask, told, *_):
        """Its tokenizers are those of another implementation, again."""
        def tokenizer(file, lowercase):
            assert file == "vocab.txt" and lowercase
            ids = lambda text: self.tokenizers.word_pieces(text, self.vocabulary, True)
            return types.SimpleNamespace(encode=lambda text, **_: types.SimpleNamespace(ids=ids(text)), decode=None)

        printed = ask({'"I would see it again."': self.splits["test"][0][0]},
                      tokenizers=types.SimpleNamespace(BertWordPieceTokenizer=tokenizer))
        return taken.alike(printed, told["rows"][:1])

    @staticmethod
    def run(x, weights):
        x = F.embedding(x, weights["table.weight"], padding_idx=0).mean(1)
        x = F.relu(F.linear(x, weights["middle.weight"], weights["middle.bias"]))
        return F.linear(x, weights["answer.weight"], weights["answer.bias"])


class Language:
    """One attention and two layers of each byte tell the next one. Texts are blocks, as ByT5 numbers bytes."""
    batch, rounds, rate, length, width, heads, words = 32, 100, 0.01, 32, 32, 2, 259

    def __init__(self, programs, folder):
        documents = os.path.join(folder, "documents")
        os.mkdir(documents)
        pieces = []
        for i, path in enumerate(sorted(glob.glob(DOCUMENTS))[:40]):
            with open(path, "rb") as file:
                text = file.read().decode(errors="ignore").encode()
            with open(os.path.join(documents, f"{i:03}.txt"), "wb") as file:
                file.write(text)
            while text:
                at = text.find(b"\n", 16 << 10) if len(text) > 16 << 10 else -1
                pieces.append(text[:at + 1] if at >= 0 else text)
                text = text[len(pieces[-1]):]
        told, kept = registered(programs, "language", documents)
        assert told["kind"] == "text" and kept["tokenizer"] == "bytes" and not told["broken"], told
        self.splits = {split: [id for piece in pieces if is_test(piece) == (split == "test") for id in [*(byte + 3 for byte in piece), 1]]
                       for split in ("train", "test")}
        assert {split: told[split] for split in self.splits} == {split: (len(all) - 1) // 128 for split, all in self.splits.items()}, told
        # Softmax takes no notice of a bias of the keys, whose gradient is rounding alone.
        linear = lambda name, source, features: (name, "linear", {"features": features, "bias": name != "key", "from": [source]})
        self.model = graph_model(folder, "bytes", self.length, [
            ("table", "embedding", {"rows": self.words, "features": self.width, "from": ["tokens"]}),
            *(linear(name, "table", self.width) for name in ("query", "key", "value")),
            ("attention", "attention", {"heads": self.heads, "causal": True, "from": ["query", "key", "value"]}),
            ("sum", "add", {"from": ["attention", "table"]}), linear("middle", "sum", 64), ("relu", "relu", {"from": ["middle"]}),
            linear("answer", "relu", self.words)])

    def read(self, split):
        tokens = torch.tensor(self.splits[split])
        blocks = (len(tokens) - 1) // self.length
        return tokens[:blocks * self.length].view(blocks, -1), tokens[1:blocks * self.length + 1].view(blocks, -1)

    prompt, added = "This package", 60

    def question(self, _):
        return ["--prompt", self.prompt, "--tokens", str(self.added)]

    def off(self, told, weights):
        """0 where the likeliest bytes are the same, one after the other; 1 where not."""
        tokens = [byte + 3 for byte in self.prompt.encode()]
        for _ in range(self.added):
            seen = tokens[-self.length:]
            scores = self.run(torch.tensor([seen + [0] * (self.length - len(seen))]), weights)[0, len(seen) - 1]
            if scores.argmax().item() == 1:
                break
            tokens.append(scores.argmax().item())
        text = bytes(token - 3 for token in tokens if token >= 3).decode(errors="replace")
        return float(self.prompt + told["text"] != text)

    def elsewhere(self, ask, told, *_):
        return ask({'"Once upon"': self.prompt, "100": self.added}) == self.prompt + told["text"] + "\n"

    def continued(self, told, weights):
        """Whether the beginning of the first text that is not learnt goes on as the last evaluation tells."""
        tokens = self.splits["test"][:16]
        text = lambda ids: bytes(id - 3 for id in ids if id >= 3).decode(errors="replace")
        for _ in range(24):
            seen = tokens[-self.length:]
            scores = self.run(torch.tensor([seen + [0] * (self.length - len(seen))]), weights)[0, len(seen) - 1]
            if scores.argmax().item() == 1:
                break
            tokens.append(scores.argmax().item())
        print(f"a prompt goes on: {told}")
        return told == [{"prompt": text(tokens[:16]), "text": text(tokens[16:])}]

    def run(self, x, weights):
        linear = lambda name, y: F.linear(y, weights[f"{name}.weight"], weights.get(f"{name}.bias"))
        x = F.embedding(x, weights["table.weight"])
        query, key, value = (linear(name, x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for name in ("query", "key", "value"))
        scores = query @ key.transpose(-1, -2) / (self.width // self.heads) ** 0.5
        later = torch.ones(self.length, self.length, dtype=torch.bool).triu(1)
        y = (scores.masked_fill(later, float("-inf")).softmax(-1) @ value).transpose(1, 2).flatten(2)
        return linear("answer", F.relu(linear("middle", y + x)))


KINDS = {"table": Table, "text": Text, "language": Language}


def train(data, job, weights):
    """The same loop in PyTorch, in the order that the run took."""
    inputs, labels = data.read("train")
    for tensor in weights.values():
        tensor.requires_grad_(True)
    optimizer = outsider.make_optimizer(job["optimizer"], list(weights.values()))
    batch, samples = job["batch"], len(labels)
    orders = [pictures.epoch_order(job["seed"], epoch, samples) for epoch in range(job["rounds"] * batch // samples + 1)]
    for r in range(job["rounds"]):
        chosen = torch.tensor([orders[i // samples][i % samples] for i in range(r * batch, (r + 1) * batch)])
        scores = data.run(inputs[chosen], weights).flatten(0, -2)
        loss = F.cross_entropy(scores, labels[chosen].flatten(), reduction="sum") / labels[chosen].numel()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--bin", required=True, help="folder of the program hearth")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = os.path.join(folder, "home")
        data = KINDS[arguments.kind](arguments.bin, folder)
        job = {"format": "hearth-job/1", "model": data.model, "data": arguments.kind,
               "optimizer": {"kind": "adam", "learning_rate": data.rate, "decay": "all"}, "batch": data.batch,
               "precision": "float64", "rounds": data.rounds, "seed": 1, "evaluate_every": data.rounds}
        initial, final = (os.path.join(folder, f"{name}.safetensors") for name in ("initial", "final"))
        outsider.hearth(arguments.bin, "model", job["model"], "--init", "1", "--save", initial, "--json")
        events = outsider.demo(arguments.bin, [pictures.save(os.path.join(folder, "job.json"), job), "--devices", "3",
                                               "--headless", "--json", "--weights", initial, "--save", final], None)
        evaluation = [event for event in events if event.get("event") == "evaluation"][-1]
        theirs = evaluation["accuracy"]
        before = outsider.read_safetensors(initial)
        weights = {name: tensor.clone() for name, tensor in before.items()}
        train(data, job, weights)
        inputs, labels = data.read("test")
        with torch.no_grad():
            ours = (data.run(inputs, weights).argmax(-1) == labels).double().mean().item()
            if arguments.kind == "language":
                assert data.continued(evaluation.get("prompts"), weights), evaluation
        print(f"{len(data.read('train')[1])} samples to train, {len(labels)} to test, {job['rounds']} rounds: accuracy of Hearth "
              f"{theirs:.4f}, of PyTorch {ours:.4f}; of always the commonest answer "
              f"{labels.flatten().bincount().max().item() / labels.numel():.4f}")
        equal = outsider.compare(weights, outsider.read_safetensors(final), before, 1e-10)
        home, question = os.path.join(folder, "alone"), data.question(folder)
        last, told, _ = pictures.tried(arguments.bin, job, final, home, *question)
        with torch.no_grad():
            off = data.off(told, last)
        print(f"hearth predict is at most {off:.1e} off PyTorch's answers")
        ask = lambda replaced, **modules: taken.asked(arguments.bin, home, replaced, **modules)
        equal = data.elsewhere(ask, told, *question) and equal and off < 1e-10
        return 0 if equal and abs(ours - theirs) <= 0.01 else 1


if __name__ == "__main__":
    sys.exit(main())
