"""What fashion-cnn reaches in some way of training, on devices within this machine."""
import json
import os
import subprocess

from home import Failed
from variants import chain

BATCH, MICRO_BATCHES = 128, 4
TRAINED = 500  # batches
BORDERS = {2: [0, 3, 5], 3: [0, 2, 4, 5], 4: [0, 2, 3, 4, 5], 5: [0, 1, 2, 3, 4, 5]}  # of stages


def plan_of(devices, local_steps):
    """One stage on all devices for local steps, else a stage for each."""
    names = [f"local-{i + 1}" for i in range(devices)]
    batch, micro_batch = BATCH, BATCH // MICRO_BATCHES
    if local_steps:
        batch, micro_batch = BATCH * local_steps["every"], BATCH
        shares = {name: BATCH // devices + (i < BATCH % devices) for i, name in enumerate(names)}
        stages = [{"layers": [0, 5], "shares": shares, "in_flight": 1, "recompute": False, "codec": "none"}]
    else:
        stages = chain(BORDERS[devices], names, micro_batch, MICRO_BATCHES)
    return {"format": "hearth-plan/1", "model": {"name": "fashion-cnn", "sha256": "", "layers": 5}, "planner": "bench",
            "batch": batch, "micro_batch": micro_batch, "schedule": "1f1b", "stages": stages}


def accuracy_of(programs, folder, devices, seed, local_steps=None, **members):
    """In percent, after TRAINED batches (of local steps, the periods that come nearest); `members` are of the job."""
    every = local_steps["every"] if local_steps else 1
    rounds = max(1, round(TRAINED / every))
    job = {"format": "hearth-job/1", "batch": BATCH, "rounds": rounds, "evaluate_every": rounds, "seed": seed, **members,
           **({"local_steps": local_steps} if local_steps else {"micro_batch": BATCH // MICRO_BATCHES})}
    paths = [os.path.join(folder, f"{name}.json") for name in ("job", "plan")]
    for path, value in zip(paths, (job, plan_of(devices, local_steps))):
        with open(path, "w") as text:
            json.dump(value, text)
    done = subprocess.run([os.path.join(programs, "bin", "hearth"), "demo", paths[0], "--plan", paths[1], "--devices",
                           str(devices), "--headless", "--json"], capture_output=True, text=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    last = [each["accuracy"] for each in found if each["event"] == "evaluation"]
    if done.returncode != 0 or not last:
        raise Failed(f"{members}, seed {seed}: {done.stderr.strip()[-300:]}")
    return 100 * last[-1]
