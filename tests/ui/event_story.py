"""What a run's events say, worked out with no code of the window's: see train_truth.py."""


class Pace:
    """A device is slow where it computes at half of its best for five rounds in a row, until it is at four fifths."""

    def __init__(self, before=1.0):
        self.rounds, self.best, self.before, self.under = 0, 0.0, before, 0


class Story:
    def __init__(self):
        self.state = self.state_before = ""
        self.t = self.state_t = self.began_t = 0.0
        self.job, self.names, self.order = {}, {}, []
        self.rounds, self.evaluations, self.ticks = [], [], []
        self.plan = self.plan_before_loss = None
        self.resting = {}
        self.stage, self.lost, self.fates, self.paces = {}, [], {}, {}
        self.evaluating, self.evaluation_s = None, 0.0
        self.best = None
        self.series, self.average, self.links, self.in_use, self.all_links = {}, {}, {}, {}, []
        self.term_of_links = None
        self.told, self.marks, self.kept_row = [], [], None
        self.copies = self.saves = 0
        self.kept = (0, 0, 0)

    # What the stream says ------------------------------------------------------------------------------------------
    def take(self, e):
        self.t = max(self.t, e["t"])
        self.names_of_event = [self.names.get(e.get("id"), "")]
        getattr(self, "take_" + e["event"], lambda _: None)(e)

    def tell(self, values=(), names=()):
        self.told.append([self.t, list(values), [n for n in names if n]])

    def done(self):
        return self.rounds[-1]["round"] if self.rounds else 0

    def take_run(self, e):
        self.job = e["job"]
        self.tell(names=[self.job["model"], self.job["data"]])

    def take_state(self, e):
        self.state_before, self.state = self.state, e["state"]
        self.state_t = self.began_t = self.t
        self.evaluating = None
        now = self.state
        if now == "training":
            if not self.rounds:
                self.tell()
            elif self.state_before == "paused":
                self.tell([self.done()])
        elif now in ("paused", "stopped"):
            self.tell([self.done()])
        elif now in ("profiling", "planning", "recovering", "waiting", "interrupted", "failed"):
            self.tell()
        if now in ("paused", "recovering", "waiting", "interrupted", "stopped", "failed"):
            self.marks.append(now)

    def take_device(self, e):
        if e["id"] not in self.names:
            self.order.append(e["id"])
        self.names[e["id"]] = e["name"]
        if e["state"] in ("ready", "leaving", "lost"):
            self.tell(names=[e["name"]])

    def take_plan(self, e):
        plan = e["plan"]
        for device, pace in self.paces.items():
            speed = self.speed(device)
            slow = self.fates.get(device) == "Slow" and pace.best > 0 and speed > 0
            self.paces[device] = Pace(speed / pace.best if slow else 1.0)
        self.plan, self.resting, self.plan_reason = plan, e.get("resting", {}), e["reason"]
        self.stage = {d: s for s, stage in enumerate(plan["stages"], 1) for d in stage["shares"]}
        for device, fate in list(self.fates.items()):
            if fate == "Back" and device in self.stage:
                del self.fates[device]
        self.average = {}
        self.copies = self.saves = 0
        self.kept, self.kept_row = (0, 0, 0), None
        values = [] if e["reason"] == "first" else [e["round"]]
        values += [len(plan["stages"]), len(self.stage)]
        if "prediction" in plan:
            values.append(plan["prediction"]["samples_per_s"])
        self.tell(values, [e.get("why", "")])
        self.marks.append("plan" if e["reason"] == "first" else "new plan")

    def take_round(self, e):
        self.undo(e["round"])
        term, speed = e["term"], e["samples_per_s"]
        smoothed = speed
        if self.rounds and self.rounds[-1]["term"] == term:
            smoothed = 1 / (0.8 / self.rounds[-1]["smoothed"] + 0.2 / speed)
        predicted = self.job["batch"] / e["predicted_round_s"] if e["predicted_round_s"] > 0 else None
        self.rounds.append({"round": e["round"], "term": term, "t": self.t, "speed": speed, "smoothed": smoothed,
                            "predicted": predicted, "loss": e["loss"]})
        self.began_t, self.evaluating = self.t, None
        for device, d in e["devices"].items():
            computing = d["compute_s"] + d["optimizer_s"]
            waiting = d["wait_forward_s"] + d["wait_backward_s"] + d.get("wait_allreduce_s", 0)
            sending = d["send_s"] + d["allreduce_s"]
            whole = computing + waiting + sending
            series = self.series.setdefault(device, {"computing": [], "waiting": [], "sending": [], "memory": []})
            if whole > 0:
                for kind, part in (("computing", computing), ("waiting", waiting), ("sending", sending)):
                    series[kind].append((self.t, 100 * part / whole))
            series["memory"].append((self.t, d["memory_bytes"] / 2**20))
            now = [computing, waiting, sending, d["compute_s"]]
            old = self.average.get(device)
            self.average[device] = now if old is None else [o + 0.2 * (n - o) for o, n in zip(old, now)]
            if self.fates.get(device) == "Does not answer":
                del self.fates[device]
            self.follow_pace(device)
        if term != self.term_of_links:
            self.in_use = {}
        self.term_of_links = term
        if e["round_s"] > 0:
            rates = dict.fromkeys(self.in_use, 0.0)
            for link in e["links"]:
                key = (link["from"], link["to"])
                rates[key] = rates.get(key, 0) + link["bytes"] / e["round_s"] / 1e6
            self.in_use = rates
            for key, rate in rates.items():
                self.links.setdefault(key, []).append((self.t, rate))
            self.all_links.append((self.t, sum(rates.values())))

    def undo(self, number):
        if self.done() < number:
            return
        while self.rounds and self.rounds[-1]["round"] >= number:
            self.rounds.pop()
        last = self.rounds[-1]["t"] if self.rounds else -1
        for points in [*(p for s in self.series.values() for p in s.values()), *self.links.values(), self.all_links]:
            points[:] = [p for p in points if p[0] <= last]
        self.evaluations = [v for v in self.evaluations if v["round"] < number]

    def speed(self, device):
        average = self.average.get(device)
        return 1 / average[3] if average and average[3] > 0 and device in self.stage else 0.0

    def follow_pace(self, device):
        pace, speed = self.paces.setdefault(device, Pace()), self.speed(device)
        if speed <= 0:
            return
        pace.rounds += 1
        if pace.rounds <= 4:
            return
        pace.best, pace.before = max(pace.best, speed / pace.before), 1.0
        pace.under = pace.under + 1 if speed < 0.5 * pace.best else 0
        if device not in self.fates and pace.under >= 5:
            self.fates[device] = "Slow"
        elif self.fates.get(device) == "Slow" and speed > 0.8 * pace.best:
            del self.fates[device]

    def take_evaluating(self, e):
        if e["done"] == 0:
            self.began_t = self.t
        self.evaluating = e["done"] / e["total"]

    def take_evaluation(self, e):
        took = self.t - self.began_t
        self.evaluation_s = took if self.evaluation_s == 0 else self.evaluation_s + 0.2 * (took - self.evaluation_s)
        self.began_t, self.evaluating = self.t, None
        self.evaluations = [v for v in self.evaluations if v["round"] != e["round"]]
        self.evaluations.append({"round": e["round"], "t": self.t, "accuracy": e["accuracy"], "loss": e["loss"]})
        self.tell(([e["round"]] if e["round"] > 0 else []) + [e["accuracy"]])

    def take_suspect(self, e):
        self.fates[e["id"]] = "Does not answer"
        self.tell([self.done() + 1], self.names_of_event)
        self.marks.append(self.names_of_event[0] + " silent")

    def gone(self, device, word):
        self.fates[device] = word
        self.average.pop(device, None)

    def take_lost(self, e):
        if not self.lost:
            self.plan_before_loss = self.plan
        self.lost.append(e["id"])
        self.gone(e["id"], "Lost")
        self.tell([e["round"]], self.names_of_event + [e["cause"]])
        self.marks.append(self.names_of_event[0] + " lost")

    def take_joined(self, e):
        self.fates[e["id"]] = "Back"
        self.tell([self.done()], self.names_of_event)
        self.marks.append(self.names_of_event[0] + " back")

    def take_left(self, e):
        self.gone(e["id"], "Left")
        self.tell([self.done()], self.names_of_event)
        self.marks.append(self.names_of_event[0] + " left")

    def owners(self, plan, layer):
        return [d for s in plan["stages"] if s["layers"][0] <= layer < s["layers"][1] for d in s["shares"]]

    def heirs(self):
        """Who has layers of lost devices that it had not before; where nobody is new, all of their owners."""
        found = set()
        if not self.plan_before_loss:
            return found
        layers = max(s["layers"][1] for s in self.plan_before_loss["stages"])
        for lost in self.lost:
            fresh, every = set(), set()
            for layer in range(layers):
                before = self.owners(self.plan_before_loss, layer)
                if lost in before:
                    now = set(self.owners(self.plan, layer)) - {lost}
                    every |= now
                    fresh |= now - set(before)
            found |= fresh or every
        return found

    def take_recovered(self, e):
        heirs = [self.names[d] for d in self.heirs()]
        names = ([self.names[d] for d in self.lost] + heirs) if heirs else []
        values = [e["seconds"]] + ([e["replayed_rounds"]] if e["replayed_rounds"] > 0 else [])
        values += [e["detect_s"], e["plan_s"]]
        if e["moved_bytes"] > 0 or e["method"] == "disk":
            values += [e["moved_bytes"], e["move_s"]]
        values += [e["rebuild_s"], e["replay_s"]]
        if e["method"] == "disk":
            values.append(e["from_version"])
        self.tell(values, names)
        self.marks.append("recovered")
        self.lost, self.plan_before_loss = [], None

    def keep(self, values):
        self.ticks.append((self.t, 0))
        if self.kept_row is None:
            self.kept_row = len(self.told)
            self.tell()
        self.told[self.kept_row][1] = values

    def take_replica(self, e):
        self.copies += 1
        self.newest_copy = max(e["version"], self.newest_copy if self.copies > 1 else 0)
        self.keep(self.kept_values())

    def take_checkpoint(self, e):
        self.saves += 1
        self.saved = (e["version"], e["bytes"])
        self.keep(self.kept_values())

    def kept_values(self):
        copies = [self.copies, self.newest_copy] if self.copies else []
        return copies + ([self.saves, *self.saved] if self.saves else [])

    def take_best(self, e):
        self.best = e["round"]
        self.tell([e["round"], e["loss"]])

    def take_warning(self, e):
        self.tell(names=[e["what"], e["cause"], e["advice"]])
        self.marks.append("warning")

    def take_error(self, e):
        self.tell(names=[e["what"]])
        self.marks.append("error")

    def take_finished(self, e):
        self.tell([e["rounds"], e["samples_per_s"]])

    def seconds_left(self):
        total, done = self.job["rounds"], self.done()
        every = self.job.get("evaluate_every", 0)
        evaluations = 0
        if every > 0:
            evaluations = sum(1 for r in range(done + 1, total + 1) if r % every == 0 or r == total)
            due = done % every == 0 or done == total
            evaluations += due and (not self.evaluations or self.evaluations[-1]["round"] < done)
        return (total - done) * self.job["batch"] / self.rounds[-1]["smoothed"] + evaluations * self.evaluation_s

    def live(self):
        return self.state not in ("finished", "stopped", "failed", "interrupted")
