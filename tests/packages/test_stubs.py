#!/usr/bin/python3
"""Which libraries count as unused by LibTorch, and what the worker of a build loads in their place: test_stubs.py --build FOLDER
--version VERSION [unittest arguments].

Exit status: 0 passed, 1 failed, 77 skipped (no readelf or compiler here).
"""
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(os.path.realpath(__file__)).parent
sys.path.insert(0, str(HERE))

import debs  # noqa: E402

UNUSED = HERE.parent.parent / "resources/packages/unused"


class Unused(unittest.TestCase):
    """Of small libraries in a folder that stands for a Debian."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="hearth-stubs-"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "lib").mkdir()

    def library(self, name, needed=(), has="", wants="", options=()):
        source = self.root / "source.cpp"
        source.write_text((f'extern "C" int {has}() {{ return 1; }}\n' if has else "") +
                          (f'extern "C" int {wants}();\nextern "C" int {name}_calls() {{ return {wants}(); }}\n' if wants else ""))
        path = self.root / f"lib/lib{name}.so.1"
        debs.run("c++", "-shared", "-fPIC", "-nostdlib", f"-Wl,-soname,{path.name}", "-o", path, source, "-Wl,--no-as-needed",
                 "-Wl,--allow-shlib-undefined", *options, *needed)
        return path

    def unused(self, torch):
        start = self.library("start", [torch])
        return debs.run(UNUSED, "--root", self.root, start).split()

    def test_what_nobody_takes_anything_from_is_named_without_what_it_needs(self):
        below = self.library("below", has="of_below")
        used, unused = self.library("used", has="taken"), self.library("unused", [below], has="left", wants="of_below")
        torch = self.library("torch_cpu", [used, unused], wants="taken")
        self.assertEqual(self.unused(torch), ["libunused.so.1"])

    def test_what_another_library_needs_stays(self):
        shared = self.library("shared", has="left")
        used = self.library("used", [shared], has="taken", wants="left")
        torch = self.library("torch_cpu", [used, shared], wants="taken")
        self.assertEqual(self.unused(torch), [])

    def test_what_brings_in_a_symbol_that_is_taken_stays(self):
        below = self.library("below", has="taken")
        between, unused = self.library("between", [below]), self.library("unused", has="left")
        torch = self.library("torch_cpu", [between, unused], wants="taken")
        self.assertEqual(self.unused(torch), ["libunused.so.1"])

    def test_what_brings_its_own_libraries_has_none_that_are_unused(self):
        unused = self.library("unused", has="left")
        torch = self.library("torch_cpu", [unused])
        start = self.library("start", [torch], options=["-Wl,-rpath,$ORIGIN"])
        self.assertEqual(debs.run(UNUSED, "--root", self.root, start).split(), [])


class Worker(unittest.TestCase):
    def setUp(self):
        self.worker = pathlib.Path(debs.OPTIONS.build) / "bin/hearth-worker"
        self.stubs = sorted((self.worker.parent / "stubs").glob("*"))
        if not self.stubs:
            self.skipTest("this LibTorch asks only for what it takes")

    def test_worker_loads_a_stub_for_each_unused_library_and_misses_no_symbol(self):
        debs.check_stubs(self, self.worker, self.stubs)

    def test_worker_starts_with_all_symbols_looked_up(self):
        said = debs.run(self.worker, "--version", env={**os.environ, "LD_BIND_NOW": "1"})
        self.assertEqual(said.strip(), f"hearth-worker {debs.OPTIONS.version}")

    def test_worker_without_its_stubs_takes_the_libraries_themselves(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="hearth-stubs-"))
        self.addCleanup(shutil.rmtree, folder)
        alone = shutil.copy(self.worker, folder)
        self.assertIn(debs.OPTIONS.version, debs.run(alone, "--version"))
        self.assertNotIn("/stubs/", debs.run("ldd", alone))


if __name__ == "__main__":
    sys.exit(debs.run_tests(__doc__, ("readelf", "c++", "ldd"), "install binutils, g++ and libc-bin."))
