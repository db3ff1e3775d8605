#!/usr/bin/env python3
"""Pictures of people: folders of a Debian icon theme, a folder for each category, trained by three devices.

    pictures.py --bin build/release/bin            an outsider's PyTorch loop reads the same files and ends with the same
                                                   weights and, within a point, the same accuracy; the program of
                                                   the model card answers as Hearth does
    pictures.py --bin build/release/bin --cifar    the same with pictures in the binary form of CIFAR-10, as its archive
                                                   has them
    pictures.py --bin build/release/bin --cifar --mixed    and with mixup and CutMix
    pictures.py --bin build/release/bin --replay   with augmentation: a run in which a device dies ends with the weights
                                                   of one in which none does
    pictures.py --write FOLDER                     trains nothing: writes such pictures, a network for them, and one
                                                   that is not among them

Exit status: 0 equal, 1 not equal or failed.
"""
import argparse
import io
import json
import math
import os
import shutil
import sys
import tarfile
import tempfile

import numpy
import torch
import torch.nn.functional as F
from PIL import Image

import outsider
import taken

THEME = "/usr/share/icons/gnome"
CATEGORIES = ["actions", "devices", "mimetypes", "places", "status", "apps"]
SIZES = ["48x48", "32x32", "24x24"]
# As many as CIFAR-10 has.
ALL_CATEGORIES = [*CATEGORIES, "animations", "categories", "emblems", "emotes"]
SIDE = 32


def icons(categories):
    """Category, name and picture, before white."""
    for category in categories:
        for size in SIZES:
            source = os.path.join(THEME, size, category)
            for name in sorted(os.listdir(source) if os.path.isdir(source) else []):
                if name.endswith(".png"):
                    icon = Image.open(os.path.join(source, name)).convert("RGBA")
                    flat = Image.new("RGBA", icon.size, "white")
                    flat.alpha_composite(icon)
                    yield category, f"{name[:-4]}-{size}", flat.convert("RGB")


def make_folder(folder, exact):
    """As JPEG and PNG. `exact`: all PNG of the network's size, so that everybody decodes the same bytes."""
    count = 0
    for category in CATEGORIES:
        os.makedirs(os.path.join(folder, category))
    for category, name, picture in icons(CATEGORIES):
        if exact:
            picture = picture.resize((SIDE, SIDE), Image.LANCZOS)
        suffix = "png" if exact or count % 2 else "jpg"
        picture.save(os.path.join(folder, category, f"{name}.{suffix}"), quality=92)
        count += 1
    with open(os.path.join(folder, CATEGORIES[0], "broken.png"), "wb") as file:
        file.write(b"\x89PNG and no more")
    return count


def make_cifar(path):
    """Five batches to train and one to test, each record a label and the planes red, green and blue."""
    files = {f"data_batch_{i}.bin": b"" for i in range(1, 6)} | {"test_batch.bin": b""}
    for count, (category, _, picture) in enumerate(icons(ALL_CATEGORIES)):
        planes = numpy.asarray(picture.resize((SIDE, SIDE), Image.LANCZOS)).transpose(2, 0, 1)
        files[list(files)[count % len(files)]] += bytes([ALL_CATEGORIES.index(category)]) + planes.tobytes()
    files["batches.meta.txt"] = "".join(f"{name}\n" for name in ALL_CATEGORIES).encode()
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"cifar-10-batches-bin/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


def read_cifar(path, prefix):
    with tarfile.open(path) as archive:
        content = b"".join(archive.extractfile(member).read() for member in archive
                           if os.path.basename(member.name).startswith(prefix))
    records = torch.frombuffer(bytearray(content), dtype=torch.uint8).view(-1, 1 + 3 * SIDE * SIDE)
    return records[:, 1:].reshape(-1, 3, SIDE, SIDE), records[:, 0].long()


