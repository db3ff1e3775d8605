"""What a lab is doing, read from the system rather than from what was ordered."""
import os

from .cgroups import find_cgroups
from .errors import LabError
from .keeper import ask
from .network import INTERFACE, addresses, port, queue
from .rates import format_rate
from .settings import settings_of


def lab_status(lab):
    if lab.is_stale() or lab.is_starting:
        return {"name": lab.name, "state": "stale" if lab.is_stale() else "starting", "home": lab.about.get("home"),
                "devices": []}
    cgroups = find_cgroups(lab.name)
    keeper = ask(lab, "status")
    return {"name": lab.name, "state": lab.about["stage"], "home": lab.about["home"], "keeper": lab.about["owner"]["pid"],
            "devices": [device_status(lab, cgroups, keeper, device) for device in lab.devices]}


def device_status(lab, cgroups, keeper, device):
    name = device.name
    changed = settings_of(lab, name)
    out, into = queue(lab.namespace(name), INTERFACE), queue(lab.switch, port(lab, name))
    status = {"name": name, "address": ", ".join(addresses(lab, name)), "namespace": lab.namespace(name),
              "holder": keeper["holders"][name]["pid"], "home": lab.device_dir(name, "home"),
              "cpu": cgroups.cpu(name) or device.cpu, "core": device.core if device.core >= 0 else None,
              "cpu_seconds": cgroups.cpu_seconds(name), "threads": device.threads,
              "memory": device.memory, "up": changed["up"] or device.up, "down": changed["down"] or device.down,
              "cut_out": out["kind"] == "blackhole", "cut_in": into["kind"] == "blackhole",
              "frozen": cgroups.is_frozen(f"{name}/agent"), "slow": changed["slow"]}
    agent = keeper["services"][name].get("agent")
    if agent:
        status["agent"] = {"state": agent["state"], "pid": agent["process"] and agent["process"]["pid"],
                           "restarts": agent["restarts"], "last_end": agent["last_end"],
                           "state_dir": lab.state_dir(name), "log": lab.device_dir(name, "agent.log"),
                           "workers": workers(cgroups, name)}
    return status


def workers(cgroups, device):
    return [pid for pid in cgroups.processes(f"{device}/agent") if program_of(pid) == "hearth-worker"]


def program_of(pid):
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return ""


def describe(status):
    if status["state"] == "stale":
        return f"{status['name']}: left by a crash; remove it: lab down {status['name']}"
    lines = [f"{status['name']}: {status['state']}, {status['home']}"]
    for device in status["devices"]:
        agent = device.get("agent")
        notes = [f"{way} cut" for way, key in (("out", "cut_out"), ("in", "cut_in")) if device[key]]
        notes += ["frozen"] * device["frozen"] + [f"{device['slow']:g} times slower"] * (device["slow"] != 1)
        if agent:
            notes.append(f"agent {agent['state']}" + (f", restarted {agent['restarts']}" if agent["restarts"] else ""))
        memory = f"{device['memory'] / 1e6:.0f} MB" if device["memory"] else "no memory limit"
        lines.append(f"  {device['name']:<16} {device['address']:<12} {device['cpu']:.3f} cores, {memory}, "
                     f"up {format_rate(device['up'])}, down {format_rate(device['down'])}"
                     + "".join(f", {note}" for note in notes))
    return "\n".join(lines)


def status_of(lab):
    try:
        return lab_status(lab)
    except LabError as error:
        return {"name": lab.name, "state": "stale", "home": lab.about.get("home"), "devices": [], "error": str(error)}
