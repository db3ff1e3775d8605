"""What an asynchronous run should have given: the outsider of tests/integration repeats the terms that its events tell."""
import json
import os
import subprocess
import sys

from ..errors import LabError

OUTSIDERS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "integration")


class Replay:
    """Of one job, from weights that a seed gives."""

    def __init__(self, programs, job, folder):
        sys.path.insert(0, OUTSIDERS)
        import outsider
        import stashed
        self.stashed, self.job = stashed, job
        path = os.path.join(folder, "initial.safetensors")
        done = subprocess.run([os.path.join(programs, "hearth"), "model", job["model"], "--init", str(job["seed"]), "--save", path,
                               "--json"], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise LabError(f"hearth model {job['model']} failed.", f"Its status was {done.returncode}.")
        self.model = json.loads(done.stdout)["model"]
        self.initial = outsider.read_safetensors(path)

    def expected(self, events):
        """Losses by round and weights, of the rounds that count in the end."""
        weights = {name: tensor.clone() for name, tensor in self.initial.items()}
        terms = self.stashed.terms_of(events, self.job["asynchronous"])
        losses = self.stashed.train(self.model, self.job, weights, terms)
        return dict(enumerate(losses, 1)), {name: tensor.detach().numpy().reshape(-1) for name, tensor in weights.items()}
