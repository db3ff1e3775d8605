"""Every way of training in several homes: what was predicted, what was measured, memory, and what it learns."""
import json
import os
import statistics
import tempfile

from home import Home, read, shape
from learning import TRAINED, accuracy_of
from turns import in_turns
from variants import with_schedule

MODEL, BATCH, ROUNDS = "mobilenetv2", 128, 8
HOMES = (
    ("2 equal", "two-cores.json", {"link": "1gbit"}),
    ("4 equal", "four.json", {"link": "1gbit"}),
    ("B", "b.json", {}),
    ("1:10", "one-to-ten.json", {}),
    ("5 Mbit/s", "two-cores.json", {"link": "5mbit"}),
)
SCHEDULES = ("fill-drain", "1f1b", "zero-bubble", "zero-bubble-eager")
ASYNCHRONOUS, LOCAL = "asynchronous", "local steps"
EVERY = 8  # batches between two averages
SEEDS = (1, 2, 3)


def is_interleaved(plan):
    return len({device for stage in plan["stages"] for device in stage["shares"]}) < len(plan["stages"])


def runs_of(home, traces):
    """{way: (job, plan, words)}, and the stages that most of them share: the planner's, or where it would not cut or gives
    devices several, those of the planner that gives every device one."""
    job = home.job(MODEL, BATCH, ROUNDS, evaluate_every=0)
    problem, names = home.problem(job)
    plan = read(home.plan(problem, "hearth"))
    if len(plan.get("stages", ())) < 2 or is_interleaved(plan):
        plan = read(home.plan(problem, "pp-1f1b"))
    files = {schedule: home.file(f"plan-{schedule}.json", with_schedule(plan, schedule)) for schedule in SCHEDULES}
    runs = {schedule: (job, file) for schedule, file in files.items()}
    compared = json.loads(home.hearth("plan", problem, "--compare", "--json"))["schedules"]
    runs |= {row["schedule"]: (job, home.file("plan-interleaved.json", row["plan"])) for row in compared
             if row["schedule"] == "interleaved"}
    runs[ASYNCHRONOUS] = home.job(MODEL, BATCH, ROUNDS, evaluate_every=0, mode="asynchronous"), files["1f1b"]
    runs[LOCAL] = home.job(MODEL, BATCH, ROUNDS, evaluate_every=0, local_steps={"every": EVERY}), None
    if traces:
        runs = {way: (*run, "--trace", f"{traces}-{way}.json") for way, run in runs.items()}
    return runs, shape(plan, names), len(plan["stages"])


def learned(options, way, stages, devices, known):
    """The mean of the seeds, in percent. All synchronous schedules are the same mathematics."""
    key = (way, stages) if way == ASYNCHRONOUS else (way, devices) if way == LOCAL else ("synchronous", 2)
    if key not in known:
        members = {ASYNCHRONOUS: {"mode": "asynchronous"}, LOCAL: {"local_steps": {"every": EVERY}}}.get(way, {})
        with tempfile.TemporaryDirectory() as folder:
            known[key] = statistics.mean(accuracy_of(options.programs, folder, key[1], seed, **members) for seed in SEEDS)
    return known[key]


def every_schedule(options):
    """Schedules in homes: the same stages in turns, and local steps; accuracy is of fashion-cnn on as many devices."""
    known = {}
    if options.traces:
        os.makedirs(options.traces, exist_ok=True)
    for title, file, changes in HOMES:
        with Home(options.programs, file, **changes) as home:
            traces = options.traces and os.path.join(os.path.realpath(options.traces), title.replace("/", " "))
            runs, stages, count = runs_of(home, traces)
            measured = in_turns(home, runs, options.repeats)
        print(f"\n  {title}: {stages}\n")
        print(f"| {title} | predicted, a batch | measured | off by | most memory: predicted | measured | accuracy after "
              f"{TRAINED} batches |")
        print("|---|---|---|---|---|---|---|")
        for way, each in sorted(measured.items(), key=lambda pair: pair[1].middle / (EVERY if pair[0] == LOCAL else 1)):
            batches = EVERY if way == LOCAL else 1
            run = each.runs[-1]
            said = run.plan["prediction"]["memory_bytes"]
            print(f"| {way} | {each.predicted / batches * 1e3:.0f} ms | {each.middle / batches * 1e3:.0f} ms | "
                  f"{(each.predicted / each.middle - 1) * 100:+.0f} % | {max(said.values()) / 1e6:.0f} MB | "
                  f"{max(run.memory.values()) / 1e6:.0f} MB | "
                  f"{learned(options, way, count, len(run.memory), known):.2f} % |", flush=True)
    return []
