"""Ways of training that faults meet: their jobs, and the plans that a schedule may begin with."""
JOB = {"format": "hearth-job/1", "model": "fashion-cnn", "data": "fashion-mnist", "precision": "float64", "batch": 32,
       "optimizer": {"kind": "sgd", "learning_rate": 0.05, "momentum": 0.9, "weight_decay": 0.0005}, "seed": 1,
       "evaluate_every": 0}
LAYERS = 5  # of the model
MICRO_BATCH = 8
EVERY = 4  # local steps of a round
SYNCHRONOUS, ZERO_BUBBLE, INTERLEAVED, ROUND, EACH, LOCAL = MODES = (
    "synchronous", "zero-bubble", "interleaved", "asynchronous", "asynchronous-micro-batch", "local-steps")
# Their weights depend on who had which layers when: an outsider says what a run should have given.
REPLAYED = (ROUND, EACH, LOCAL)


def job_of(mode, rounds):
    job = {**JOB, "rounds": rounds}
    if mode in REPLAYED:
        job.update(shuffle=False, input={"scale": 1 / 255, "pad": [2, 2], "repeat_channels": 1},
                   schedule={"kind": "constant", "warmup_rounds": 0})
    if mode in (ROUND, EACH):
        job.update(mode="asynchronous", asynchronous={"update": "micro-batch" if mode == EACH else "round"})
    if mode in (EACH, LOCAL):  # with four times the steps rounding alone would grow beyond what is compared
        job["optimizer"] = {**JOB["optimizer"], "learning_rate": JOB["optimizer"]["learning_rate"] / 4}
    if mode == LOCAL:
        job["local_steps"] = {"every": EVERY, "outer_rate": 1, "outer_momentum": 0.5}
        job["optimizer"]["momentum"] = 0  # each device's own, which dies with it
    return job


def plan_of(mode, shape, devices):
    """A plan that uses all devices: a stage for each where there are layers enough, or two groups; one for local steps.
    Interleaved it uses four devices at most, or two, which take turns layer by layer."""
    if mode == INTERLEAVED:
        turns = devices[:4] if shape == "chain" else devices[:2]
        members, cuts = [[turns[layer % len(turns)]] for layer in range(LAYERS)], list(range(LAYERS + 1))
    elif mode == LOCAL:
        members, cuts = [devices], [0, LAYERS]
    elif shape == "chain" and len(devices) <= LAYERS:
        members = [[name] for name in devices]
        cuts = [index * LAYERS // len(devices) for index in range(len(devices))] + [LAYERS]
    else:
        half = len(devices) // 2
        members = [devices[:half], devices[half:]]
        cuts = [0, 3, LAYERS]
    batch, micro_batch = (JOB["batch"] * EVERY, JOB["batch"]) if mode == LOCAL else (JOB["batch"], MICRO_BATCH)
    stages = []
    for index, names in enumerate(members):
        share, rest = divmod(micro_batch, len(names))
        in_flight = batch // micro_batch if mode in (ZERO_BUBBLE, INTERLEAVED) else len(members) - index
        stages.append({"layers": cuts[index:index + 2], "in_flight": in_flight, "recompute": False,
                       "codec": "none", "shares": {name: share + (place < rest) for place, name in enumerate(names)}})
    return {"format": "hearth-plan/1", "model": {"name": JOB["model"], "sha256": "", "layers": LAYERS}, "planner": "chaos",
            "batch": batch, "micro_batch": micro_batch, "schedule": ZERO_BUBBLE if mode in (ZERO_BUBBLE, INTERLEAVED) else "1f1b",
            "stages": stages}
