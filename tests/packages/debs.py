"""Builds Hearth's Debian packages from a build folder, and looks into them; what the programs that test them share."""
import argparse
import pathlib
import shutil
import subprocess
import sys
import unittest

NAMES = ("hearth", "hearth-agent")
SKIPPED = 77
OPTIONS = None  # of run_tests


def run_tests(about, needed, advice):
    """Those of the program that was started, told by `--build FOLDER --version VERSION`; their exit status. `advice` says how to
    come by the programs that are needed."""
    global OPTIONS
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--build", required=True)
    parser.add_argument("--version", required=True)
    OPTIONS, rest = parser.parse_known_args()
    for program in needed:
        if shutil.which(program) is None:
            print(f"Skipped: {program} was not found; {advice}")
            return SKIPPED
    program = unittest.main(argv=[sys.argv[0]] + rest, exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


def run(*words, **options):
    """The standard output; a failure shows what the program said."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def build(build_folder, target, version=None):
    """{name: path} of the packages, made in `target`."""
    words = ["cpack", "--config", pathlib.Path(build_folder) / "CPackConfig.cmake", "-B", target]
    if version:
        words += ["-D", f"CPACK_PACKAGE_VERSION={version}"]
    run(*words)
    debs = {}
    for path in sorted(pathlib.Path(target).glob("*.deb")):
        debs[field(path, "Package")] = path
    if sorted(debs) != sorted(NAMES):
        raise AssertionError(f"cpack made {sorted(debs)} rather than {sorted(NAMES)}")
    return debs


def architecture():
    return run("dpkg", "--print-architecture").strip()


def only(folder, pattern):
    found = sorted(pathlib.Path(folder).glob(pattern))
    if len(found) != 1:
        raise AssertionError(f"in {folder} there should be one {pattern}, and there are {[path.name for path in found]}")
    return found[0]


def bundle(build_folder, target):
    """The path of the bundle, made in `target`."""
    run(pathlib.Path(__file__).parent.parent.parent / "resources/packages/bundle", build_folder, "--output", target)
    return only(target, "hearth-agent-bundle_*.tar.gz")


def check_stubs(test, worker, stubs):
    """These libraries, and no others of their names, are what the worker loads; all symbols of all its libraries are found."""
    said = run("ldd", "-r", worker)
    test.assertNotIn("undefined symbol", said)
    test.assertNotIn("not found", said)
    loaded = dict(line.strip().split(" (")[0].split(" => ") for line in said.splitlines() if " => " in line)
    test.assertEqual({stub.name: pathlib.Path(loaded.get(stub.name, "")).resolve() for stub in stubs},
                     {stub.name: stub.resolve() for stub in stubs})


def field(deb, name):
    return run("dpkg-deb", "--field", deb, name).strip()


def contents(deb):
    """{path: (permissions, owner)}, folders without their final slash."""
    found = {}
    for line in run("dpkg-deb", "--contents", deb).splitlines():
        permissions, owner, _size, _day, _time, path = line.split(None, 5)
        path = path.removeprefix(".").rstrip("/")
        if path:
            found[path] = (permissions, owner)
    return found
