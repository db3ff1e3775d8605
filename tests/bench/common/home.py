"""A home of the lab for a benchmark: brought up, asked to train, taken down."""
import contextlib
import json
import os
import statistics
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
LAB = os.path.join(ROOT, "tests", "lab", "lab")
WARM_ROUNDS = 3  # not counted: heaps grow, the pipeline fills


class Failed(Exception):
    pass


def read(path):
    with open(path) as text:
        return json.load(text)


class Home:
    """`with Home(programs, "two-cores.json") as home:`; `changes` replace members of the home file."""

    made = 0  # by this process; each gets a name of its own

    def __init__(self, programs, file, **changes):
        self.programs = os.path.realpath(programs)
        Home.made += 1
        self.name = f"bench-{os.getpid()}-{Home.made}"
        self.folder = tempfile.TemporaryDirectory(prefix="hearth-bench-")
        self.description = {**read(os.path.join(ROOT, "tests", "lab", "homes", file)), **changes}
        self.devices = [each["name"] for each in self.description["devices"]]
        self.first = self.devices[0]
        self.jobs = 0

    def __enter__(self):
        path = self.file("home.json", self.description)
        with contextlib.ExitStack() as whenever_it_fails:
            whenever_it_fails.callback(self.close)
            self.lab("up", path, "--name", self.name, "--programs", self.programs)
            whenever_it_fails.pop_all()
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        # Ctrl-C goes to all of the terminal's processes; what removes the lab is not among them.
        subprocess.run([LAB, "down", self.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       start_new_session=True)
        self.folder.cleanup()

    def lab(self, *words):
        done = subprocess.run([LAB, *words], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"lab {words[0]}: {done.stderr.strip()}")
        return done.stdout

    def file(self, name, value):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as text:
            json.dump(value, text)
        return path

    def exec_words(self, device, *words):
        return [LAB, "--lab", self.name, "exec", device, "--", *words]

    def hearth(self, *words):
        done = subprocess.run(self.exec_words(self.first, "hearth", *words), capture_output=True, text=True, timeout=900)
        if done.returncode != 0:
            raise Failed(f"hearth {' '.join(words)}: {done.stderr.strip()[-400:]}")
        return done.stdout

    def events(self, *words):
        return [json.loads(line) for line in self.hearth(*words, "--json").splitlines()]

    def job(self, model, batch, rounds, **members):
        value = {"format": "hearth-job/1", "model": model, "data": "fashion-mnist",
                 "input": {"scale": 1 / 255, "pad": [2, 2], "repeat_channels": 3}, "loss": "cross-entropy",
                 "optimizer": {"kind": "sgd", "learning_rate": 0.01, "momentum": 0.9, "weight_decay": 0},
                 "batch": batch, "precision": "float32", "rounds": rounds, "seed": 1, **members}
        self.jobs += 1
        return self.file(f"job-{self.jobs}.json", value)

    def problem(self, job):
        """The planning problem of this home as its own devices measured it, and the name of each device by id."""
        events = self.events("profile", job)
        names = {each["id"]: each["name"] for each in events if each["event"] == "device"}
        run = next(each["id"] for each in events if each["event"] == "run")
        state = next(each for each in json.loads(self.lab("--lab", self.name, "status", "--json"))["devices"]
                     if each["name"] == self.first)["agent"]["state_dir"]
        return self.file("problem.json", read(os.path.join(state, "runs", run, "problem-1.json"))), names

    def plan(self, problem, planner, **changes):
        """The file of a planner's plan; None where it finds none."""
        if changes:
            problem = self.file("problem-changed.json", {**read(problem), **changes})
        try:
            return self.file(f"plan-{planner}.json", json.loads(self.hearth("plan", problem, "--planner", planner, "--json")))
        except Failed:
            return None

    def train(self, job, plan=None, *words, first=WARM_ROUNDS):
        return Run(self.events("train", job, *(["--plan", plan] if plan else []), *words), first)


class Run:
    """What a run's events say about its rounds after the first ones."""

    def __init__(self, events, first=WARM_ROUNDS):
        rounds = [each for each in events if each["event"] == "round"][first:]
        if not rounds or not any(each["event"] == "finished" for each in events):
            errors = [each for each in events if each["event"] == "error"]
            raise Failed(f"a run did not finish: {errors}")
        self.seconds = statistics.median(each["round_s"] for each in rounds)
        self.predicted = rounds[-1]["predicted_round_s"]  # knows how the run's data pack
        self.plan = [each for each in events if each["event"] == "plan"][-1]["plan"]
        self.planned = self.plan["prediction"]["round_s"]  # does not
        self.memory = {}
        for each in rounds:
            for device, report in each["devices"].items():
                self.memory[device] = max(self.memory.get(device, 0), report["memory_bytes"])


def shape(plan, names):
    """"nano-0 [0,11) then nano-1 [11,19), 4 x 32"."""
    stages = [f"{' + '.join(f'{names.get(device, device)}:{share}' for device, share in stage['shares'].items())} "
              f"[{stage['layers'][0]},{stage['layers'][1]})" for stage in plan["stages"]]
    return f"{', then '.join(stages)}; {plan['batch'] // plan['micro_batch']} x {plan['micro_batch']}"