def network(classes):
    """No normalisation of batches: what it learns does not depend on the plan."""
    def convolution(channels, stride):
        return {"kind": "convolution", "channels": channels, "kernel": 3, "stride": stride, "padding": 1}
    layers = [("a", [convolution(16, 1), {"kind": "relu"}, {"kind": "max-pool", "kernel": 2}]),
              ("b", [convolution(24, 1), {"kind": "relu"}, {"kind": "max-pool", "kernel": 2}]),
              ("c", [convolution(32, 1), {"kind": "relu"}, {"kind": "max-pool", "kernel": 2}]),
              ("d", [{"kind": "flatten"}, {"kind": "linear", "features": 64}, {"kind": "relu"}]),
              ("e", [{"kind": "linear", "features": classes}])]
    return {"format": "hearth-model/1", "name": "icons", "input": [3, SIDE, SIDE], "classes": classes,
            "layers": [{"name": name, "kind": "sequence", "ops": ops} for name, ops in layers]}


def chain(batch):
    """Each device has a stage: whoever dies is missed."""
    stages = [{"layers": [first, last], "shares": {f"local-{i + 1}": batch // 4}, "in_flight": 3 - i}
              for i, (first, last) in enumerate(((0, 2), (2, 4), (4, 5)))]
    return {"format": "hearth-plan/1", "model": {"name": "icons", "sha256": "", "layers": 5}, "planner": "test",
            "batch": batch, "micro_batch": batch // 4, "schedule": "1f1b", "stages": stages}


def registered(programs, folder):
    """What `hearth data` says of the folder, and the list that it keeps."""
    told = json.loads(outsider.hearth(programs, "data", "add", "icons", folder, "--json"))
    assert told["kind"] == "pictures" and told["classes"] == sorted(CATEGORIES), told
    assert [broken["file"] for broken in told["broken"]] == ["actions/broken.png"], told["broken"]
    assert told == json.loads(outsider.hearth(programs, "data", "show", "icons", "--json"))
    return told, outsider.read_json(os.path.join(os.environ["XDG_DATA_HOME"], "hearth", "data", "icons.json"))


def check_cache(programs):
    """What the run kept of the icons, which may be nothing, is told, and removed on wish."""
    place = os.path.join(os.environ["XDG_CACHE_HOME"], "hearth", "pictures")
    ask = lambda *words: json.loads(outsider.hearth(programs, "data", "cache", *words, "--json"))
    with open(os.path.join(place, "some.picture"), "w") as file:
        file.write("12345")
    kept = [entry.stat().st_size for entry in os.scandir(place)]
    told = {"folder": place, "pictures": len(kept), "bytes": sum(kept)}
    assert ask() == {**told, "cleared": False}, (ask(), told)
    assert ask("--clear") == {**told, "cleared": True}
    assert not os.listdir(place)


def read(listed, split):
    pixels, labels = [], []
    for label, name in enumerate(listed["classes"]):
        for file in listed[split].get(name, []):
            pixels.append(numpy.asarray(Image.open(os.path.join(listed["path"], file)).convert("RGB")).transpose(2, 0, 1))
            labels.append(label)
    return torch.from_numpy(numpy.stack(pixels)), torch.tensor(labels)


def mix(z):
    for shift, factor in ((32, 0xbb67ae8584caa73b), (29, 0x3c6ef372fe94f82b), (31, 0xa54ff53a5f1d36f1)):
        z = ((z ^ (z >> shift)) * factor) % 2**64
    return z ^ (z >> 32)


def words(seed, *children):
    """Those of Generator(seed).child(…).child(…) (core/base/generator.h), by number."""
    key = mix((seed + 0x510e527fade682d1) % 2**64)
    for label in children:
        key = mix(key ^ mix((label + 0x9b05688c2b3e6c1f) % 2**64))
    return lambda number: mix((key + number * 0x6a09e667f3bcc909) % 2**64)


def epoch_order(seed, epoch, samples):
    """Fisher–Yates: core/data/sampler.h."""
    word = words(seed, 2, epoch)
    order = list(range(samples))
    for i in range(samples - 1, 0, -1):
        j = word(i) * (i + 1) >> 64
        order[i], order[j] = order[j], order[i]
    return order


def drawn_mix(augment, seed, epoch, sample, height, width):
    """Share of the sample, box (top, bottom, left, right) of the other, share of its label: core/data/mixing.h."""
    numbers = iter(range(10**6))
    word = words(seed, 7, epoch, sample)
    share = lambda: (word(next(numbers)) >> 11) * 2.0**-53
    below = lambda limit: word(next(numbers)) * limit >> 64
    second = share() < 0.5
    cuts = augment["cutmix"] > 0 and (augment["mixup"] <= 0 or second)
    alpha = augment["cutmix"] if cuts else augment["mixup"]
    while True:
        one, other = share() ** (1 / alpha), share() ** (1 / alpha)
        if 0 < one + other <= 1:
            break
    whole = math.floor(one / (one + other) * 4096 + 0.5)
    if not cuts:
        return whole, (0, 0, 0, 0), whole / 4096
    x, y = below(width), below(height)
    half = math.sqrt((4096 - whole) / 4096) / 2
    half_width, half_height = int(half * width), int(half * height)
    box = max(0, y - half_height), min(height, y + half_height), max(0, x - half_width), min(width, x + half_width)
    return 4096, box, 1 - (box[1] - box[0]) * (box[3] - box[2]) / (height * width)


def mixed(augment, seed, images, labels, orders, positions):
    """Each picture mixed with the next one of the order, and the chances of all classes."""
    samples, pixels, classes, kept = len(labels), [], [], []
    sample_at = lambda position: orders[position // samples][position % samples]
    for position in positions:
        one, other = sample_at(position), sample_at(position + 1)
        share, (top, bottom, left, right), of_label = drawn_mix(augment, seed, position // samples, one, *images.shape[2:])
        picture = (images[one].int() * share + images[other].int() * (4096 - share) + 2048) // 4096
        picture[:, top:bottom, left:right] = images[other][:, top:bottom, left:right].int()
        pixels.append(picture)
        classes.append([labels[one], labels[other]])
        kept.append([of_label, 1 - of_label])
    chances = torch.zeros(len(pixels), int(labels.max()) + 1, dtype=torch.float64)
    chances.scatter_add_(1, torch.tensor(classes), torch.tensor(kept, dtype=torch.float64))
    return torch.stack(pixels), chances


def train(model, job, weights, images, labels):
    """The same loop in PyTorch, in the order that the run took."""
    for tensor in weights.values():
        tensor.requires_grad_(True)
    optimizer = outsider.make_optimizer(job["optimizer"], list(weights.values()))
    mean, std = (torch.tensor(job["input"][key], dtype=torch.float64)[:, None, None] for key in ("mean", "std"))
    scale = lambda pixels: (pixels.double() * job["input"]["scale"] - mean) / std
    batch, samples = job["batch"], len(labels)
    orders = [epoch_order(job["seed"], epoch, samples) for epoch in range(job["rounds"] * batch // samples + 2)]
    for r in range(job["rounds"]):
        positions = range(r * batch, (r + 1) * batch)
        if "augment" in job:
            pixels, wanted = mixed(job["augment"], job["seed"], images, labels, orders, positions)
        else:
            indices = torch.tensor([orders[i // samples][i % samples] for i in positions])
            pixels, wanted = images[indices], labels[indices]
        loss = F.cross_entropy(outsider.run_model(model, scale(pixels), weights), wanted, reduction="sum") / batch
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return scale


def alike(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return abs(one - other) < 1e-9 if isinstance(one, float) else one == other


def tried(programs, job, weights, home, *question):
    """After one more round on one device: its weights, and what `hearth predict` and `hearth results` say."""
    path = save(home + ".json", {**job, "rounds": 1})
    with outsider.agent(programs, home):
        outsider.hearth(programs, "train", path, "--state", home, "--weights", weights)
        run, = os.listdir(os.path.join(home, "runs"))
        at_home = json.loads(outsider.hearth(programs, "predict", run, *question, "--home", "--state", home, "--json"))
    told = json.loads(outsider.hearth(programs, "predict", run, *question, "--state", home, "--json"))
    assert alike(told, at_home), (told, at_home)
    results = json.loads(outsider.hearth(programs, "results", run, "--state", home, "--json"))
    return outsider.read_safetensors(os.path.join(home, "runs", run, "weights.safetensors")), told, results


def chances(answers, classes):
    """How likely each class is held, of each answer."""
    return torch.tensor([[dict((each["class"], each["value"]) for each in answer["answers"])[name] for name in classes]
                         for answer in answers], dtype=torch.float64)


def results_are(results, logits, labels, classes, files):
    """Whether confusions are PyTorch's, and the hardest files those of its highest losses."""
    wrong = torch.zeros(len(classes), len(classes), dtype=torch.long)
    for label, answer in zip(labels.tolist(), logits.argmax(1).tolist()):
        wrong[label, answer] += label != answer
    told = torch.zeros_like(wrong)
    for pair in results["confused"]:
        told[classes.index(pair["label"]), classes.index(pair["answer"])] = pair["count"]
    losses = F.cross_entropy(logits, labels, reduction="none")
    by_file = dict(zip(files, losses.tolist()))  # equal pictures have equal losses: in any order
    hardest = losses.topk(len(results["hardest"])).values.tolist()
    off = max(max(abs(each["loss"] - most), abs(each["loss"] - by_file[each["file"]]))
              for each, most in zip(results["hardest"], hardest))
    print(f"hearth results: {told.sum()} of {len(labels)} wrong, the hardest is {os.path.basename(results['hardest'][0]['file'])}, "
          f"losses at most {off:.1e} off")
    return torch.equal(wrong, told) and off < 1e-9


def save(path, value):
    with open(path, "w") as file:
        json.dump(value, file)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", help="folder of the program hearth")
    parser.add_argument("--write", metavar="FOLDER", help="write pictures, and train nothing")
    parser.add_argument("--cifar", action="store_true", help="in the form of CIFAR-10")
    parser.add_argument("--mixed", action="store_true", help="with mixup and CutMix")
    parser.add_argument("--replay", action="store_true", help="with augmentation, and a device that dies")
    parser.add_argument("--rounds", type=int)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if not os.path.isdir(THEME):
        raise SystemExit("The icons are not here: sudo apt install gnome-icon-theme")
    if arguments.write:
        make_folder(os.path.join(arguments.write, "icons"), exact=False)
        save(os.path.join(arguments.write, "network.json"), network(len(CATEGORIES)))
        shutil.copy(os.path.join(THEME, "256x256/places/folder.png"), os.path.join(arguments.write, "unseen.png"))
        return 0
    if not arguments.bin:
        parser.error("say where the program hearth is: --bin FOLDER")
    rounds = arguments.rounds or (30 if arguments.replay else 120)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = os.path.join(folder, "home")
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
        if arguments.cifar:
            archive = make_cifar(os.path.join(folder, "cifar-10-binary.tar.gz"))
            told = json.loads(outsider.hearth(arguments.bin, "data", "add", "icons", archive, "--json"))
            sets = {"train": read_cifar(archive, "data_batch"), "test": read_cifar(archive, "test_batch")}
            assert told["classes"] == ALL_CATEGORIES, told
            assert {split: len(labels) for split, (_, labels) in sets.items()} == {s: told[s] for s in sets}, told
        else:
            count = make_folder(os.path.join(folder, "icons"), exact=not arguments.replay)
            told, listed = registered(arguments.bin, os.path.join(folder, "icons"))
            assert told["train"] + told["test"] == count, (told, count)
        print(f"{told['train']} pictures to train, {told['test']} to test")
        described = save(os.path.join(folder, "network.json"), network(len(told["classes"])))
        job = {"format": "hearth-job/1", "model": described, "data": "icons",
               "input": {"scale": 1 / 255, "pad": [0, 0], "repeat_channels": 1, "mean": [0.5, 0.5, 0.5], "std": [0.3, 0.3, 0.3]},
               "optimizer": {"kind": "adam", "learning_rate": 0.002, "decay": "all"}, "batch": 48, "precision": "float64",
               "rounds": rounds, "seed": 1, "shuffle": True, "evaluate_every": rounds}
        if arguments.replay:
            job["augment"] = {"crop": 0.4, "shift": 3, "flip": True, "colour": 0.4, "random_ops": 2, "mixup": 0.4, "cutmix": 1}
        elif arguments.mixed:
            job["augment"] = {"mixup": 0.4, "cutmix": 1}
        initial = os.path.join(folder, "initial.safetensors")
        summary = json.loads(outsider.hearth(arguments.bin, "model", job["model"], "--init", "1", "--save", initial, "--json"))
        path = save(os.path.join(folder, "job.json"), job)
        plan = ["--plan", save(os.path.join(folder, "plan.json"), chain(job["batch"]))] if arguments.replay else []

        def run(name, kill=None):
            final = os.path.join(folder, name)
            events = outsider.demo(arguments.bin, [path, "--devices", "3", "--headless", "--json", "--weights", initial,
                                                   "--save", final, *plan], kill)
            kinds = [event.get("event") for event in events]
            accuracy = [event["accuracy"] for event in events if event.get("event") == "evaluation"][-1]
            return outsider.read_safetensors(final), accuracy, kinds

        before = outsider.read_safetensors(initial)
        if arguments.replay:
            calm, accuracy, _ = run("calm.safetensors")
            disturbed, other, kinds = run("disturbed.safetensors", ("local-2", rounds // 3))
            print(f"recoveries: {kinds.count('recovered')}; accuracy {accuracy:.4f} and {other:.4f}")
            assert kinds.count("recovered") >= 1, "nobody was missed"
            return 0 if outsider.compare(calm, disturbed, before, 1e-10) else 1
        theirs, accuracy, _ = run("final.safetensors")
        ours = {name: tensor.clone() for name, tensor in before.items()}
        if not arguments.cifar:
            sets = {split: read(listed, split) for split in ("train", "test")}
        scale = train(summary["model"], job, ours, *sets["train"])
        images, labels = sets["test"]
        with torch.no_grad():
            mine = (outsider.run_model(summary["model"], scale(images), ours).argmax(1) == labels).double().mean().item()
        print(f"accuracy of {rounds} rounds: Hearth {accuracy:.4f}, PyTorch {mine:.4f}; always the largest category: "
              f"{labels.bincount().max().item() / len(labels):.4f}")
        equal = outsider.compare(ours, theirs, before, 1e-10)
        if arguments.cifar:
            return 0 if equal and abs(mine - accuracy) <= 0.01 else 1
        check_cache(arguments.bin)
        files = [os.path.join(listed["path"], file) for name in listed["classes"] for file in listed["test"].get(name, [])]
        broken, classes = __file__, listed["classes"]
        last, told, results = tried(arguments.bin, job, os.path.join(folder, "final.safetensors"), os.path.join(folder, "alone"),
                                    *files, broken, "--top", str(len(classes)))
        assert [answer["file"] for answer in told["files"]] == [*files, broken]
        assert "error" in told["files"][-1], told["files"][-1]
        with torch.no_grad():
            logits = outsider.run_model(summary["model"], scale(images), last)
        off = (logits.softmax(1) - chances(told["files"][:-1], classes)).abs().max().item()
        print(f"hearth predict is at most {off:.1e} off PyTorch's answers for {len(files)} pictures")
        equal = equal and off < 1e-10 and results_are(results, logits, labels, classes, files)
        printed = taken.asked(arguments.bin, os.path.join(folder, "alone"), {'"picture.jpg"': files[0]})
        equal = taken.alike(printed, told["files"][:1]) and equal
        return 0 if equal and abs(mine - accuracy) <= 0.01 else 1


if __name__ == "__main__":
    sys.exit(main())
