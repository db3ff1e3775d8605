"""What the figures are made of: events in, numbers out. No processes, no clocks."""
import math
import statistics

PARTS = ("detect_s", "plan_s", "move_s", "rebuild_s", "replay_s")


def percentile(values, share):
    """The smallest value that at least that share of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(1, math.ceil(share * len(ordered) - 1e-9)) - 1]


def middle(values):
    return statistics.median(values) if values else math.nan


def of_kind(events, *kinds):
    return [each for each in events if each["event"] in kinds]


def roles(plan):
    """The part of each device in a plan: "member" of a group, else "first", "last" or "lone" between them."""
    found = {}
    for index, stage in enumerate(plan["stages"]):
        alone = "first" if index == 0 else "last" if index == len(plan["stages"]) - 1 else "lone"
        for device in stage["shares"]:
            found[device] = "member" if len(stage["shares"]) > 1 else alone
    return found


def third(phase):
    """Of a round, in words."""
    return ("early", "middle", "late")[min(2, int(phase * 3))]


def recovery(events, device, term):
    """What the events after a fault say about it, None while that is not all: `term` was in force when it happened.

    Times are the run's. "first" is when the first round under a newer term was done, "caught_up" when the round that
    was under way at the fault was; both follow `lost`.
    """
    lost = next((each for each in of_kind(events, "lost") if each["id"] == device), None)
    step = next((each for each in of_kind(events, "round") if each["term"] > term), None)
    told = next((each for each in of_kind(events, "recovered") if each["term"] > term), None)
    if not lost or not step or not told:
        return None
    caught_up = next((each for each in of_kind(events, "round") if each["term"] > term and each["round"] >= lost["round"]),
                     None)
    if not caught_up:
        return None
    return {"lost": lost["t"], "cause": lost["cause"], "first": step["t"], "caught_up": caught_up["t"],
            "terms": step["term"] - term, "method": told["method"], "moved_bytes": told["moved_bytes"],
            "replayed_rounds": told["replayed_rounds"], "told_s": told["seconds"], **{part: told[part] for part in PARTS}}


def others_lost(events, device):
    return [each["id"] for each in of_kind(events, "lost") if each["id"] != device]


def throughput(events, batch, begin, end):
    """Samples per second of the rounds that were done between two times of the run; None where there are too few."""
    done = [each["t"] for each in of_kind(events, "round") if begin <= each["t"] <= end]
    return batch * (len(done) - 1) / (done[-1] - done[0]) if len(done) > 2 else None


def copy_windows(events):
    """For every version that was copied, the rounds during which it may have been on its way: from the one after it to
    the one that was under way when its last copy was whole, or its checkpoint on the disk."""
    windows, done = {}, 0
    for each in of_kind(events, "round", "replica", "checkpoint"):
        if each["event"] == "round":
            done = each["round"]
        else:
            windows[each["version"]] = (each["version"], max(each["version"], done) + 1)
    return list(windows.values())


def copying(events, skip=0):
    """Of every version that was copied: the seconds of the longest round meanwhile, and of the longest of as many rounds
    in a row without copies, in the middle of all such rows (of many rounds the longest is longer than of few). The first
    `skip` rounds do not count, nor does a version for which there are too few rounds without."""
    seconds = {each["round"]: each["round_s"] for each in of_kind(events, "round") if each["round"] > skip}
    windows = [window for window in copy_windows(events) if window[0] > skip and window[1] in seconds]
    busy = {number for first, last in windows for number in range(first, last + 1)}
    quiet = [seconds[number] for number in sorted(seconds) if number not in busy]
    pairs = []
    for first, last in windows:
        meanwhile = [seconds[number] for number in range(first, last + 1) if number in seconds]
        rows = range(len(quiet) - len(meanwhile) + 1)
        if rows:
            pairs.append((max(meanwhile), middle([max(quiet[at:at + len(meanwhile)]) for at in rows])))
    return pairs


def copying_share(events, cpu):
    """What copies and checkpoints add to the processor time of a run, as a part of all of it. `cpu`: round to its seconds.
    Each window of copies is compared with as many rounds before it and after it, for machines have good and bad minutes."""
    windows = [window for window in copy_windows(events) if window[0] in cpu and window[1] in cpu]
    busy = {number for first, last in windows for number in range(first, last + 1)}
    extra = 0
    for first, last in windows:
        length = last - first + 1
        near = [cpu[number] for number in range(first - length, last + length + 1) if number in cpu and number not in busy]
        if not near:
            return None
        extra += sum(cpu[number] for number in range(first, last + 1)) - length * sum(near) / len(near)
    return extra / sum(cpu.values()) if windows else None


def table(head, rows):
    """Markdown; every cell is text."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def recovery_rows(faults, label):
    """A row per kind of fault: count, p50 and p95 of the whole, medians of its parts."""
    rows = []
    for name in dict.fromkeys(label(each) for each in faults):
        some = [each for each in faults if label(each) == name]
        whole = [each["wall_s"] for each in some if each["wall_s"] is not None]
        if not whole:
            rows.append([name, f"0 of {len(some)}", *["-"] * 11])
            continue
        some = [each for each in some if each["wall_s"] is not None]
        rows.append([name, str(len(whole)), f"{middle(whole):.2f}", f"{percentile(whole, 0.95):.2f}",
                     f"{max(whole):.2f}", f"{middle([each['known_s'] for each in some]):.2f}",
                     *[f"{middle([each[part] for each in some]):.2f}" for part in PARTS],
                     f"{middle([each['caught_up_s'] for each in some]):.2f}",
                     f"{middle([each['replayed_rounds'] for each in some]):g}"])
    return rows


RECOVERY_HEAD = ["fault", "n", "p50 s", "p95 s", "longest", "known", "detect", "plan", "move", "rebuild", "replay",
                 "caught up", "repeated"]
