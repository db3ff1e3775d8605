"""What a walk measured, and what it expects."""
from ..errors import LabError


def expect(holds, otherwise):
    if not holds:
        raise LabError(f"The walk went wrong: {otherwise}.")


class Figures:
    """Figures are told, never judged by the exit status: a loaded machine is slow."""

    def __init__(self):
        self.rows = []

    def say(self, text):
        print(text, flush=True)

    def add(self, what, seconds, target, steps=None):
        self.rows.append((what, seconds, target))
        verdict = "met" if seconds < target else "MISSED"
        self.say(f"{what}: {seconds:.1f} s (target {target} s: {verdict})")
        if steps:
            self.say("  " + ", ".join(f"{name} {each:.2f}" for name, each in steps.items()))
