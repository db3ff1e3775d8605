#!/usr/bin/python3
"""How well times of layers are predicted: `run.py BUILD [--again]`, on a quiet machine.

Times five networks and the benchmark one on seven variants of this machine, each twice, and prints predictor_errors' table:
device and network held out, beside the error of measuring again; then what measuring in brief costs beside a whole profile,
where nothing is known. Times are kept in BUILD/bench/predictor; --again measures them anew. A variant with a processor quota
needs a writable cgroup (of version 1 or 2) and is left out where there is none."""
import argparse
import os
import pathlib
import subprocess
import sys

NETWORKS = ["benchmark", "fashion-cnn", "mobilenetv2-cifar", "efficientnet-b0:image=32", "resnet18:image=32", "vit-tiny"]
SSE = {"ONEDNN_MAX_CPU_ISA": "SSE41", "DNNL_MAX_CPU_ISA": "SSE41", "OPENBLAS_CORETYPE": "Nehalem",
       "ATEN_CPU_CAPABILITY": "default"}
AVX2 = {"ONEDNN_MAX_CPU_ISA": "AVX2", "DNNL_MAX_CPU_ISA": "AVX2", "OPENBLAS_CORETYPE": "Haswell",
        "ATEN_CPU_CAPABILITY": "avx2"}
# Name, threads, environment; "no-onednn" in a name is predictor_times'.
VARIANTS = [("native", 1, {}), ("avx2", 1, AVX2), ("sse41", 1, SSE), ("no-onednn", 1, {}), ("two-threads", 2, {}),
            ("quota", 1, {}), ("sse41-no-onednn", 1, SSE)]
QUOTA = 0.6  # of a processor, in periods of 10 ms


def quota_group():
    """A group that holds what joins it to the quota, or None."""
    for top, version in (("/sys/fs/cgroup/cpu", 1), ("/sys/fs/cgroup", 2)):
        group = pathlib.Path(top) / "hearth-predictor"
        try:
            group.mkdir(exist_ok=True)
            if version == 1:
                (group / "cpu.cfs_period_us").write_text("10000")
                (group / "cpu.cfs_quota_us").write_text(str(int(QUOTA * 10000)))
            else:
                (group / "cpu.max").write_text(f"{int(QUOTA * 10000)} 10000")
            return group
        except OSError:
            continue
    return None


def measure(build, folder, name, threads, environment, repeat):
    path = folder / f"{name}.{repeat}.jsonl"
    group = quota_group() if name == "quota" else None
    if name == "quota" and group is None:
        print("No cgroup can be made here: the variant with a quota is left out.", file=sys.stderr)
        return
    join = (lambda: (group / "cgroup.procs").write_text(str(os.getpid()))) if group else None
    done = subprocess.run([build / "bench" / "predictor_times", name, str(threads), *NETWORKS], capture_output=True,
                          text=True, env={**os.environ, **environment}, preexec_fn=join)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr}")
    path.write_text(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--again", action="store_true", help="measure anew")
    options = parser.parse_args()
    folder = options.build / "bench" / "predictor"
    folder.mkdir(parents=True, exist_ok=True)
    for repeat in (1, 2):
        for name, threads, environment in VARIANTS:
            if options.again or not (folder / f"{name}.{repeat}.jsonl").exists():
                print(f"{name}, {repeat} of 2", file=sys.stderr, flush=True)
                measure(options.build, folder, name, threads, environment, repeat)
    bench = options.build / "bench"
    subprocess.run([bench / "predictor_errors", *sorted(folder.glob("*.jsonl"))], check=True)
    subprocess.run([bench / "predictor_first_look", "128", "mobilenetv2-cifar", "efficientnet-b1:image=32"], check=True)


if __name__ == "__main__":
    main()
