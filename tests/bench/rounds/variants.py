"""Plans that benchmarks write themselves."""
import math


def variant(plan, planner, **changes):
    """The plan with these members changed, and without what was predicted of another."""
    changed = {**plan, "planner": planner, **changes}
    changed.pop("prediction", None)
    return changed


def with_schedule(plan, schedule):
    """The same stages: under 1F1B with as much in flight as early gradients take, else with all micro-batches."""
    count, micro_batches = len(plan["stages"]), plan["batch"] // plan["micro_batch"]
    stages = [{**stage, "in_flight": min(2 * (count - p) - 1 if schedule == "1f1b" else micro_batches, micro_batches)}
              for p, stage in enumerate(plan["stages"])]
    return variant(plan, schedule, schedule=schedule, stages=stages)


def layer_seconds(problem, micro_batch):
    """Both passes of each layer, as the first device measured them."""
    times = problem["times"][problem["devices"][0]["id"]]
    index = times["batch"].index(micro_batch)
    return [forward[index] + backward[index] for forward, backward in zip(times["forward_s"], times["backward_s"])]


def chain(borders, devices, micro_batch, most=math.inf):
    """Stages of one device each between these borders; each may have as many micro-batches in flight as 1F1B takes, or
    `most`."""
    count = len(borders) - 1
    return [{"layers": borders[s:s + 2], "shares": {devices[s]: micro_batch}, "in_flight": min(2 * (count - s) - 1, most),
             "recompute": False, "codec": "none"} for s in range(count)]
