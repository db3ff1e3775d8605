"""Plans that benchmarks write themselves."""
import math


def variant(plan, planner, **changes):
    """The plan with these members changed, and without what was predicted of another."""
    changed = {**plan, "planner": planner, **changes}
    changed.pop("prediction", None)
    return changed


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
