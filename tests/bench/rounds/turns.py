"""Runs that are compared: trained in turns, so that what else the machine does meets all of them alike."""
import statistics

from report import judged, spread


class Measured:
    """Seconds of a round: the median of each run, and what was predicted."""

    def __init__(self):
        self.runs = []

    @property
    def seconds(self):
        return [run.seconds for run in self.runs]

    @property
    def predicted(self):
        return self.runs[-1].predicted

    @property
    def middle(self):
        return statistics.median(self.seconds)

    def rates(self, samples):
        """Samples a second of each run, whose rounds have so many."""
        return [samples / each for each in self.seconds]

    def prediction_judged(self, name, target):
        ratio = self.predicted / self.middle
        return judged(f"{name}: prediction, smaller over larger", min(ratio, 1 / ratio), target)


def in_turns(home, runs, repeats, **options):
    """Trains {name: what Home.train takes}, all of them once and then again, with its options: {name: Measured}."""
    measured = {name: Measured() for name in runs}
    for _ in range(repeats):
        for name, words in runs.items():
            measured[name].runs.append(home.train(*words, **options))
    return measured


def tell(measured, note=lambda name: ""):
    """A line for each; `note` is what it ends with."""
    width = max(len(name) for name in measured)
    for name, each in measured.items():
        print(f"    {name:<{width}} predicted {each.predicted * 1e3:7.1f} ms, measured "
              f"{spread([one * 1e3 for one in each.seconds], ' ms', 1)}, off by "
              f"{(each.predicted / each.middle - 1) * 100:+.0f} %{note(name)}", flush=True)
