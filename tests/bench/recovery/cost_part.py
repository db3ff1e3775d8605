"""What copies of states cost a run in which nothing happens."""
import figures
from home import Home, shape
from live import Devices, LiveRun
from report import judged, spread

BATCH = 64
ENDLESS = 1_000_000  # rounds
WARM = 10  # rounds: the first copies, caches
MODES = {"on": (), "off": ("--replication", "off")}


def measure(home, devices, job, plan, words, rounds):
    with LiveRun(home, devices, job, "--plan", plan, "--keep-plan", *words) as run:
        run.until(run.rounds, 240, "no round was done")
        run.rounds_done(WARM)
        begin, done = devices.cpu_seconds(), len(run.rounds())
        run.rounds_done(rounds, 600)
        cpu = (devices.cpu_seconds() - begin) / (len(run.rounds()) - done)
        seconds = [each["round_s"] for each in run.rounds()[done:]]
        with_copies, without = figures.copying(run.events, done)
        result = {"cpu_s": cpu, "median_s": figures.middle(seconds), "longest_s": max(seconds), "rounds": len(seconds),
                  "versions": len(figures.copy_windows(run.events)), "with_copies_s": with_copies, "without_s": without}
    devices.restart()
    return result


def cost(options):
    """Cost of copies: MobileNetV2 on five equal devices by one plan, with copies at default intervals and without"""
    runs = {mode: [] for mode in MODES}
    options.results["cost"] = runs
    with Home(options.programs, "a.json") as home:
        devices = Devices(home)
        job = home.job("mobilenetv2", BATCH, ENDLESS, evaluate_every=0)
        problem, names = home.problem(job)
        plan = home.plan(problem, "hearth")
        for turn in range(options.pairs):
            for mode in MODES if turn % 2 == 0 else reversed(MODES):
                each = measure(home, devices, job, plan, MODES[mode], options.rounds)
                runs[mode].append(each)
                print(f"    copies {mode}: {each['cpu_s'] * 1e3:.1f} ms of processor time a round, {each['median_s'] * 1e3:.0f}"
                      f" ms a round, longest {each['longest_s'] / each['median_s']:.2f} of that, {each['versions']} versions"
                      " copied", flush=True)
    return summary(options, runs)


def summary(options, runs):
    cpu = {mode: [each["cpu_s"] * 1e3 for each in some] for mode, some in runs.items()}
    longest = {mode: [each["longest_s"] / each["median_s"] for each in some] for mode, some in runs.items()}
    usual = {mode: [each["median_s"] * 1e3 for each in some] for mode, some in runs.items()}
    options.show("\n" + figures.table(
        ["copies", "processor ms a round (least to most)", "round ms", "longest round, of the median one"],
        [[mode, spread(cpu[mode], digits=1), spread(usual[mode]), spread(longest[mode], digits=2)] for mode in MODES]))
    share = figures.middle([one / other for one, other in zip(cpu["on"], cpu["off"])]) - 1
    missed = judged("processor time for copies, per cent", 100 * share, 2, most=True)
    # Rounds differ also without copies, so those with copies are compared with others of the same run.
    with_copies = [value for each in runs["on"] for value in each["with_copies_s"]]
    without = [value for each in runs["on"] for value in each["without_s"]]
    if with_copies and without:
        print(f"    longest round while copies travel {spread([1e3 * each for each in with_copies])} ms, of as many rounds "
              f"without {spread([1e3 * each for each in without])} ms")
        missed += judged("longest round with copies, of one without", figures.middle(with_copies) / figures.middle(without),
                         1.1, most=True)
    else:
        missed.append("cost: no version was copied, or none was not")
    return missed + judged("longest round of all, of the median one", figures.middle(longest["on"]), 1.1, most=True)
