"""What a run should have given whose weights depend on its plans: outsiders of tests/integration repeat what its events tell."""
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
        import local_steps
        import outsider
        import stashed
        self.stashed, self.local_steps, self.job = stashed, local_steps, job
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
        if "local_steps" in self.job:
            plans = self.local_steps.shares_by_round(events, self.job["rounds"])
            losses = self.local_steps.train(self.model, self.job, weights, plans)
        else:
            terms = self.stashed.terms_of(events, self.job["asynchronous"])
            losses = self.stashed.train(self.model, self.job, weights, terms)
        return dict(enumerate(losses, 1)), {name: tensor.detach().numpy().reshape(-1) for name, tensor in weights.items()}
