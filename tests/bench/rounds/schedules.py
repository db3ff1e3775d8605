"""What schedules make of the same stages."""
import json
import statistics

from home import Home, shape
from report import judged, spread
from texts import texts

MICRO_BATCHES = 4
SAME_STAGES = (  # home, devices, network, batch, rounds of a run, at least this much of 1F1B with early gradients
    ("two-cores.json", 2, "mobilenetv2", 128, 12, 1.05),
    ("two-cores.json", 2, "bert-small:dropout=0", 128, 8, 1.05),
    ("four.json", 4, "mobilenetv2", 128, 10, 1.12),
    ("four.json", 4, "bert-small:dropout=0", 128, 6, 1.12),
)


def with_schedule(plan, schedule, in_flight):
    stages = [{**stage, "in_flight": min(in_flight(p), MICRO_BATCHES)} for p, stage in enumerate(plan["stages"])]
    return {**plan, "schedule": schedule, "planner": schedule, "stages": stages, "prediction": None}


def zero_bubble(options):
    """Gradients of weights put off, against 1F1B that sends gradients early: the same stages, in turns."""
    missed = []
    for file, count, model, batch, rounds, target in SAME_STAGES:
        with Home(options.programs, file, link="1gbit") as home:
            are_texts = model.startswith("bert")
            data = {"data": texts(home.folder.name, 30522, {"tokens": 32, "mask": 32}, 0), "input": None} if are_texts else {}
            job = home.job(model, batch, rounds, **data)
            problem, names = home.problem(job)
            with open(home.plan(problem, "pp-1f1b", micro_batch=batch // MICRO_BATCHES)) as text:
                plan = json.load(text)
            plans = {"1f1b": with_schedule(plan, "1f1b", lambda p: 2 * (count - p) - 1),
                     "zero-bubble": with_schedule(plan, "zero-bubble", lambda p: MICRO_BATCHES)}
            files = {}
            for name, each in plans.items():
                each.pop("prediction")
                files[name] = home.file(f"plan-{name}.json", each)
            seconds, predicted = {name: [] for name in plans}, {}
            for _ in range(options.repeats):
                for name, path in files.items():
                    run = home.train(job, path)
                    seconds[name].append(run.seconds)
                    predicted[name] = run.predicted
            middle = {name: statistics.median(each) for name, each in seconds.items()}
            print(f"    {model}, batch {batch}, {count} devices: {shape(plan, names)}")
            for name, each in seconds.items():
                print(f"    {name:<12} predicted {predicted[name] * 1e3:7.1f} ms, measured "
                      f"{spread([one * 1e3 for one in each], ' ms', 1)}, off by "
                      f"{(predicted[name] / middle[name] - 1) * 100:+.0f} %", flush=True)
            row = f"{model}, {count} devices"
            missed += judged(f"{row}: zero-bubble against 1f1b", middle["1f1b"] / middle["zero-bubble"], target)
            print(f"      predicted: {predicted['1f1b'] / predicted['zero-bubble']:.3f}")
            ratio = predicted["zero-bubble"] / middle["zero-bubble"]
            missed += judged(f"{row}: prediction, smaller over larger", min(ratio, 1 / ratio), 1 / 1.1)
    return missed
