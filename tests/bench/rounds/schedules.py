"""What schedules make of the same stages."""
from home import Home, read, shape
from report import judged
from texts import texts
from turns import in_turns, tell
from variants import with_schedule

MICRO_BATCHES = 4
SAME_STAGES = (  # home, devices, network, batch, rounds of a run, at least this much of 1F1B with early gradients
    ("two-cores.json", 2, "mobilenetv2", 128, 12, 1.05),
    ("two-cores.json", 2, "bert-small:dropout=0", 128, 8, 1.05),
    ("four.json", 4, "mobilenetv2", 128, 10, 1.12),
    ("four.json", 4, "bert-small:dropout=0", 128, 6, 1.12),
)


def zero_bubble(options):
    """Gradients of weights put off, against 1F1B that sends gradients early: the same stages, in turns."""
    missed = []
    for file, count, model, batch, rounds, target in SAME_STAGES:
        with Home(options.programs, file, link="1gbit") as home:
            are_texts = model.startswith("bert")
            data = {"data": texts(home.folder.name, 30522, {"tokens": 32, "mask": 32}, 0), "input": None} if are_texts else {}
            job = home.job(model, batch, rounds, **data)
            problem, names = home.problem(job)
            plan = read(home.plan(problem, "pp-1f1b", micro_batch=batch // MICRO_BATCHES))
            print(f"    {model}, batch {batch}, {count} devices: {shape(plan, names)}")
            runs = {name: (job, home.file(f"plan-{name}.json", with_schedule(plan, name))) for name in ("1f1b", "zero-bubble")}
            measured = in_turns(home, runs, options.repeats)
            tell(measured)
            row = f"{model}, {count} devices"
            before, after = measured["1f1b"], measured["zero-bubble"]
            missed += judged(f"{row}: zero-bubble against 1f1b", before.middle / after.middle, target)
            print(f"      predicted: {before.predicted / after.predicted:.3f}")
            missed += after.prediction_judged(row, 1 / 1.1)
    return missed
