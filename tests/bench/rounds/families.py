"""One worker of one thread against plain PyTorch loops of the same network, on one core, in turns."""
import os
import statistics
import subprocess

from home import Failed
from report import judged, spread

HERE = os.path.dirname(os.path.realpath(__file__))
CASES = (  # name of ours, of the loop's, batch, steps, at least so many times as fast, in float32 and in bfloat16
    ("efficientnet-b1:image=32,classes=10,dropout=0", "efficientnet-b1", 64, 2, 1.5, 1.5),
    ("bert-small:sequence=32,dropout=0", "bert-small", 32, 4, 1.2, 1.2),
    ("gpt2:sequence=128,dropout=0", "gpt2", 4, 1, 1.2, 1.2),
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


def compare(options, case, precision, loops, target):
    """A worker in that precision against loops in these."""
    ours, theirs, batch, steps = case
    worker = Contender([f"{options.programs}/bench/one_device", "--role", "worker", "--threads", "1", "--model", ours,
                        "--batch", str(batch), "--steps", str(steps), "--precision", precision])
    plain = {each: Contender(["/usr/bin/python3", os.path.join(HERE, "plain_loop.py"), theirs, str(batch), str(steps),
                              each]) for each in loops}
    contenders = [worker, *plain.values()]
    for contender in contenders:
        contender.measure()
        contender.seconds.clear()
    for _ in range(options.repeats):
        for contender in contenders:
            contender.measure()
    for contender in contenders:
        contender.process.stdin.close()
        contender.process.wait()

    def milliseconds(contender):
        return [seconds / steps * 1e3 for seconds in contender.seconds]

    missed = []
    print(f"  {ours}, batch {batch}: a step takes the worker in {precision} {spread(milliseconds(worker), ' ms', 1)}")
    for each, loop in plain.items():
        print(f"    the loop in {each} {spread(milliseconds(loop), ' ms', 1)}")
        ratio = statistics.median(theirs / ours for ours, theirs in zip(worker.seconds, loop.seconds))
        missed += judged(f"{theirs}, {precision}: times as fast as PyTorch in {each}", ratio,
                         target if each == "float32" else 1)
    return missed


def families(options):
    """Networks of several families: one worker of one thread against a plain PyTorch loop, and against one under autocast."""
    missed = []
    for *case, exact, rounded in CASES:
        missed += compare(options, case, "float32", ["float32"], exact)
        missed += compare(options, case, "bfloat16", ["float32", "bfloat16"], rounded)
    return missed
