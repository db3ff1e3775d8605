"""Recovery that moves little against recovery that gathers everything and plans anew."""
import os

import figures
from home import Failed, Home
from live import Devices, LiveRun
from report import judged, spread

MODEL = os.path.join(os.path.dirname(os.path.realpath(__file__)), "wide-mlp.json")  # 70 MB, as much again of momentum
BATCH = 256  # enough work for all five: with less the best plan is one device
ENDLESS = 1_000_000  # rounds
PATIENCE = 240  # seconds for a recovery
BACKGROUND = 12  # seconds for the full plan to be made and adopted
MEASURED = 15  # rounds
METHODS = ("lightweight", "heavy")


def copied(run):
    """Whether a version of every stage of one device rests on another, too."""
    lone = sum(len(stage["shares"]) == 1 for stage in run.plan()["stages"])
    versions = [each["version"] for each in run.events if each["event"] == "replica"]
    return any(versions.count(version) >= lone for version in versions)


def measured(run, rounds):
    """Samples per second of the next rounds."""
    run.rounds_done(2)
    begin = run.rounds()[-1]["t"]
    run.rounds_done(rounds, 240)
    return figures.throughput(run.events, BATCH, begin, run.rounds()[-1]["t"])


def lose_one(home, devices, job, method, turn):
    """One device is lost for good; what that took, and how fast the others are then."""
    with LiveRun(home, devices, job, "--recovery", method) as run:
        run.until(run.rounds, 240, "no round was done")
        run.until(lambda: copied(run), 240, "no version was copied")
        run.rounds_done(3)
        term, mark = run.plans()[-1]["term"], len(run.events)
        candidates = sorted(name for name in (run.names()[each] for each in run.used()) if name != home.first)
        lost = candidates[turn % len(candidates)]
        moment = devices.take_away(lost)
        said = run.until(lambda: figures.recovery(run.events[mark:], run.id_of(lost), term), PATIENCE, "no recovery")
        fault = {"method": method, "device": lost, "stages": len(run.plans()[-1]["plan"]["stages"]), **said,
                 "told_method": said["method"], "wall_s": run.wall(said["first"]) - moment,
                 "known_s": run.wall(said["lost"]) - moment}
        fault["method"] = method
        if method == "lightweight":
            run.rest_for(BACKGROUND)
            fault["plans_since"] = [each["reason"] for each in run.plans() if each["term"] > term]
            fault["samples_per_s"] = measured(run, MEASURED)
    devices.restart()
    return fault


def fresh(home, devices, job, lost):
    """The rate of the other devices under the best plan for them."""
    others = ",".join(each for each in home.devices if each != lost)
    with LiveRun(home, devices, job, "--devices", others, "--keep-plan") as run:
        run.until(run.rounds, 240, "no round was done")
        rate = measured(run, MEASURED)
    devices.restart()
    return rate


def heavy(options):
    """Lightweight against heavy recovery: 141 MB of state over 100 Mbit/s, one of five devices lost for good"""
    faults, plans = [], []
    options.results["heavy"] = {"faults": faults, "fresh_samples_per_s": plans}
    with Home(options.programs, "a.json") as home:
        devices = Devices(home)
        job = home.job(MODEL, BATCH, ENDLESS, input={"scale": 1 / 255, "pad": [0, 0], "repeat_channels": 1},
                       evaluate_every=0)
        for turn in range(options.repeats):
            for method in METHODS if turn % 2 == 0 else reversed(METHODS):
                fault = lose_one(home, devices, job, method, turn)
                faults.append(fault)
                if method == "lightweight":
                    plans.append(fresh(home, devices, job, fault["device"]))
                print(f"    {method}, {fault['device']} lost: {fault['wall_s']:.2f} s ("
                      + ", ".join(f"{part[:-2]} {fault[part]:.2f}" for part in figures.PARTS)
                      + f"), {fault['moved_bytes'] / 1e6:.0f} MB moved by \"{fault['told_method']}\", "
                      f"{fault['replayed_rounds']} rounds repeated", flush=True)
    return summary(options, faults, plans)


def summary(options, faults, plans):
    seconds = {method: [each["wall_s"] for each in faults if each["method"] == method] for method in METHODS}
    after = [each["samples_per_s"] for each in faults if each["method"] == "lightweight"]
    factor = figures.middle(seconds["heavy"]) / figures.middle(seconds["lightweight"])
    rows = []
    for method in METHODS:
        some = [each for each in faults if each["method"] == method]
        rows.append([method, str(len(some)), spread(seconds[method], digits=2),
                     *[f"{figures.middle([each[part] for each in some]):.2f}" for part in figures.PARTS],
                     f"{figures.middle([each['moved_bytes'] for each in some]) / 1e6:.0f}"])
    options.show("\n" + figures.table(["recovery", "n", "s (least to most)", *(part[:-2] for part in figures.PARTS),
                                       "MB moved"], rows))
    print(f"    lightweight is {factor:.1f} times as fast as heavy (Asteroid publishes 14)")
    print(f"    samples/s afterwards {spread(after)}, of a fresh plan {spread(plans)}")
    wrong = [each for each in faults if each["told_method"] != each["method"]]
    missed = [f"heavy: {len(wrong)} recoveries took another way than asked for"] if wrong else []
    pairs = [one / other for one, other in zip(after, plans)]
    return missed + judged("throughput afterwards, of a fresh plan's", figures.middle(pairs), 0.95)
