"""Random texts as a data set for a benchmark."""
import json
import os

import numpy


def texts(folder, words, inputs, answer, samples=64):
    """Writes a data file of so many tokens for each input, and labels for `answer` tokens (0: of a class of two). Its path."""
    random = numpy.random.default_rng(1)
    description = {"format": "hearth-data/1", "name": "texts", "kind": "arrays"}
    for split in ("train", "test"):
        arrays = {name: random.integers(0, words, (samples, length)) for name, length in inputs.items() if name != "mask"}
        if "mask" in inputs:
            arrays["mask"] = numpy.ones((samples, inputs["mask"]), dtype=numpy.int64)
        arrays["labels"] = random.integers(0, words, (samples, answer)) if answer else random.integers(0, 2, samples)
        for name, values in arrays.items():
            numpy.save(os.path.join(folder, f"{split}-{name}.npy"), values)
        description[split] = {"inputs": {name: f"{split}-{name}.npy" for name in inputs}, "labels": f"{split}-labels.npy"}
    path = os.path.join(folder, "texts.json")
    with open(path, "w") as file:
        json.dump(description, file)
    return path
