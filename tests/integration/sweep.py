#!/usr/bin/env python3
"""Sweeps of tiny runs with real processes: sweep.py --bin build/release/bin

One is killed in between and goes on, one has a run that cannot be, one has runs that cannot begin, one stops a run early, one goes through Hyperband's brackets, one is left and taken up, one goes on with another device. Exit
status: 0 as it should be, 1 not.
"""
import argparse
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lab"))
from hearthlab.standstill import undisturbed

LIMIT = 600  # seconds; only a hang is caught


def write_table(path):
    """Two clouds of points."""
    numbers = random.Random(1)
    with open(path, "w") as file:
        file.write("x,y,side\n")
        for _ in range(300):
            side = numbers.choice((-1, 1))
            file.write(f"{numbers.gauss(side, 0.5)},{numbers.gauss(side, 0.5)},{'left' if side < 0 else 'right'}\n")


class Home:
    def __init__(self, programs, folder):
        self.programs, self.state = programs, os.path.join(folder, "state")
        self.job = os.path.join(folder, "job.json")
        os.environ.update(XDG_DATA_HOME=os.path.join(folder, "data"), XDG_CACHE_HOME=os.path.join(folder, "cache"))
        write_table(os.path.join(folder, "points.csv"))
        self.agent = subprocess.Popen([os.path.join(programs, "hearth-agent"), "--state", self.state, "--listen", "127.0.0.1:0", "--no-mdns"])
        while subprocess.run([os.path.join(programs, "hearth-agent"), "status", "--state", self.state], capture_output=True).returncode:
            assert self.agent.poll() is None, "the agent ended"
            time.sleep(0.1)
        self.run("data", "add", "points", os.path.join(folder, "points.csv"), own=False)

    def words(self, *words, own=True):
        return [os.path.join(self.programs, "hearth"), *words, *(["--state", self.state] if own else [])]

    def run(self, *words, own=True, status=0, folder=None):
        done = subprocess.run(self.words(*words, own=own), capture_output=True, text=True, timeout=LIMIT, cwd=folder)
        assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def write_job(self, **values):
        with open(self.job, "w") as file:
            json.dump({"format": "hearth-job/1", "model": "mlp:features=2,classes=2", "data": "points", "batch": 16} | values, file)

    def sweep(self, *words, folder=None):
        lines = self.run("sweep", *words, "--json", folder=folder).splitlines()
        return json.loads(lines[-1])

    def round_of_best(self, run):
        """The round that a run's best weights say they are of."""
        with open(os.path.join(self.state, "runs", run, "best.safetensors"), "rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        return int(header["__metadata__"]["round"])

    def runs(self, *words):
        return json.loads(self.run("runs", *words, "--json"))["runs"]


def killed_and_resumed(home):
    home.write_job(rounds=30, evaluate_every=10, best_by="accuracy")
    command = home.words("sweep", "--job", home.job, "--set", "lr=0.001,0.1,0.01", "--name", "rates", "--json")
    begun = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    first = json.loads(begun.stdout.readline())
    begun.send_signal(signal.SIGKILL)
    begun.wait()
    assert first["trial"] == 1 and first["state"] == "finished", first
    result = home.sweep("--resume", "rates")
    states = [trial["state"] for trial in result["trials"]]
    assert states == ["finished"] * 3 and result["metric"] == "accuracy", result
    assert [trial["evaluations"] for trial in result["trials"]] == [3] * 3, result
    assert result["trials"][0]["run"] == first["run"], "the first was run again"
    runs = home.runs("--tag", "rates")
    assert {run["id"] for run in runs} == {trial["run"] for trial in result["trials"]} and len(home.runs()) == 3, runs
    assert "learning_rate=0.1" in {run["name"] for run in runs}, runs
    best = max(result["trials"], key=lambda trial: trial["best"])
    assert result["best"]["best"] == best["best"], result
    for trial in result["trials"]:
        assert home.round_of_best(trial["run"]) == trial["best_round"], trial
    assert [run["id"] for run in home.runs("--starred")] == [result["best"]["run"]]
    compared = json.loads(home.run("compare", *[trial["run"] for trial in result["trials"]], "--json"))
    assert compared["differing"] == ["optimizer.learning_rate"], compared
    for run, trial in zip(compared["runs"], result["trials"]):
        assert run["values"] == trial["values"] and abs(run["best_accuracy"] - trial["best"]) < 1e-12, (run, trial)
    assert "LEARNING_RATE" in home.run("compare", *[run["name"] for run in compared["runs"]])
    # It is over: nothing runs again, and its name is taken.
    assert home.sweep("--resume", "rates")["trials"] == result["trials"] and len(home.runs()) == 3
    assert "--resume rates" in home.run("sweep", "--set", "batch=1", "--name", "rates", status=1)
    # As a kill leaves it between the start of a run and its id: that run counts, even where it is over by now.
    path = os.path.join(home.state, "sweeps", "rates", "sweep.json")
    with open(path) as file:
        state = json.load(file)
    last = state["trials"][-1]
    last |= {"state": "running", "run": "", "begun": next(run["started"] for run in runs if run["id"] == last["run"])}
    with open(path, "w") as file:
        json.dump(state, file)
    assert home.sweep("--resume", "rates")["trials"] == result["trials"] and len(home.runs()) == 3


def failed_and_gone_on(home):
    home.write_job(rounds=10, evaluate_every=10)
    result = home.sweep("--job", home.job, "--set", "data=points,nowhere", "--name", "wrong")
    states = {trial["values"]["data"]: trial["state"] for trial in result["trials"]}
    assert states == {"points": "finished", "nowhere": "failed"}, result
    assert "nowhere" in next(trial["cause"] for trial in result["trials"] if trial["state"] == "failed"), result


def refused_and_gone_on(home):
    home.write_job(rounds=10, evaluate_every=10)
    networks = '"mlp:features=2,classes=2","mlp:features=2,classes=3",fashion-cnn'
    done = subprocess.run(home.words("sweep", "--job", home.job, "--set", f"model={networks}", "--set", "lr=0.01,0.1", "--name", "models", "--json"),
                          capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    trials = told[-1]["trials"]
    for trial in trials:
        begins = trial["values"]["model"] != "fashion-cnn"
        assert trial["state"] == ("finished" if begins else "failed") and bool(trial["run"]) == begins, trial
        assert begins or "fashion-cnn" in trial["cause"], trial
        if begins:
            with open(os.path.join(home.state, "runs", trial["run"], "events.jsonl")) as file:
                warnings = [event["cause"] for event in map(json.loads, file) if event["event"] == "warning"]
            doubt = "The model tells 3 classes apart; the data have 2."
            assert warnings.count(doubt) == ("classes=3" in trial["values"]["model"]), (trial, warnings)
    assert sorted(line["trial"] for line in told[:-1]) == [1, 2, 3, 4, 5, 6], told
    # Once for both rates, before the first run.
    for misfit in ("do not fit the model fashion-cnn", "The model tells 3 classes apart; the data have 2."):
        assert done.stderr.count(misfit) == 1, done.stderr
    assert len(home.runs("--tag", "models")) == 4
    assert home.sweep("--resume", "models")["trials"] == trials, "a run that cannot begin was tried again"


def stopped_early(home):
    home.write_job(rounds=1200, evaluate_every=40)
    path = os.path.join(os.path.dirname(home.job), "sweep.json")
    numbers = itertools.count()

    def sweep():
        order = {"format": "hearth-sweep/1", "name": f"early-{next(numbers)}", "job": "job.json", "set": ["lr=0.1,1e-9"],
                 "stop_early": "halving"}
        with open(path, "w") as file:
            json.dump(order, file)
        return home.sweep(path)

    result = undisturbed(sweep, lambda result: result["trials"][1]["state"] == "finished" and "the bad run was not stopped in time")
    good, bad = result["trials"]
    assert (good["state"], bad["state"], result["metric"]) == ("finished", "stopped", "loss"), result
    assert home.round_of_best(good["run"]) == good["best_round"], good
    assert bad["evaluations"] < good["evaluations"] == 30, result
    # What was outdone keeps its weights alone.
    folder = os.path.join(home.state, "runs", bad["run"])
    began = time.monotonic()
    while left := [name for name in os.listdir(folder) if name.startswith("checkpoints")]:
        assert time.monotonic() - began < LIMIT, left
        time.sleep(0.1)
    assert os.path.exists(os.path.join(folder, "weights.safetensors"))


def shared_out(home):
    every, whole = 200, 600
    home.write_job(rounds=whole, evaluate_every=every)
    numbers = itertools.count()

    def sweep():
        name = f"shared-{next(numbers)}"
        command = home.words("sweep", "--job", home.job, "--set", "lr=1e-7..0.1:log", "--by", "accuracy", "--stop-early", "hyperband", "--name", name, "--json")
        begun = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        first = json.loads(begun.stdout.readline())
        begun.send_signal(signal.SIGKILL)
        begun.wait()
        return {"name": name, "first": first, **home.sweep("--resume", name)}

    def spoilt(told):
        return [trial["state"] for trial in told["trials"][:3]].count("finished") > 1 and "runs were not stopped in time"

    result = undisturbed(sweep, spoilt)
    name, first, trials = result["name"], result["first"], result["trials"]
    assert first["trial"] == 1 and first["state"] == "paused", first
    # Three evaluations of a run: of three that were evaluated once the best goes to the end, and two go there at once.
    assert [trial["state"] for trial in trials[3:]] == ["finished"] * 2, result
    assert sorted(trial["state"] for trial in trials[:3]) == ["finished", "stopped", "stopped"], result
    assert trials[0]["run"] == first["run"], "the first was run again"
    runs = {run["id"]: run for run in home.runs("--tag", name)}
    assert len(trials) == len(runs) == 5, runs
    reached = max(trial["rungs"][0] for trial in trials[:3])
    for trial in trials:
        rounds = runs[trial["run"]]["rounds"]
        if trial["state"] == "finished":
            assert rounds == whole and trial["evaluations"] == 3, (rounds, trial)
            continue
        assert every <= rounds < whole and trial["rungs"][0] <= reached, (rounds, trial)
    goes_on = next(trial for trial in trials[:3] if trial["state"] == "finished")
    assert goes_on["rungs"][0] == reached, result
    events = [json.loads(line) for line in open(os.path.join(home.state, "runs", goes_on["run"], "events.jsonl"))]
    rounds = [event["round"] for event in events if event["event"] == "round"]
    assert rounds == list(range(1, whole + 1)), "it began again"
    assert "stopped" in [event["state"] for event in events if event["event"] == "state"], events


def left_and_taken_up(home):
    folder = os.path.dirname(home.job)
    with open(os.path.join(folder, "net.json"), "w") as file:
        json.dump({"format": "hearth-model/1", "name": "net", "inputs": [{"name": "x", "dtype": "real", "shape": [2]}], "outputs": ["head"],
                   "graph": [{"name": "head", "kind": "linear", "from": ["x"], "features": 2}]}, file)
    home.write_job(rounds=100000, evaluate_every=10, model="net.json")
    command = home.words("sweep", "--job", "job.json", "--set", "lr=0.01", "--name", "left")
    begun = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
    while not (under_way := [run for run in home.runs("--tag", "left") if run["live"] and run["rounds"] > 10]):
        assert begun.poll() is None, begun.stderr.read()
        time.sleep(0.1)
    assert "under way already" in home.run("sweep", "--resume", "left", status=1)
    begun.send_signal(signal.SIGINT)
    told = begun.communicate(timeout=LIMIT)[1]
    assert begun.returncode == 130 and "hearth sweep --resume left" in told, (begun.returncode, told)
    home.run("stop", under_way[0]["id"])
    result = home.sweep("--resume", "left", folder="/")
    assert [(trial["run"], trial["state"]) for trial in result["trials"]] == [(under_way[0]["id"], "stopped")], result


def misplaced_and_gone_on(home):
    home.write_job(rounds=10, evaluate_every=10)
    told = home.run("sweep", "--job", home.job, "--set", "lr=0.01,0.1", "--name", "placed", "--devices", "nowhere", status=1)
    assert "not in this home" in told and "--devices a,b" in told, told
    assert "not in this home" in home.run("sweep", "--resume", "placed", status=1)
    own = json.loads(home.run("devices", "--json"))["devices"][0]["name"]
    result = home.sweep("--resume", "placed", "--devices", f" {own} ,")
    assert [trial["state"] for trial in result["trials"]] == ["finished"] * 2 and result["devices"] == [own], result


def refused(home):
    for words, says in ((["--set", "bach=1"], "batch"), (["--set", "batch=1..9"], "--random N"), ([], "--set"),
                        (["--set", "seed=" + ",".join(map(str, range(1000))), "--set", "batch=" + ",".join(map(str, range(1, 1001)))], "1,000,000"),
                        (["--set", "lr=0.1,0.2", "--stop-early", "hyperband", "--random", "3"], "random"), (["--resume", "../rates"], "no sweep")):
        told = home.run("sweep", *words, status=2 if says in ("batch", "--random N", "--set") else 1)
        assert says in told, told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    programs = os.path.abspath(parser.parse_args().bin)
    with tempfile.TemporaryDirectory() as folder:
        home = Home(programs, folder)
        try:
            for step in (killed_and_resumed, failed_and_gone_on, refused_and_gone_on, stopped_early, shared_out, left_and_taken_up, misplaced_and_gone_on, refused):
                began = time.monotonic()
                step(home)
                print(f"{step.__name__}: {time.monotonic() - began:.1f} s", flush=True)
        finally:
            home.agent.terminate()
            home.agent.wait()


if __name__ == "__main__":
    main()
