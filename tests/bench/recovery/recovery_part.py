"""How long a home of five stands still when it loses one."""
import random
import time

import figures
from campaign import Campaign
from home import Failed, Home
from report import judged

KINDS = {"kill": "kill -9 of a worker", "agent": "kill -9 of agent and worker", "freeze": "SIGSTOP", "cut": "cut cable"}
LINKS = ("100mbit", "1gbit")  # stages of one device each; stages of groups
BATCH = 64
ENDLESS = 1_000_000  # rounds
HOMES = 3  # that may fail at each rate


def told(fault):
    where = f"{KINDS[fault['kind']]}, {fault.get('device')} ({fault.get('role')}) at {fault.get('phase', 0):.2f} of a round"
    if fault["wall_s"] is None or "failure" in fault:
        return f"{where}: {fault['failure']}"
    others = f"; also lost: {', '.join(fault['others_lost'])}" if fault["others_lost"] else ""
    return (f"{where}: {fault['wall_s']:.2f} s (known {fault['known_s']:.2f}; told: "
            + ", ".join(f"{part[:-2]} {fault[part]:.2f}" for part in figures.PARTS)
            + f"), {fault['replayed_rounds']} rounds repeated, caught up after {fault['caught_up_s']:.2f} s{others}")


def faults_at(options, link, kinds, until, say):
    faults = []
    for attempt in range(HOMES):
        if not kinds or time.monotonic() >= until:
            break
        with Home(options.programs, "a.json", link=link) as home:
            job = home.job("mobilenetv2", BATCH, ENDLESS, evaluate_every=0)
            campaign = Campaign(home, job, kinds, f"{options.seed} {link} {attempt}", options.keep)
            try:
                kinds = campaign.run(say, until)
            except Failed as failure:
                print(f"    this home is given up: {failure}", flush=True)
                kinds = campaign.kinds
            for fault in campaign.faults:
                fault["link"] = link
            faults += campaign.faults
    return faults


def recovery(options):
    """Recovery: MobileNetV2 on five equal devices, from the fault to the first round under the new term"""
    asked = [kind for kind in KINDS if kind in options.kinds]
    until = time.monotonic() + 60 * options.minutes
    faults = []
    count = options.faults * len(asked)

    def say(fault):
        say.done += 1
        print(f"    {say.done:3} of {count}: {told(fault)}", flush=True)

    say.done = 0
    for index, link in enumerate(LINKS):
        share = options.faults // 2 + (options.faults % 2 if index == 0 else 0)
        kinds = [kind for kind in asked for _ in range(share)]
        random.Random(f"{options.seed} {link}").shuffle(kinds)
        now = time.monotonic()
        faults += faults_at(options, link, kinds, now + (until - now) / (len(LINKS) - index), say)
    options.results["recovery"] = faults
    print_tables(options, faults)
    return judge(faults, count)


def print_tables(options, faults):
    done = [each for each in faults if each["wall_s"] is not None]
    if not done:
        return
    print(f"\n  rounds of {figures.middle([each['round_s'] for each in done]):.2f} s (median), batch {BATCH}; seconds are "
          "medians but for p50, p95 and longest\n")
    options.show(figures.table(figures.RECOVERY_HEAD, figures.recovery_rows(faults, lambda each: KINDS[each["kind"]])))
    for name, label in (("moment in a round", lambda each: figures.third(each["phase"])),
                        ("role", lambda each: each["role"]), ("link", lambda each: each["link"])):
        rows = figures.recovery_rows(done, lambda each: f"{KINDS[each['kind']]}, {label(each)}")
        options.show(figures.table([f"fault, {name}", *figures.RECOVERY_HEAD[1:5]], [row[:5] for row in sorted(rows)]))


def judge(faults, count):
    missed = []
    failed = [each for each in faults if "failure" in each]
    if failed:
        missed.append(f"recovery: {len(failed)} of {len(faults)} faults went wrong")
    if len(faults) < count:
        missed.append(f"recovery: {len(faults)} of {count} faults in the time there was")
    other = [each for each in faults if each.get("others_lost")]
    if other:
        missed.append(f"recovery: {len(other)} faults also cost a device that was well")

    def whole(*kinds):
        return [each["wall_s"] for each in faults if each["kind"] in kinds and each["wall_s"] is not None]

    if kills := whole("kill", "agent"):
        missed += judged("kill -9: p50, seconds", figures.middle(kills), 1.0, most=True)
        missed += judged("kill -9: p95, seconds", figures.percentile(kills, 0.95), 2.0, most=True)
    if cuts := whole("cut"):
        missed += judged("cut cable: p95, seconds", figures.percentile(cuts, 0.95), 4.0, most=True)
    if known := [each["known_s"] for each in faults if each["kind"] in ("cut", "freeze") and each["wall_s"] is not None]:
        missed += judged("silent devices are known: p95, seconds", figures.percentile(known, 0.95), 2.0, most=True)
    return missed
