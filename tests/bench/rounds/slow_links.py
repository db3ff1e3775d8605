"""Cuts compressed over slow links: the same plan with and without, and what the planner makes of either."""
from home import Home, read, shape
from report import judged
from turns import in_turns, tell
from variants import chain, variant

BATCH, ROUNDS = 64, 64
FIRST = 52  # 50 rounds lose no more than bf16, the next one is checked
LEVELS = ["bf16", "bfp8"]  # of "auto"
SLOWER = 1.01  # no more where links are fast


def convolution(channels, kernel, stride=1):
    return [{"kind": "convolution", "channels": channels, "kernel": kernel, "stride": stride, "padding": kernel // 2,
             "bias": False}, {"kind": "batch-norm"}]


def block(name, channels, stride):
    relu = [{"kind": "relu"}]
    shortcut = {"shortcut": convolution(channels, 1, stride)} if stride > 1 else {}
    return {"name": name, "kind": "residual", **shortcut, "after": relu,
            "ops": convolution(channels, 3, stride) + relu + convolution(channels, 3)}


def small_resnet():
    """A stem of 64 channels as ResNets have it, 256 KiB for each sample of 32 x 32, and few blocks behind it."""
    head = [{"kind": "global-average-pool"}, {"kind": "flatten"}, {"kind": "linear", "features": 10}]
    return {"format": "hearth-model/1", "name": "small-resnet", "input": [3, 32, 32], "classes": 10,
            "layers": [{"name": "stem", "kind": "sequence", "ops": convolution(64, 3) + [{"kind": "relu"}]},
                       block("block1", 32, 2), block("block2", 32, 1), block("block3", 64, 2), block("block4", 64, 1),
                       {"name": "head", "kind": "sequence", "ops": head}]}


def early_cut(problem, micro_batch):
    """Two stages, cut behind the first layer whose output is the largest."""
    devices = [each["id"] for each in problem["devices"]]
    layers = problem["layers"]
    cut = max(range(len(layers) - 1), key=lambda l: (layers[l]["output_bytes"], -l)) + 1
    return chain([0, cut, len(layers)], devices, micro_batch)


def with_codec(plan, codec):
    """The same plan with both directions of all cuts written so."""
    written = codec if codec == "none" else {"forward": codec, "backward": codec}
    stages = [{**each, "codec": written} for each in plan["stages"][:-1]] + [plan["stages"][-1]]
    return {**plan, "stages": stages}


def unpacked(problem):
    """As if nobody knew what packing leaves of what crosses cuts."""
    return {**problem, "layers": [{key: value for key, value in each.items() if key != "packed"} for each in problem["layers"]]}


def slow_links(options):
    """100 Mbit/s, cut early and as the planner cuts; then 1 Gbit/s, where nothing may be lost."""
    missed = []
    for link in ("100mbit", "1gbit"):
        with Home(options.programs, "two-cores.json", link=link) as home:
            print(f"  a small ResNet, batch {BATCH}, {link}", flush=True)
            job = home.job(home.file("small-resnet.json", small_resnet()), BATCH, ROUNDS, evaluate_every=0)
            path, names = home.problem(job)
            free = read(home.plan(path, "hearth"))
            chosen = read(home.plan(path, "hearth", levels=LEVELS))
            plans = {"planner, without": free, "planner, auto": chosen}
            if link == "100mbit":
                blind = home.file("unpacked.json", unpacked(read(path)))
                plans["planner, packing unknown"] = read(home.plan(blind, "hearth"))
                early = variant(free, "early-cut", micro_batch=8, stages=early_cut(read(path), 8))
                plans.update({f"cut early, {codec}": with_codec(early, codec) for codec in ("none", *LEVELS)})
            runs = {}
            for name, plan in plans.items():
                print(f"    {name:<22} {shape(plan, names)}; {', '.join(str(each['codec']) for each in plan['stages'][:-1])}")
                runs[name] = job, home.file(f"plan-{len(runs)}.json", plan)
            measured = in_turns(home, runs, options.repeats, first=FIRST)
            tell(measured, lambda name: f"; by its plan {measured[name].runs[-1].planned * 1e3:.1f} ms")
            for name, each in measured.items():
                if name != "planner, packing unknown":
                    missed += each.prediction_judged(name, 1 / 1.15)
            middle = {name: each.middle for name, each in measured.items()}
            ratio = middle["planner, without"] / middle["planner, auto"]
            if link == "100mbit":
                missed += judged("the same plan, cut early, bfp8", middle["cut early, none"] / middle["cut early, bfp8"], 3)
                missed += judged("the planner with levels", ratio, 1.1)
                missed += judged("the planner that counts packing, without levels",
                                 middle["planner, packing unknown"] / middle["planner, without"], 1)
            else:
                # The same plan is as fast; what is measured of it is the noise.
                missed += judged("1 Gbit/s, with levels", 1 if chosen["stages"] == free["stages"] else ratio, 1 / SLOWER)
    return missed
