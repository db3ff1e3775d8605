"""Processes that train alone, one per device, all at the same time: plain LibTorch loops and workers of our own."""
import subprocess

from home import Failed

STEPS = 6


class Loops:
    def __init__(self, home, role, model, batch, micro_batch):
        program = f"{home.programs}/bench/one_device"
        self.samples = batch * STEPS * len(home.devices)
        self.role = role
        self.processes = [subprocess.Popen(
            home.exec_words(device, program, "--role", role, "--model", model, "--batch", str(batch), "--micro-batch",
                            str(micro_batch), "--steps", str(STEPS)),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for device in home.devices]
        self.seconds()  # builds and warms up

    def seconds(self):
        """Of STEPS steps on all devices together: the slowest one's."""
        for process in self.processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        answers = [process.stdout.readline().split() for process in self.processes]
        if not all(answers):
            raise Failed(f"a {self.role} loop gave no answer")
        return max(float(answer[0]) for answer in answers)

    def rate(self):
        return self.samples / self.seconds()

    def close(self):
        for process in self.processes:
            process.stdin.close()
            process.wait()
