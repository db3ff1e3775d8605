"""The parts of the table. Each prints its rows as they come and returns what fell short of its target."""
import statistics
import subprocess

from asynchronous import asynchronous
from every_schedule import every_schedule
from families import families
from home import Home, read, shape
from local_steps import local_steps
from loops import Loops, best_workers
from memory import memory
from report import judged, spread
from schedules import zero_bubble
from slow_links import slow_links
from start import start
from texts import texts
from turns import in_turns, tell
from variants import chain, layer_seconds, variant


def one_device(options):
    """The worker against LibTorch loops, pinned to one core."""
    missed = []
    for batch, steps in ((128, 4), (16, 32)):
        words = ["taskset", "-c", "0", f"{options.programs}/bench/one_device", "--batch", str(batch), "--steps", str(steps),
                 "--repeats", str(options.repeats)]
        done = subprocess.run(words, capture_output=True, text=True)
        print("  " + done.stdout.rstrip().replace("\n", "\n  "), flush=True)
        if done.returncode != 0:
            missed.append(f"one device, batch {batch}")
    return missed


LEARNED = 3  # times as many rounds as a run has: enough for three looks of half a second each
TWO = (  # model, batch, links, rounds of a run, steps of a loop, at least this much of two workers alone
    ("mobilenetv2", 128, "100mbit", 18, 4, 0.56),
    ("mobilenetv2", 512, "100mbit", 8, 4, 0.72),
    ("mobilenetv2", 128, "1gbit", 18, 4, 0.62),
    ("mobilenetv2-cifar", 128, "100mbit", 6, 1, 0.75),
    ("bert-small:dropout=0", 256, "100mbit", 6, 1, 0.6),
)


def two_devices(options):
    """Two devices of one core and one thread each, against the same two training alone. Plans are those of a home that has
    trained the network before: rounds have told how long its devices take, with all that they do beside it."""
    missed = []
    for model, batch, link, rounds, steps, of_workers in TWO:
        with Home(options.programs, "two-cores.json", link=link) as home:
            print(f"  {model}, batch {batch}, {link}", flush=True)
            are_texts = model.startswith("bert")
            data = {"data": texts(home.folder.name, 30522, {"tokens": 32, "mask": 32}, 0), "input": None} if are_texts else {}
            job = home.job(model, batch, rounds, **data)
            home.train(home.job(model, batch, LEARNED * rounds, **data))
            problem, names = home.problem(job)
            plan = home.plan(problem, "hearth")
            alone = min(batch, 128)  # two machines that train alone share nothing, so that the batch is theirs to choose
            workers = best_workers(home, model, alone, steps)
            plain = None if are_texts else Loops(home, home.devices, "plain", model, alone, alone, steps)
            hearth, free, loops = [], [], []
            for _ in range(options.repeats):
                run = home.train(job, plan)
                hearth.append(batch / run.seconds)
                free.append(workers.rate())
                if plain:
                    loops.append(plain.rate())
            workers.close()
            if plain:
                plain.close()
            print(f"    {shape(run.plan, names)}")
            print(f"    round predicted {run.predicted * 1e3:.1f} ms, measured {batch / statistics.median(hearth) * 1e3:.1f} ms")
            print(f"    samples/s: Hearth {spread(hearth)}, two workers alone {spread(free)} (in pieces of "
                  f"{workers.micro_batch})" + (f", two plain loops {spread(loops)}" if plain else ""))
            name = f"{model} {batch} {link}"
            missed += judged(f"{name}: of two workers alone", statistics.median(hearth) / statistics.median(free), of_workers)
            if plain:
                missed += judged(f"{name}: of two plain loops", statistics.median(hearth) / statistics.median(loops), 1.0)
    return missed


