"""A device that becomes ten times slower while it trains."""
import time

import figures
from home import Home, read, shape
from live import Devices, LiveRun
from report import judged, spread

FACTOR = 10
BATCH = 64
ENDLESS = 1_000_000  # rounds
BEFORE = 15  # rounds: what is usual must be known
GRACE_ROUNDS, GRACE_SECONDS = 10, 10  # to adapt in
MEASURED = 25  # rounds, or
MEASURED_SECONDS = 20


def rates(run, begin, rounds, seconds):
    """Samples per second from that time of the run on, for so many rounds or, where they are slow, seconds."""
    last = time.monotonic() + seconds
    enough = 3  # rounds that make a rate

    def done():
        count = sum(each["t"] >= begin for each in run.rounds())
        return count > rounds or (time.monotonic() > last and count > enough)

    run.until(done, 300, "too few rounds were done")
    return figures.throughput(run.events, BATCH, begin, run.rounds()[-1]["t"])


def busiest(run, home):
    """The device that computes longest in a round, but for the one with the coordinator."""
    names, last = run.names(), run.rounds()[-5:]
    seconds = {name: sum(each["devices"].get(key, {"compute_s": 0})["compute_s"] for each in last)
               for key, name in names.items() if name != home.first}
    return max(seconds, key=seconds.get)


def slowed(home, devices, job, device, *words):
    """One run in which a device (None: the busiest) becomes slow: rates before and afterwards, and when the plan
    followed."""
    with LiveRun(home, devices, job, *words) as run:
        run.until(run.rounds, 240, "no round was done")
        run.rounds_done(BEFORE)
        before = rates(run, run.rounds()[3]["t"], BEFORE - 4, 0)
        device = device or busiest(run, home)
        done, plans = len(run.rounds()), len(run.plans())
        moment = time.monotonic()
        devices.change(device, slow=FACTOR)
        run.until(lambda: len(run.rounds()) >= done + GRACE_ROUNDS and time.monotonic() >= moment + GRACE_SECONDS, 300,
                  "too few rounds were done")
        result = {"device": device, "before": before, "after": rates(run, run.rounds()[-1]["t"], MEASURED, MEASURED_SECONDS)}
        changes = run.plans()[plans:]
        result["changes"] = [{"reason": each["reason"], "s": run.wall(each["t"]) - moment,
                              "rounds": sum(other["t"] < each["t"] for other in run.rounds()[done:]),
                              "plan": shape(each["plan"], run.names())} for each in changes]
        result["lost"] = [run.names()[each["id"]] for each in run.events if each["event"] == "lost"]
    devices.change(device, slow=1)
    devices.restart()
    return result


def plan_when_slow(home, problem, device, names):
    """The best plan for the speeds as they are when the device is slow."""
    times = read(problem)["times"]
    slow = next(key for key, name in names.items() if name == device)
    for kind in ("forward_s", "backward_s", "backward_weights_s"):
        if kind in times[slow]:
            times[slow][kind] = [[seconds * FACTOR for seconds in row] for row in times[slow][kind]]
    return home.plan(problem, "hearth", times=times)


def drift(options):
    """Drift: one of three devices becomes ten times slower (FTPipeHD's case), MobileNetV2"""
    repeats = []
    options.results["drift"] = repeats
    with Home(options.programs, "three.json") as home:
        devices = Devices(home)
        job = home.job("mobilenetv2", BATCH, ENDLESS, evaluate_every=0)
        problem, names = home.problem(job)
        device = None
        for turn in range(options.repeats):
            follows = slowed(home, devices, job, device)
            device = follows["device"]
            best = plan_when_slow(home, problem, device, names)
            keeps = slowed(home, devices, job, device, "--keep-plan")
            devices.change(device, slow=FACTOR)
            with LiveRun(home, devices, job, "--plan", best, "--keep-plan") as run:
                run.until(run.rounds, 240, "no round was done")
                run.rounds_done(3)
                fresh = rates(run, run.rounds()[-1]["t"], MEASURED, MEASURED_SECONDS)
                chosen = shape(run.plan(), names)
            devices.change(device, slow=1)
            devices.restart()
            repeats.append({"follows": follows, "keeps": keeps, "fresh": fresh})
            changes = "; ".join(f"{each['reason']} after {each['rounds']} rounds, {each['s']:.1f} s: {each['plan']}"
                                for each in follows["changes"]) or "the plan stayed"
            print(f"    {turn + 1}: {device}, samples/s {follows['before']:.0f} before, then {follows['after']:.0f} ({changes}); "
                  f"{keeps['after']:.0f} by the same plan; {fresh:.0f} by a fresh one ({chosen})", flush=True)
    return summary(options, repeats)


def summary(options, repeats):
    after = [each["follows"]["after"] for each in repeats]
    keeps = [each["keeps"]["after"] for each in repeats]
    fresh = [each["fresh"] for each in repeats]
    options.show("\n" + figures.table(
        ["one of three devices 1:10", "samples/s (least to most)"],
        [["before", spread([each["follows"]["before"] for each in repeats])], ["adapted", spread(after)],
         ["the plan kept", spread(keeps, digits=1)], ["a fresh plan at those speeds", spread(fresh)]]))
    factor = figures.middle([one / other for one, other in zip(after, keeps)])
    print(f"    adapting is {factor:.1f} times as fast as not adapting (FTPipeHD publishes 6.8)")
    missed = [f"drift: {name} was taken for lost" for each in repeats for name in each["follows"]["lost"]]
    return missed + judged("throughput after 10 rounds and 10 s, of a fresh plan's",
                           figures.middle([one / other for one, other in zip(after, fresh)]), 0.9)
