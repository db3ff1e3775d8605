"""What copies of states cost a run in which nothing happens."""
import figures
from home import Home
from live import Devices, LiveRun
from report import judged, spread

BATCH = 64
ENDLESS = 1_000_000  # rounds
WARM = 10  # rounds: the first copies, caches


def measure(home, devices, job, plan, rounds):
    with LiveRun(home, devices, job, "--plan", plan, "--keep-plan") as run:
        run.until(run.rounds, 240, "no round was done")
        run.rounds_done(WARM)
        cpu, seen = {}, [run.rounds()[-1]["round"], devices.cpu_seconds()]

        def enough():
            last = run.rounds()[-1]["round"]
            if last > seen[0]:
                now = devices.cpu_seconds()
                # Several at once share what they took.
                cpu.update({number: (now - seen[1]) / (last - seen[0]) for number in range(seen[0] + 1, last + 1)})
                seen[:] = last, now
            return len(cpu) >= rounds

        begin = seen[0]
        run.until(enough, 900, f"no {rounds} rounds were done")
        seconds = [each["round_s"] for each in run.rounds() if each["round"] > begin]
        copying = figures.copying(run.events, begin)
        result = {"share": figures.copying_share(run.events, cpu), "cpu_s": sum(cpu.values()) / len(cpu),
                  "median_s": figures.middle(seconds), "longest_s": max(seconds), "rounds": len(seconds),
                  "versions": len(copying), "longest_s_with_and_without": copying}
    devices.restart()
    return result


def cost(options):
    """Cost of copies and checkpoints at default intervals: MobileNetV2 on five equal devices by one plan"""
    runs = options.results["cost"] = []
    with Home(options.programs, "a.json") as home:
        devices = Devices(home)
        job = home.job("mobilenetv2", BATCH, ENDLESS, evaluate_every=0)
        problem, _ = home.problem(job)
        plan = home.plan(problem, "hearth")
        for _ in range(options.repeats):
            each = measure(home, devices, job, plan, options.rounds)
            runs.append(each)
            share = "nothing" if each["share"] is None else f"{100 * each['share']:.2f} % of it"
            print(f"    {each['cpu_s'] * 1e3:.1f} ms of processor time a round, {share} for {each['versions']} versions; "
                  f"{each['median_s'] * 1e3:.0f} ms a round", flush=True)
    return summary(options, runs)


def summary(options, runs):
    pairs = [pair for each in runs for pair in each["longest_s_with_and_without"]]
    shares = [each["share"] for each in runs if each["share"] is not None]
    if not pairs or not shares:
        return ["cost: no version was copied, or too few rounds were without"]
    options.show("\n" + figures.table(
        ["", "least to most"],
        [["processor time for copies, per cent", spread([100 * each for each in shares], digits=2)],
         ["longest round while copies travel, ms", spread([1e3 * each for each, _ in pairs])],
         ["longest of as many rounds without, ms", spread([1e3 * each for _, each in pairs])],
         ["a round, ms", spread([1e3 * each["median_s"] for each in runs])]]))
    missed = judged("processor time for copies, per cent", 100 * figures.middle(shares), 2, most=True)
    # Rounds differ also without copies, so those with copies are compared with others of the same run.
    return missed + judged("longest round with copies, of one without",
                           figures.middle([each / without for each, without in pairs]), 1.1, most=True)
