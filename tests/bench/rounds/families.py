"""One worker of one thread against a plain PyTorch loop of the same network, on one core, in turns."""
import os
import statistics
import subprocess

from home import Failed
from report import judged, spread

HERE = os.path.dirname(os.path.realpath(__file__))
CASES = (  # name of ours, of the loop's, batch, steps, at least so many times as fast
    ("efficientnet-b1:image=32,classes=10,dropout=0", "efficientnet-b1", 64, 2, 1.5),
    ("bert-small:sequence=32,dropout=0", "bert-small", 32, 4, 1.2),
    ("gpt2:sequence=128,dropout=0", "gpt2", 4, 1, 1.2),
)


class Contender:
    def __init__(self, words):
        environment = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        environment.pop("OPENBLAS_CORETYPE", None)  # the kernels of this processor, as a person has them
        self.process = subprocess.Popen(["taskset", "-c", "0", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)
        self.seconds = []  # of the processor: what a busy machine disturbs least

    def measure(self):
        try:
            self.process.stdin.write("go\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has said why; there is no answer
        answer = self.process.stdout.readline().split()
        if len(answer) != 2:
            raise Failed(f"{self.process.args[3]} gave no answer")
        self.seconds.append(float(answer[1]))


def compare(options, ours, theirs, batch, steps, target):
    worker = Contender([f"{options.programs}/bench/one_device", "--role", "worker", "--threads", "1", "--model", ours,
                        "--batch", str(batch), "--steps", str(steps)])
    plain = Contender(["/usr/bin/python3", os.path.join(HERE, "plain_loop.py"), theirs, str(batch), str(steps)])
    for contender in (worker, plain):
        contender.measure()
        contender.seconds.clear()
    for _ in range(options.repeats):
        worker.measure()
        plain.measure()
    for contender in (worker, plain):
        contender.process.stdin.close()
        contender.process.wait()
    each = [seconds / steps * 1e3 for seconds in worker.seconds]
    other = [seconds / steps * 1e3 for seconds in plain.seconds]
    ratio = statistics.median(theirs / ours for ours, theirs in zip(each, other))
    print(f"  {ours}, batch {batch}: a step takes the worker {spread(each, ' ms', 1)}, the loop {spread(other, ' ms', 1)}")
    return judged(f"{theirs}: times as fast as plain PyTorch", ratio, target)


def families(options):
    """Networks of several families: one worker of one thread against a plain PyTorch loop."""
    missed = []
    for case in CASES:
        missed += compare(options, *case)
    return missed
