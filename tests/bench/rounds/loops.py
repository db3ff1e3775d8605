"""Processes that train alone, one per device, all at the same time: plain LibTorch loops and workers of our own."""
import subprocess

from home import Failed


class Loops:
    """`steps` steps of `batch` samples at a time on each of the devices."""

    def __init__(self, home, devices, role, model, batch, micro_batch, steps):
        program = f"{home.programs}/bench/one_device"
        self.samples = batch * steps * len(devices)
        self.role = role
        self.micro_batch = micro_batch
        self.processes = [subprocess.Popen(
            home.exec_words(device, program, "--role", role, "--model", model, "--batch", str(batch), "--micro-batch",
                            str(micro_batch), "--steps", str(steps)),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for device in devices]
        self.rate()  # builds and warms up

    def rate(self):
        """Samples per second of all devices together; the slowest one's time counts."""
        for process in self.processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        answers = [process.stdout.readline().split() for process in self.processes]
        if not all(answers):
            raise Failed(f"a {self.role} loop gave no answer")
        return self.samples / max(float(answer[0]) for answer in answers)

    def close(self):
        for process in self.processes:
            process.stdin.close()
            process.wait()


def best_workers(home, model, batch, steps):
    """Workers that cut a batch as is fastest for them: smaller pieces may fit the caches better."""
    rates = {}
    size = batch
    while size >= 4:
        loops = Loops(home, home.devices[:1], "worker", model, batch, size, steps)
        rates[size] = max(loops.rate(), loops.rate())
        loops.close()
        size //= 2
    return Loops(home, home.devices, "worker", model, batch, max(rates, key=rates.get), steps)
