import json
import os
import subprocess
import time

from home import Failed, Home
from process import MIB, Usage, memory
from report import judged

SETTLE = 15  # seconds: discovery and links are there, and what only they needed is given back
# Each end of a link sends one twice a second and is woken by the other's.
BEATS_PER_MINUTE = 2 * 2 * 60
# A minute of everything else: announcements that are renewed, a device that is off and is looked for every 10 s.
OTHERS_PER_MINUTE = 30


def idle(options):
    """An agent at rest, with its Avahi daemon: alone, linked with a paired one, and when that one is off."""
    with Home(options.programs, "two.json", scale="none",
              devices=[{"name": "nano-0", "cpu": 0.8}, {"name": "nano-1", "cpu": 0.8}]) as home:
        missed = alone(home, options)
        home.lab("--lab", home.name, "start", "nano-0")
        home.lab("--lab", home.name, "start", "nano-1")
        pid = wait_for_link(home)
        missed += measured("linked with a paired one", pid, BEATS_PER_MINUTE, options)
        home.lab("--lab", home.name, "kill", "nano-1")
        missed += measured("the paired one is off", pid, 0, options)
        return missed


def wait_for_link(home):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        about = json.loads(home.lab("--lab", home.name, "status", "--json"))["devices"][0]["agent"]
        with open(about["log"]) as log:
            if about["pid"] and "Linked with nano-1 " in log.read().rsplit("Lost the link", 1)[-1]:
                return about["pid"]
        time.sleep(0.2)
    raise Failed("the two agents were not linked")


def alone(home, options):
    for device in home.devices:
        home.lab("--lab", home.name, "kill", device)
    state = os.path.join(home.folder.name, "alone")
    agent = subprocess.Popen(home.exec_words(home.first, f"{options.programs}/bin/hearth-agent", "--state", state),
                             stdout=subprocess.PIPE, text=True)
    try:
        return measured("alone", json.loads(agent.stdout.readline())["pid"], 0, options)
    finally:
        agent.terminate()
        agent.wait()


def measured(what, pid, beats, options):
    time.sleep(SETTLE)
    usage = Usage(pid)
    time.sleep(options.seconds)
    cores, woken, sizes = usage.cores(), usage.wakeups_per_minute(), memory(pid)
    print(f"  {what}: resident {sizes['Rss'] / MIB:.1f} MiB, private dirty {sizes['Private_Dirty'] / MIB:.1f} MiB, "
          f"private clean {sizes['Private_Clean'] / MIB:.1f} MiB")
    missed = judged("PSS, MiB", sizes["Pss"] / MIB, 25, most=True, digits=1)
    missed += judged("private memory, MiB", sizes["Private"] / MIB, 8, most=True, digits=1)
    missed += judged("processor, % of a core", 100 * cores, 0.1, most=True, digits=3)
    missed += judged("wake-ups per minute", woken, beats + OTHERS_PER_MINUTE, most=True, digits=0)
    return [f"{what}: {each}" for each in missed]
