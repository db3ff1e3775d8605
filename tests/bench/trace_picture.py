#!/usr/bin/env python3
"""Draws one round of a trace as a picture: measured above, predicted by the plan below, on one scale.

    trace_picture.py TRACE [--round N] [--output FILE.svg]

TRACE is what `hearth demo --trace TRACE` or `hearth train --trace TRACE` wrote, finished or cut short. Without --round
it is the round of median length, the first one left out: it warms up.
"""
import argparse
import json
import sys
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, LANE, GAP = 1000, 132, 12, 22, 4
COLORS = {
    "forward": "#4c8bf5", "backward": "#f59e3c", "weight gradients": "#e8c15a", "send": "#9a6fd0",
    "allreduce": "#c2569b", "optimizer": "#d9534f", "wait forward": "#eeeeee", "wait backward": "#e2e2e2",
    "wait allreduce": "#d6d6d6",
    "evaluation": "#8a8a8a", "activation": "#a9c7fa", "gradient": "#fbd3a2", "transfer": "#c9c9e6",
}
NUMBERED = ("forward", "backward", "activation", "gradient", "transfer")
PREDICTED = "plan (predicted)"


def read_events(path):
    with open(path, encoding="utf-8") as file:
        text = file.read().rstrip()
    if text.endswith("]"):
        return json.loads(text)
    try:
        return json.loads(text + "]")  # cut short between two events
    except json.JSONDecodeError:
        return json.loads(text[: text.rindex(",\n")] + "]")  # or in the middle of one


class Trace:
    def __init__(self, events):
        self.processes, self.tracks, self.rank = {}, {}, {}
        for event in events:
            if event["ph"] != "M":
                continue
            pid, tid, args = event["pid"], event["tid"], event["args"]
            if event["name"] == "process_name":
                self.processes[pid] = args["name"]
            elif event["name"] == "process_sort_index":
                self.rank[pid] = args["sort_index"]
            elif event["name"] == "thread_name":
                self.tracks[pid, tid] = args["name"]
        self.bars = [event for event in events if event["ph"] == "X"]
        for bar in self.bars:  # by one word where the plan has another
            bar["cat"] = {"update": "optimizer", "weights": "weight gradients"}.get(bar["cat"], bar["cat"])

    def rounds(self):
        return [bar for bar in self.bars if bar["cat"] == "round"]

    def lanes(self, wanted):
        """(name, bars) of every track that `wanted` says yes to, in the order of the viewer."""
        found = {}
        for bar in self.bars:
            if wanted(self.processes[bar["pid"]], bar):
                found.setdefault((self.rank[bar["pid"]], bar["pid"], bar["tid"]), []).append(bar)
        for _, pid, tid in sorted(found):
            process, track = self.processes[pid], self.tracks[pid, tid]
            yield (process if track == "compute" else track), found[_, pid, tid]


def choose_round(trace, number):
    rounds = trace.rounds()
    if not rounds:
        sys.exit("This trace has no round.")
    if number is not None:
        chosen = [bar for bar in rounds if bar["name"] == f"round {number}"]
        return chosen[0] if chosen else sys.exit(f"This trace has no round {number}.")
    warm = rounds[1:] or rounds
    return sorted(warm, key=lambda bar: bar["dur"])[len(warm) // 2]


def panel(out, title, lanes, top, origin, scale, end):
    """Draws lanes from `top` down; times are microseconds, `scale` is pixels for one. Returns where it ends."""
    out.append(f'<text x="8" y="{top + 14}" font-weight="bold">{escape(title)}</text>')
    top += 22
    for name, bars in lanes:
        out.append(f'<text x="{LEFT - 8}" y="{top + 15}" text-anchor="end">{escape(name)}</text>')
        out.append(f'<rect x="{LEFT}" y="{top}" width="{WIDTH - LEFT - RIGHT}" height="{LANE}" fill="#fafafa"/>')
        for bar in sorted(bars, key=lambda each: each["ts"]):
            start, stop = max(bar["ts"] - origin, 0), min(bar["ts"] + bar["dur"] - origin, end)
            width = (stop - start) * scale
            if width <= 0:
                continue
            x = LEFT + start * scale
            out.append(f'<rect x="{x:.1f}" y="{top}" width="{max(width, 0.6):.1f}" height="{LANE}" '
                       f'fill="{COLORS.get(bar["cat"], "#999999")}"><title>{escape(bar["name"])}</title></rect>')
            number = bar["name"].rpartition(" ")[2]
            if bar["cat"] in NUMBERED and width > 4 + 7 * len(number):
                out.append(f'<text x="{x + width / 2:.1f}" y="{top + 15}" text-anchor="middle">{number}</text>')
        top += LANE + GAP
    return top


def axis(out, top, scale, end):
    step = next(s for s in (10 ** p * f for p in range(8) for f in (1, 2, 5)) if end / s <= 12)
    for i in range(int(end / step) + 1):
        x = LEFT + i * step * scale
        out.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{top + 5}" stroke="#555"/>')
        out.append(f'<text x="{x:.1f}" y="{top + 18}" text-anchor="middle">{i * step / 1000:g} ms</text>')
    return top + 28


def legend(out, top, used):
    x = LEFT
    for name in (name for name in COLORS if name in used):
        if x + 16 + 7 * len(name) > WIDTH:
            x, top = LEFT, top + 18
        out.append(f'<rect x="{x}" y="{top}" width="12" height="12" fill="{COLORS[name]}" stroke="#999"/>')
        out.append(f'<text x="{x + 16}" y="{top + 10}">{name}</text>')
        x += 34 + 7 * len(name)
    return top + 20


def draw(trace, number):
    chosen = choose_round(trace, number)
    wanted = int(chosen["name"].split()[1])
    begin, length = chosen["ts"], chosen["dur"]
    members = {pid for pid, name in trace.processes.items() if name not in ("coordinator", "links", PREDICTED)}
    measured = list(trace.lanes(lambda process, bar: bar["ts"] < begin + length and bar["ts"] + bar["dur"] > begin
                                and (bar["pid"] in members or process == "links"
                                     and bar["cat"] in ("activation", "gradient", "allreduce"))))
    order = {name: place for place, (name, _) in enumerate(measured)}
    predicted = sorted(trace.lanes(lambda process, bar: process == PREDICTED), key=lambda lane: order.get(lane[0], 99))
    foreseen = [bar for _, bars in predicted for bar in bars]
    zero = trace.rounds()[0]["ts"]
    end = max([length] + [bar["ts"] + bar["dur"] - zero for bar in foreseen])
    scale = (WIDTH - LEFT - RIGHT) / end
    out = []
    top = panel(out, f"Measured: round {wanted}, {length / 1000:.1f} ms", measured, 8, begin, scale, length)
    if foreseen:
        last = max(bar["ts"] + bar["dur"] for bar in foreseen) - zero
        top = panel(out, f"Predicted by the plan: {last / 1000:.1f} ms", predicted, top + 8, zero, scale, end)
    top = axis(out, top + 2, scale, end)
    top = legend(out, top, {bar["cat"] for _, bars in measured + predicted for bar in bars})
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top + 6}" '
            f'viewBox="0 0 {WIDTH} {top + 6}" font-family="sans-serif" font-size="12" fill="#222">\n'
            f'<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(out) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace")
    parser.add_argument("--round", type=int)
    parser.add_argument("--output")
    options = parser.parse_args()
    picture = draw(Trace(read_events(options.trace)), options.round)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(picture)
    else:
        sys.stdout.write(picture)


if __name__ == "__main__":
    main()
