"""How long recoveries took, by the kind of fault that caused them."""
PARTS = ("detect_s", "plan_s", "move_s", "rebuild_s", "replay_s", "seconds")
NOTICED = 0.05  # seconds that an event may take to get here


def recoveries_of(events, strikes):
    """(kind, recovered event, seconds from the strike to the first step under the new term).

    The cause is the last fault before the recovery began; faults during it make it "several", and a recovery without a
    fault since the one before is "after" it (a device that came back and was lost again).
    """
    found = []
    open_strikes = list(strikes)
    for event in (event for event in events if event["event"] == "recovered"):
        begun = event["at"] - event["seconds"] + NOTICED
        before = [strike for strike in open_strikes if strike[0] <= event["at"]]
        open_strikes = open_strikes[len(before):]
        if not before:
            found.append(("after", event, event["seconds"]))
            continue
        during = [strike for strike in before if strike[0] > begun]
        moment, fault = before[-1 - len(during)] if len(during) < len(before) else before[0]
        found.append((fault.kind if not during else "several", event, event["at"] - moment))
    return found


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table(found):
    """Lines: per kind how many, and p50/p95 of each part in seconds. "in all" is the program's own sum, "from fault" is
    what a clock beside it shows, from the fault to the first step under the new term."""
    kinds = {}
    for kind, event, seconds in found:
        kinds.setdefault(kind, []).append([event[part] for part in PARTS] + [seconds])
    names = [part.removesuffix("_s") for part in PARTS[:-1]] + ["in all", "from fault"]
    lines = [f"{'fault':<17} {'n':>4}  " + "  ".join(f"{name:>11}" for name in names)]
    for kind, rows in sorted(kinds.items()):
        cells = [f"{quantile(column, 0.5):.2f}/{quantile(column, 0.95):.2f}" for column in zip(*rows)]
        lines.append(f"{kind:<17} {len(rows):>4}  " + "  ".join(f"{cell:>11}" for cell in cells))
    return lines
