"""Introduces the agents of a lab to each other, with the commands that a person would use, and waits for their links."""
import json
import os

from . import hosts
from .errors import LabError
from .keeper import last_words
from .machine import wait_until
from .processes import environment, run

READY_DEADLINE = 180


def agent_command(lab, device, *words):
    """A subcommand of hearth-agent on a device's state; these only read and write files or the agent's socket."""
    program, *options = hosts.agent_words(lab, lab.device(device))
    done = run([program, *options[:6], *words], env=environment(lab, device), timeout=60)
    if done.returncode != 0:
        raise LabError(f"hearth-agent {words[0]} failed for {device}.", done.stderr.strip())
    return done.stdout


def pair(lab):
    """Each trusts all others, who are where the home file puts them."""
    for device in lab.devices:
        with open(lab.device_dir(device.name, "identity.json"), "w") as file:
            file.write(agent_command(lab, device.name, "init"))
    for device in lab.devices:
        for other in lab.devices:
            if other is not device:
                agent_command(lab, device.name, "trust", lab.device_dir(other.name, "identity.json"))


def missing_links(lab):
    """Sentences about the agents that do not know all others as ready; empty where all do."""
    missing = []
    for device in lab.devices:
        if not os.path.exists(os.path.join(lab.state_dir(device.name), "agent.json")):
            missing.append(f"{device.name}: {last_words(lab, device.name, 'agent')}")
            continue
        try:
            devices = json.loads(agent_command(lab, device.name, "status"))["devices"]
        except LabError as error:
            missing.append(str(error))
            continue
        lost = sorted(each["name"] for each in devices if each["state"] == "lost")
        if lost:
            missing.append(f"{device.name} does not reach {', '.join(lost)}")
    return missing


def wait_until_linked(lab, seconds=READY_DEADLINE):
    latest = []

    def linked():
        latest[:] = missing_links(lab)
        return not latest

    wait_until(linked, seconds, lambda: f"the agents are not all linked: {'; '.join(latest)}", pause=0.1)
