"""Devices that average their weights now and then, over a link too slow for any pipeline."""
from home import Failed, Home, read, shape
from report import judged

# A quarter of a core each: some 800 samples a second.
DEVICES = [{"name": f"nano-{i}", "cpu": 0.25} for i in range(2)]
LINK, BATCH, TARGET = "5mbit", 128, 0.88
STRIDE = 128 * BATCH  # samples between two evaluations, the same for all
STRIDES = 8           # of a run
CUTTING = ("pp-1f1b", "gpipe", "pipedream", "ftpipehd", "asteroid", "dp")
CONTENDERS = (("every 8", 8, "none"), ("every 32", 32, "none"), ("every 32, bfp8", 32, "bfp8"),
              ("every 128", 128, "none"), ("every 128, bfp8", 128, "bfp8"))


def job_of(home, every, codec, strides):
    steps = {"local_steps": {"every": every}, "gradient_codec": codec} if every > 1 else {}
    samples = BATCH * every
    return home.job("fashion-cnn", BATCH, max(1, round(strides * STRIDE / samples)), **steps,
                    input={"scale": 1 / 255, "pad": [2, 2], "repeat_channels": 1},
                    optimizer={"kind": "sgd", "learning_rate": 0.05, "momentum": 0.9, "weight_decay": 0},
                    evaluate_every=STRIDE // samples if strides == int(strides) else 0, keep_best=False)


def followed(home, job, *words):
    """Seconds and accuracy at every evaluation, from the beginning of the first round; what evaluating takes is left out."""
    events = home.events("train", job, *words)
    if not any(each["event"] == "finished" for each in events):
        raise Failed("a run did not finish")
    rounds = {each["round"]: each for each in events if each["event"] == "round"}
    after, seconds = {0: 0.0}, 0.0
    for number in sorted(rounds):
        seconds += rounds[number]["round_s"]
        after[number] = seconds
    curve = [(after[each["round"]], each["accuracy"]) for each in events if each["event"] == "evaluation"]
    plan = next(each["plan"] for each in events if each["event"] == "plan")
    names = {each["id"]: each["name"] for each in events if each["event"] == "device"}
    return {"curve": curve, "rate": plan["batch"] * len(rounds) / seconds, "plan": shape(plan, names),
            "devices": sum(len(stage["shares"]) for stage in plan["stages"]),
            "predicted": plan["prediction"]["samples_per_s"]}


def reached(run):
    """Strides and seconds to the target, between evaluations in a straight line; nothing where it was not reached."""
    before = (0.0, 0.1)
    for i, (seconds, accuracy) in enumerate(run["curve"]):
        if accuracy >= TARGET:
            part = (TARGET - before[1]) / (accuracy - before[1])
            return i + part, before[0] + part * (seconds - before[0])
        before = (seconds, accuracy)
    return None


def told(name, run):
    print(f"    {name:<18} {run['rate']:7.0f} samples/s (predicted {run['predicted']:.0f}); {run['plan']}")
    if run["curve"]:
        print("        " + ", ".join(f"{accuracy * 100:.1f} % at {seconds:.0f} s" for seconds, accuracy in run["curve"]), flush=True)


def local_steps(options):  # every contender trains once, to the end
    """Fashion-MNIST to 88 % over 5 Mbit/s: one device alone, the best plan that uses both, and local steps."""
    with Home(options.programs, "two-cores.json", link=LINK, devices=DEVICES) as home:
        job = job_of(home, 1, "none", STRIDES)
        problem, names = home.problem(job)
        single = home.plan(problem, "single")
        alone = followed(home, job, "--plan", single)
        told("one device alone", alone)
        known = reached(alone)
        if not known:
            raise Failed(f"one device alone does not reach {TARGET}")
        strides, baseline = known
        plans = {planner: home.plan(problem, planner) for planner in CUTTING}
        best, least = None, None
        for planner, path in plans.items():
            if not path:
                continue
            plan = read(path)
            devices = {device for stage in plan.get("stages", []) for device in stage["shares"]}
            if len(devices) > 1 and (least is None or plan["prediction"]["round_s"] < least):
                best, least = path, plan["prediction"]["round_s"]
        # The same mathematics: as many samples to the target, so a few rounds say how long it takes.
        piped = followed(home, job_of(home, 1, "none", 0.1), "--plan", best)
        told("the best pipeline", piped)
        pipeline = strides * STRIDE / piped["rate"]
        print(f"    {TARGET * 100:.0f} % alone after {baseline:.0f} s, with the pipeline after {pipeline:.0f} s", flush=True)
        missed = judged("the best pipeline, against one device alone", baseline / pipeline, 1, most=True)
        ratios = {}
        for name, every, codec in CONTENDERS:
            rate = followed(home, job_of(home, every, codec, 2.5 * BATCH * every / STRIDE))
            if rate["devices"] < 2:  # the planner lets one rest: as without local steps
                told(name, rate)
                continue
            run = followed(home, job_of(home, every, codec, STRIDES))
            told(name, run)
            at = reached(run)
            ratios[name] = baseline / at[1] if at else 0
            print(f"        {TARGET * 100:.0f} % " + (f"after {at[1]:.0f} s, {at[0] / strides:.2f} times the samples: "
                  f"{ratios[name]:.2f} times as soon" if at else "is not reached"), flush=True)
        missed += judged("local steps, against one device alone", max(ratios.values(), default=0), 1)
        # Beside others that compute here rates change: the first one's once more.
        again = followed(home, job_of(home, 1, "none", 0.5), "--plan", single)
        print(f"    one device alone once more: {again['rate'] / alone['rate']:.2f} times its first rate")
    return missed
