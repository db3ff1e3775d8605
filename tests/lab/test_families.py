"""Networks of every family are trained by `hearth train` at a home of three, and given back."""
# needs: machine agent training torch
import json
import os
import struct
import subprocess
import sys

import numpy

from labtest import LAB, PROGRAMS, LabCase, home

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "core", "train", "outsiders"))

import hugging_face as library  # noqa: E402

BATCH, ROUNDS, SAMPLES = 8, 10, 64
SEQUENCE, ANSWER, SIDE = 9, 7, 16
PICTURES = ("efficientnet-b0", "resnet18", "mobilenetv2", "vit-tiny")
FOLDERS = ("bert-sequence", "gpt2-language", "llama-language", "qwen2-language", "t5", "vit")
MORE_FOLDERS = ("bert-token", "bert-masked", "distilbert-sequence", "distilbert-masked", "gpt2-sequence", "llama-sequence",
                "t5-gated")
# Large enough beside its adapters.
WIDE_BERT = dict(library.BERT, hidden_size=96, num_hidden_layers=4, intermediate_size=384, vocab_size=2000)
RANK = 2


def read_safetensors(path):
    """Names, shapes and bytes."""
    with open(path, "rb") as file:
        content = file.read()
    end = 8 + struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8:end])
    header.pop("__metadata__", None)
    return {name: (each["shape"], content[end + each["data_offsets"][0]:end + each["data_offsets"][1]])
            for name, each in header.items()}


