"""Stages that do not wait for each other at the end of a round, against the same stages that do."""
import statistics
import tempfile

from home import Home, read, shape
from learning import BATCH, MICRO_BATCHES, TRAINED, accuracy_of
from report import judged, spread
from turns import in_turns, tell
from variants import chain, layer_seconds, variant

ROUNDS = 16
BLOCKS, CHANNELS = 12, 96
SEEDS = (1, 2, 3)
MODES = {"synchronous": {}, "asynchronous": {"mode": "asynchronous"},
         "asynchronous, micro-batch": {"mode": "asynchronous", "asynchronous": {"update": "micro-batch"}}}
FASTER = 1.25  # than synchronous 1F1B; stages of equal work and no transfers could be 16 / 12 with early gradients
POINTS = 1.0  # of accuracy, at most
CPU = 0.2  # cores of each device: waiting is waiting only where the machine has time left


def equal_blocks():
    """Many blocks that cost the same, so that stages can be of equal work."""
    def convolution(channels, stride=1):
        return [{"kind": "convolution", "channels": channels, "kernel": 3, "stride": stride, "padding": 1}, {"kind": "relu"}]

    head = [{"kind": "global-average-pool"}, {"kind": "flatten"}, {"kind": "linear", "features": 10}]
    blocks = [{"name": f"block{i}", "kind": "sequence", "ops": convolution(CHANNELS)} for i in range(BLOCKS)]
    return {"format": "hearth-model/1", "name": "equal-blocks", "input": [3, 32, 32], "classes": 10,
            "layers": [{"name": "stem", "kind": "sequence", "ops": convolution(CHANNELS, 4)}, *blocks,
                       {"name": "head", "kind": "sequence", "ops": head}]}


def balanced(problem, micro_batch):
    """The cuts whose longest stage is the shortest, by what the first device measured; one device for each stage."""
    work = layer_seconds(problem, micro_batch)
    _, first, second = min((max(sum(work[:i]), sum(work[i:j]), sum(work[j:])), i, j)
                           for i in range(1, len(work)) for j in range(i + 1, len(work)))
    devices = [each["id"] for each in problem["devices"]]
    return chain([0, first, second, len(work)], devices, micro_batch, MICRO_BATCHES)


def speed(options):
    """Three devices with stages of equal work."""
    devices = [{"name": f"nano-{i}", "cpu": CPU} for i in range(3)]
    with Home(options.programs, "three.json", link="1gbit", scale="none", devices=devices) as home:
        network = home.file("equal-blocks.json", equal_blocks())
        micro_batch = BATCH // MICRO_BATCHES
        path, names = home.problem(home.job(network, BATCH, ROUNDS, micro_batch=micro_batch))
        plan = variant(read(home.plan(path, "hearth")), "equal-work", micro_batch=micro_batch, schedule="1f1b",
                       stages=balanced(read(path), micro_batch))
        file = home.file("plan-equal.json", plan)
        runs = {mode: (home.job(network, BATCH, ROUNDS, evaluate_every=0, micro_batch=micro_batch, **members), file)
                for mode, members in MODES.items()}
        print(f"    {shape(plan, names)}")
        measured = in_turns(home, runs, options.repeats)
    tell(measured, lambda mode: f": {spread(measured[mode].rates(BATCH))} samples/s")
    return judged("asynchronous against synchronous", measured["synchronous"].middle / measured["asynchronous"].middle, FASTER)


def accuracy(options, folder):
    """fashion-cnn in three stages, with the defaults of a job."""
    reached = {mode: [accuracy_of(options.programs, folder, 3, seed, **members) for seed in SEEDS]
               for mode, members in MODES.items()}
    for mode, each in reached.items():
        print(f"    {mode:<26} {', '.join(f'{one:.2f}' for one in each)} % after {TRAINED} batches of {BATCH}")
    below = statistics.mean(reached["synchronous"]) - statistics.mean(reached["asynchronous"])
    return judged("asynchronous: points below", below, POINTS, most=True)


def asynchronous(options):
    """Three stages of equal work: synchronous 1F1B against asynchronous training; then what fashion-cnn reaches."""
    missed = speed(options)
    with tempfile.TemporaryDirectory() as folder:
        return missed + accuracy(options, folder)