def environment_b(options):
    """Five devices by quota: the planner's plan and those of others, all run."""
    missed = []
    planners = ("hearth", "asteroid", "single", "dp", "pp-1f1b")
    with Home(options.programs, "b.json") as home:
        job = home.job("mobilenetv2", 128, 8)
        problem, names = home.problem(job)
        plans = {planner: home.plan(problem, planner) for planner in planners}
        measured = in_turns(home, {planner: (job, plan) for planner, plan in plans.items() if plan}, options.repeats)
        tell(measured, lambda planner: f": {shape(read(plans[planner]), names)}")
        for planner in planners:
            if planner in measured:
                missed += measured[planner].prediction_judged(planner, 1 / 1.15)
            else:
                print(f"    {planner:<9} has no plan here")
        predicted = {planner: each.predicted for planner, each in measured.items()}
        middle = {planner: each.middle for planner, each in measured.items()}
        for planner in ("single", "dp", "pp-1f1b"):
            if planner in middle:
                missed += judged(f"hearth against {planner}", middle[planner] / middle["hearth"], 1.0)
        same = sorted(middle, key=predicted.get) == sorted(middle, key=middle.get)
        print(f"    order: predicted {' < '.join(sorted(middle, key=predicted.get))}; measured "
              f"{' < '.join(sorted(middle, key=middle.get))}")
        if not same:
            missed.append("environment B: another order than predicted")
    return missed


def equal_split(problem, plan):
    """Stages of equal work, one device each, in the home's order: what a planner does that takes devices for equal."""
    devices = [each["id"] for each in problem["devices"]]
    micro_batch = plan["batch"] // 4  # a single micro-batch would let stages wait for each other all the time
    work = layer_seconds(problem, micro_batch)
    borders, done = [0], 0
    for l, seconds in enumerate(work):
        done += seconds
        if len(borders) < len(devices) and done >= sum(work) * len(borders) / len(devices):
            borders.append(l + 1)
    borders.append(len(work))
    return variant(plan, "equal-split", micro_batch=micro_batch, schedule="1f1b", stages=chain(borders, devices, micro_batch))


def one_to_ten(options):
    """One device ten times as fast as another: FTPipeHD's method (asynchronous, dynamic partition) and Hearth's best, each
    against an equal split (FTPipeHD publishes 6.8)."""
    for file in ("one-to-ten.json", "one-to-ten-three.json"):
        with Home(options.programs, file) as home:
            runs, shapes = {}, {}
            for mode, planners in (("synchronous", ("hearth",)), ("asynchronous", ("ftpipehd", "hearth"))):
                job = home.job("mobilenetv2", 128, 6, evaluate_every=0, mode=mode)
                path, names = home.problem(job)
                plans = {planner: read(home.plan(path, planner)) for planner in planners}
                plans["equal split"] = equal_split(read(path), plans["hearth"])
                for planner, plan in plans.items():
                    name = f"{planner}, {mode}"
                    runs[name], shapes[name] = (job, home.file(f"plan-{name}.json", plan)), shape(plan, names)
            measured = in_turns(home, runs, min(3, options.repeats))
        print(f"    {len(home.devices)} devices", flush=True)
        tell(measured, lambda name: f": {shapes[name]}")
        for name, mode in (("ftpipehd, asynchronous", "asynchronous"), ("hearth, asynchronous", "asynchronous"),
                           ("hearth, synchronous", "synchronous")):
            faster = measured[f"equal split, {mode}"].middle / measured[name].middle
            print(f"    {name}: {faster:.1f} times as fast as an equal split (FTPipeHD: 6.8)", flush=True)
    return []


def tls(options):
    """A mutual-TLS tensor stream between two processes, against socat OPENSSL."""
    done = subprocess.run([f"{options.programs}/bench/tls_stream", "600"], capture_output=True, text=True)
    print("    " + done.stdout.rstrip().replace("\n", "\n    "), flush=True)
    return [] if done.returncode == 0 else ["TLS stream"]


ALL = {"one": one_device, "two": two_devices, "b": environment_b, "ten": one_to_ten, "tls": tls, "memory": memory,
       "start": start, "families": families, "slow-links": slow_links, "local": local_steps,
       "asynchronous": asynchronous, "zero-bubble": zero_bubble, "schedules": every_schedule}