class Families(LabCase):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(1)
        with open(home("three")) as file:
            three = json.load(file)
        self.up(self.write("home.json", {**three, "link": "1gbit"}), "--programs", PROGRAMS)

    def arrays(self, name, inputs, classes, label_shape=()):
        """A data file of such inputs (shape and how many ids there are; none: real numbers) and labels below `classes`."""
        description = {"format": "hearth-data/1", "name": name, "kind": "arrays"}
        for split in ("train", "test"):
            files = {}
            for part, (shape, ids) in inputs.items():
                values = (self.random.random((SAMPLES, *shape), dtype=numpy.float32) if ids is None else
                          self.random.integers(1 if ids == 2 else 0, ids, (SAMPLES, *shape)))
                files[part] = f"{name}-{split}-{part}.npy"
                numpy.save(os.path.join(self.folder, files[part]), values)
            labels = f"{name}-{split}-labels.npy"
            numpy.save(os.path.join(self.folder, labels), self.random.integers(0, classes, (SAMPLES, *label_shape)))
            description[split] = {"inputs": files, "labels": labels}
        return self.write(f"{name}-data.json", description)

    def folder_of(self, config, network, architecture):
        """What the library would have saved, and data for it: the model's name for a job, its data file."""
        name = f"folder-{len(os.listdir(self.folder))}"
        folder = os.path.join(self.folder, name)
        library.make(folder, config, network, architecture)
        if network is library.vit:
            side = config["image_size"]
            return folder, self.arrays(name, {"image": ((config["num_channels"], side, side), None)}, 3)
        words = config["vocab_size"]
        inputs = {"tokens": ((SEQUENCE,), words)}
        of_samples = architecture.endswith("ForSequenceClassification")
        if network in (library.bert, library.distilbert, library.t5) or of_samples:
            inputs["mask"] = ((SEQUENCE,), 2)
        if network is library.t5:
            inputs["decoder_tokens"] = ((ANSWER,), words)
            return f"{folder}:sequence={SEQUENCE},answer={ANSWER}", self.arrays(name, inputs, words, (ANSWER,))
        classes = 3 if architecture.endswith("Classification") else words
        return f"{folder}:sequence={SEQUENCE}", self.arrays(name, inputs, classes, () if of_samples else (SEQUENCE,))

    def job(self, model, data, rounds=ROUNDS, **members):
        return self.write("job.json", {
            "format": "hearth-job/1", "model": model, "data": data, "batch": BATCH, "rounds": rounds,
            "optimizer": {"kind": "adamw", "learning_rate": 0.001}, "seed": 1, "evaluate_every": rounds, **members})

    def plan(self, job):
        """A pipeline through all devices."""
        return self.write("plan.json", self.plan_in_peace("nano-0", job, 3))

    def train(self, job):
        events = self.train_in_peace("nano-0", job, "--plan", self.plan(job))
        rounds = [event for event in events if event["event"] == "round"]
        self.assertEqual([event["rounds"] for event in events if event["event"] == "finished"], [ROUNDS])
        self.assertEqual(len(rounds), ROUNDS)
        self.assertTrue(all(len(each["devices"]) == 3 for each in rounds))
        self.assertTrue(all(0 < each["loss"] < 20 for each in rounds), [each["loss"] for each in rounds])
        self.assertEqual(len([event for event in events if event["event"] == "evaluation"]), 1)
        return next(event["id"] for event in events if event["event"] == "run")

    def assert_trained(self, after, before):
        """The same tensors, and not as they were."""
        self.assertEqual({name: shape for name, (shape, _) in after.items()},
                         {name: shape for name, (shape, _) in before.items()})
        moved = [name for name in after if after[name] != before[name]]
        self.assertGreater(len(moved), len(after) / 2)

    def test_built_in_networks(self):
        fashion = {"mobilenetv2"}  # takes 32×32 pictures, others any
        small = self.arrays("small", {"image": ((3, SIDE, SIDE), None)}, 10)
        for name in PICTURES:
            with self.subTest(name):
                model = name if name in fashion else f"{name}:image={SIDE}"
                run = self.train(self.job(model, "fashion-mnist" if name in fashion else small))
                start, after = (os.path.join(self.folder, each) for each in ("start.safetensors", "after.safetensors"))
                self.exec("nano-0", "hearth", "model", model, "--init", "1", "--save", start)
                self.exec("nano-0", "hearth", "export", run, "--safetensors", after)
                self.assert_trained(read_safetensors(after), read_safetensors(start))

    def test_folders_of_hugging_face(self):
        known = {name: rest for name, *rest in library.NETWORKS}
        for name in MORE_FOLDERS if os.environ.get("HEARTH_FAMILIES") == "more" else FOLDERS:
            with self.subTest(name):
                model, data = self.folder_of(*known[name])
                run = self.train(self.job(model, data))
                back = os.path.join(self.folder, f"{name}-back")
                self.exec("nano-0", "hearth", "export", run, "--hugging-face", back, "--from", model)
                self.assertTrue(os.path.exists(os.path.join(back, "config.json")))
                self.assert_trained(read_safetensors(os.path.join(back, "model.safetensors")),
                                    read_safetensors(os.path.join(model.split(":")[0], "model.safetensors")))

    def test_adapters_alone_are_copied_and_moved(self):
        model, data = self.folder_of(WIDE_BERT, library.bert, "BertForSequenceClassification")
        job = self.job(model, data, 1_000_000, evaluate_every=0, adapters={"kind": "lora", "rank": RANK, "alpha": 4})
        plan = self.plan(job)
        with open(plan) as file:
            stages = len(json.load(file)["stages"])
        # After a loss every state is gathered and sent out again: more than a light recovery needs to move.
        run = subprocess.Popen([LAB, "exec", "nano-0", "--", "hearth", "train", job, "--plan", plan, "--checkpoint-every", "20",
                                "--recovery", "heavy", "--json"], stdout=subprocess.PIPE, text=True, env=self.env)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        events = []

        def read_until(wanted):
            for line in run.stdout:
                events.append(json.loads(line))
                if wanted(events[-1]):
                    return events[-1]
            self.fail(f"the run has ended: {events[-3:]}")

        copied = set()
        read_until(lambda each: each["event"] == "replica" and (copied.add(each["of_stage"]) or len(copied) == stages))
        self.run_lab("kill", "nano-2", "--worker")
        recovered = read_until(lambda each: each["event"] == "recovered")
        checkpoint = read_until(lambda each: each["event"] == "checkpoint")
        name = next(each["id"] for each in events if each["event"] == "run")
        self.exec("nano-0", "hearth", "stop", name)
        read_until(lambda each: each["event"] == "state" and each["state"] == "stopped")

        weights = os.path.join(self.folder, "weights.safetensors")
        self.exec("nano-0", "hearth", "export", name, "--safetensors", weights)
        after = read_safetensors(weights)
        before = read_safetensors(os.path.join(model.split(":")[0], "model.safetensors"))
        is_trained = {tensor: ".lora_" in tensor or tensor.startswith("classifier.") for tensor in after}
        size = sum(len(content) for tensor, (_, content) in after.items() if is_trained[tensor])
        whole = sum(len(content) for _, content in after.values())
        states = 3 * size  # AdamW's two moments
        print(f"    adapters {size} bytes of {whole}, their states {states}; a checkpoint {checkpoint['bytes']}, "
              f"moved for a recovery {recovered['moved_bytes']}")
        self.assertLess(4 * states, whole)
        self.assertTrue(states <= checkpoint["bytes"] < 1.5 * states, checkpoint)  # with the names of its tensors
        self.assertTrue(0 < recovered["moved_bytes"] <= 2 * states, recovered)
        # What is no adapter is as it was, in single precision.
        for tensor, (_, content) in before.items():
            if tensor in after and not is_trained[tensor]:
                same = numpy.frombuffer(content, "<f8").astype("<f4").tobytes() == after[tensor][1]
                self.assertTrue(same, tensor)
