"""Errors that a person can act on."""


class LabError(Exception):
    """What went wrong, why, and what to do next; each one sentence or empty."""

    def __init__(self, what, cause="", advice=""):
        self.what, self.cause, self.advice = what, cause, advice
        super().__init__(" ".join(part for part in (what, cause, advice) if part))
