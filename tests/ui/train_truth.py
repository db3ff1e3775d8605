"""Train shows what events.jsonl says: tiles, plots, splits, sentences and the cursor, each number worked out anew.

    train_truth.py HEARTH-TRAIN-SHOWS EVENTS.jsonl

Shares no code with the window. Numbers are compared as they are read: what is shown may differ from what is true by
its last digit, whatever unit and form it is written in.
"""
import json
import math
import re
import subprocess
import sys

from event_story import Story

NUMBER = re.compile(r"(-?\d[\d,]*(?:\.\d+)?)")
UNITS = {"µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400, "%": 0.01, "B": 1, "KiB": 2**10,
         "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9}
QUANTITY = re.compile(NUMBER.pattern + r" ?(samples/s|[kMG]?B/s|[KMGT]iB|min|ms|µs|%|B\b|s\b|h\b|d\b)?")


def quantities(text):
    """Values with what they may be wrong by; "1 min 5 s" is one."""
    found, end, unit_before = [], -1, None
    for match in QUANTITY.finditer(text):
        digits, unit = match.group(1), match.group(2)
        scale = UNITS.get(unit, 1)
        value = float(digits.replace(",", "")) * scale
        slack = scale * 10.0 ** -(len(digits.partition(".")[2])) * 0.5000001
        joins = unit_before in ("min", "h", "d") and unit in ("s", "min", "h") and text[end:match.start()] == " "
        if text[:match.start()].endswith("under "):
            value, slack = value / 2, value / 2
        if joins:
            value, slack = found[-1][0] + value, slack
            found.pop()
        found.append((value, slack))
        end, unit_before = match.end(), unit
    return found


class Wrong(Exception):
    pass


def must_say(text, values, what, names=()):
    """`text` holds these names, and these numbers in this order and no others."""
    for name in names:
        if name not in text:
            raise Wrong(f"{what}: “{text}” lacks “{name}”")
        text = text.replace(name, "…", 1)
    shown = quantities(text)
    if len(shown) != len(values) or any(abs(a - b) > slack + 1e-9 * abs(b) for (a, slack), b in zip(shown, values)):
        raise Wrong(f"{what}: “{text}” holds {[v for v, _ in shown]}, and should {values}")


class Page(Story):
    """What the page must show then."""

    def check_figures(self, shown):
        for name, (value, note) in shown["figures"].items():
            if name == "figureAccuracy":
                newest = self.evaluations[-1] if self.evaluations else None
                must_say(value, [newest["accuracy"]] if newest else [], name)
                after = [newest["round"]] if newest and newest["round"] > 0 else []
                if newest and self.best is not None and self.best < newest["round"]:
                    after.append(self.best)
                must_say(note, [self.evaluating] if self.evaluating is not None else after, name + "'s note")
                continue
            if not self.rounds:
                must_say(value + note, [], name)
                continue
            last, first = self.rounds[-1], self.rounds[0]
            left = self.seconds_left() if self.live() else 0
            truth = {"figureRound": ([last["round"]], [self.job["rounds"]]),
                     "figureSpeed": ([last["smoothed"]], [last["predicted"]] if last["predicted"] else []),
                     "figureLoss": ([last["loss"]], [first["loss"]]),
                     "figureTimeLeft": ([left] if self.live() or self.state == "finished" else [], [self.t])}[name]
            must_say(value, truth[0], name)
            must_say(note, truth[1], name + "'s note")

    def check_state(self, shown):
        word = {"profiling": "Measuring"}.get(self.state, self.state.capitalize())
        for where in ("status", "subtitle"):
            if word not in shown[where]:
                raise Wrong(f"{where}: “{shown[where]}” lacks “{word}”")
        must_say(shown["status"], [self.done(), self.job["rounds"]] if self.rounds else [], "status line")

    def check_tiles(self, shown):
        if set(shown["tiles"]) != {self.names[d] for d in self.order}:
            raise Wrong(f"tiles: {sorted(shown['tiles'])}")
        for device in self.order:
            word, chip = shown["tiles"][self.names[device]]
            fate, works = self.fates.get(device), device in self.stage
            if word.startswith("Measuring"):
                continue  # while it is
            if not self.live() and self.rounds and device not in self.series and not fate:
                expected, values = "Had no work", []
            elif fate in (None, "Slow") and self.live() and self.plan and not works:
                longer = self.resting.get(device)
                expected = "Resting: a plan with it" if longer is not None and longer > -0.005 else "Resting: "
                values = [longer] if longer is not None and longer >= 0.005 else []
            elif fate in (None, "Slow") and self.live() and self.plan and self.state == "paused":
                expected, values = "Paused", []
            else:
                expected, values = fate or "In this run", []
            if not word.startswith(expected):
                raise Wrong(f"tile of {self.names[device]}: “{word}” is not “{expected}”")
            must_say(word, values, f"tile of {self.names[device]}")
            if fate not in ("Lost", "Left"):
                must_say(chip, [self.stage[device]] if works else [], f"chip of {self.names[device]}")

    def check_split(self, shown):
        if set(shown["split"]) != {self.names[d] for d in self.stage}:
            raise Wrong(f"times of devices: {sorted(shown['split'])}")
        for device in self.stage:
            share, tip = shown["split"][self.names[device]]
            average = self.average.get(device)
            whole = sum(average[:3]) if average else 0
            must_say(share, [average[0] / whole] if whole > 0 else [], f"share of {self.names[device]}")
            if whole > 0:
                must_say(tip, average[:3], f"times of {self.names[device]}")

    def check_sentences(self, shown):
        if len(shown["sentences"]) != len(self.told):
            raise Wrong(f"{len(shown['sentences'])} sentences for {len(self.told)}: {shown['sentences'][-1]}")
        for (t, text), (told_t, values, names) in zip(shown["sentences"], self.told):
            if t != told_t:
                raise Wrong(f"“{text}” stands at {t} s, and happened at {told_t} s")
            must_say(text, values, f"sentence at {t} s", names)
        if shown["marks"] != self.marks:
            raise Wrong(f"marks: {shown['marks']} for {self.marks}")

    def check_plots(self, plots):
        def same(name, shown, told):
            close = len(shown) == len(told) and all(
                math.isclose(a, c, rel_tol=1e-9, abs_tol=1e-9) and math.isclose(b, d, rel_tol=1e-6, abs_tol=1e-9)
                for (a, b), (c, d) in zip(shown, told))
            if not close:
                raise Wrong(f"{name}: {len(shown)} points for {len(told)}, or others")

        def all_same(plot, told):
            shown = dict(plots[plot])
            if set(shown) != set(told):
                raise Wrong(f"{plot}: {sorted(shown)} for {sorted(told)}")
            for name in told:
                same(f"{plot}, {name}", shown[name], told[name])

        def of(key):
            return [(r["t"], r[key]) for r in self.rounds if r[key] is not None]
        for (_, shown), told in zip(plots["throughputPlot"],
                                    (of("speed"), of("smoothed"), of("predicted"), self.ticks)):
            same("throughputPlot", shown, told)
        (_, loss), _, (_, evaluated), (_, accuracy), (_, best_loss), (_, best_accuracy) = plots["lossPlot"]
        same("loss", loss, of("loss"))
        same("evaluated loss", evaluated, [(v["t"], v["loss"]) for v in self.evaluations])
        same("accuracy", accuracy, [(v["t"], 100 * v["accuracy"]) for v in self.evaluations])
        kept = [v for v in self.evaluations if v["round"] == self.best]
        same("best loss", best_loss, [(v["t"], v["loss"]) for v in kept])
        same("best accuracy", best_accuracy, [(v["t"], 100 * v["accuracy"]) for v in kept])
        for kind in ("computing", "waiting", "sending", "memory"):
            all_same(kind + "Plot", {self.names[d]: s[kind] for d, s in self.series.items()})
        traffic = {f"{self.names[a]} to {self.names[b]}": p for (a, b), p in self.links.items()}
        all_same("trafficPlot", {**traffic, "all links": self.all_links} if traffic else {})

    def check_cursor(self, cursor):
        for t, lines in cursor:
            rates = {key: dict(points).get(t) for key, points in self.links.items()}
            for line in lines[1:]:
                if line.startswith("all links"):
                    must_say(line, [1e6 * dict(self.all_links)[t]], f"cursor at {t} s")
                for (a, b), rate in rates.items():
                    name = f"{self.names[a]} to {self.names[b]}"
                    if line.startswith(name) and rate is not None:
                        must_say(line, [1e6 * rate], f"cursor at {t} s", [name])

    def check(self, shown):
        for part in (self.check_figures, self.check_state, self.check_tiles, self.check_split, self.check_sentences):
            part(shown)
        if "plots" in shown:
            self.check_plots(shown["plots"])
        if "cursor" in shown:
            self.check_cursor(shown["cursor"])


def main(program, file):
    with open(file, encoding="utf-8") as lines:
        events = [json.loads(line) for line in lines]
    run = subprocess.run([program, file], stdout=subprocess.PIPE, check=True)
    story, at, wrong = Page(), 0, []
    moments = [json.loads(line) for line in run.stdout.decode().splitlines()]
    for shown in moments:
        while at < len(events) and events[at]["seq"] <= shown["seq"]:
            story.take(events[at])
            at += 1
        try:
            story.check(shown)
        except Wrong as error:
            wrong.append(f"after event {shown['seq']}: {error}")
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    if at < len(events) or len(moments) < 15:
        wrong.append("too little was shown")
    print(f"{len(moments)} moments of {len(events)} events, {len(wrong)} of them wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
