#!/usr/bin/python3
"""Looks at the bundle of a build, unpacked: test_bundle.py --build FOLDER --version VERSION [unittest arguments].

Exit status: 0 passed, 1 failed, 77 skipped (no patchelf here). `tests/packages/run --bundle` uses it in an older system.
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(os.path.realpath(__file__)).parent
sys.path.insert(0, str(HERE))

import debs  # noqa: E402

MAKER = HERE.parent.parent / "resources/packages/bundle"
PROGRAMS = ("bin/hearth-agent", "libexec/hearth/hearth-coordinator", "libexec/hearth/hearth-worker")


def can_hide():
    """Whether this user gets a root of its own."""
    return subprocess.run(["unshare", "--map-root-user", "--mount", "true"], stderr=subprocess.DEVNULL).returncode == 0


class Bundle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="hearth-bundle-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        # A place with a space: nothing may depend on where it is.
        cls.root = cls.folder / "some where"
        debs.run(MAKER, debs.OPTIONS.build, "--tree", cls.root)

    def test_programs_start_without_any_environment(self):
        for program in PROGRAMS:
            said = debs.run(self.root / "usr" / program, "--version", env={})
            self.assertEqual(said.strip(), f"{pathlib.Path(program).name} {debs.OPTIONS.version}")

    def test_a_link_to_a_program_starts_it(self):
        link = self.folder / "agent"
        link.symlink_to(self.root / "usr/bin/hearth-agent")
        self.assertIn(debs.OPTIONS.version, debs.run(link, "--version", env={"PATH": "/usr/bin:/bin"}))

    def test_what_misleads_a_loader_is_ignored(self):
        misleading = {"LD_LIBRARY_PATH": "/nonexistent", "LD_PRELOAD": "/nonexistent/libx.so", "PATH": "",
                      "QT_PLUGIN_PATH": "/nonexistent", "OPENSSL_CONF": "/nonexistent"}
        # The shell that starts it complains of the library on its own.
        self.assertIn(debs.OPTIONS.version, debs.run(self.root / "usr/bin/hearth-agent", "--version", env=misleading))

    @unittest.skipUnless(can_hide(), "no namespaces for this user")
    def test_nothing_of_the_system_is_needed_but_a_shell(self):
        root = self.folder / "hidden"
        shell = os.path.realpath("/bin/sh")
        for file in ["/bin/sh", *[word for word in debs.run("ldd", shell).split() if word.startswith("/")]]:
            target = root / file.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
        for folder in ("hearth", "proc"):
            (root / folder).mkdir()
        inside = ('mount --bind "$1" "$0/hearth" && mount --rbind /proc "$0/proc" && '
                  'exec chroot "$0" /hearth/usr/bin/hearth-agent init --name hidden --state /state')
        # The identity takes TLS, whose library is a plugin's.
        said = debs.run("unshare", "--map-root-user", "--mount", "sh", "-c", inside, root, self.root)
        self.assertIn('"hidden"', said)
        self.assertTrue((root / "state/key.pem").exists())
        self.assertNotIn("qt.", said)

    def test_a_running_agent_uses_no_library_of_the_system(self):
        state = self.folder / "state"
        with subprocess.Popen([self.root / "usr/bin/hearth-agent", "--state", state, "--listen", "127.0.0.1:0", "--no-mdns"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as agent:
            ends = time.monotonic() + 60
            while not (state / "agent.sock").exists():
                if agent.poll() is not None or time.monotonic() > ends:
                    agent.kill()
                    self.fail(f"the agent does not start: {agent.stderr.read()}")
                time.sleep(0.05)
            lines = pathlib.Path(f"/proc/{agent.pid}/maps").read_text().splitlines()
            agent.terminate()
        used = {line.split(None, 5)[5] for line in lines if ".so" in line}
        self.assertTrue(any("libssl" in path for path in used))
        self.assertEqual([path for path in used if not path.startswith(str(self.root.resolve()))], [])

    def test_no_file_looks_for_libraries_elsewhere(self):
        libraries = self.root / "usr/lib/hearth"
        for file in [*libraries.glob("*.so*"), *(libraries / "programs").iterdir(), *libraries.glob("plugins/*/*.so")]:
            said = debs.run("readelf", "--wide", "--dynamic", file)
            self.assertIn("NODEFLIB", said, file)
            self.assertNotIn("RPATH", said, file)
            self.assertNotIn("RUNPATH", said, file)
        self.assertFalse(list(libraries.glob("libopencv*")), "LibTorch's unused libraries are there")

    def test_licences_of_the_libraries_are_there(self):
        texts = {path.name for path in (self.root / "usr/share/doc/hearth-agent/libraries").iterdir()}
        for package in ("libc6", "libqt6network6", "libtorch1.13", "libssl3"):
            self.assertIn(f"{package}.copyright", texts)

    def test_the_archive_begins_with_what_it_is(self):
        loader = importlib.machinery.SourceFileLoader("bundle", str(MAKER))
        bundle = importlib.util.module_from_spec(importlib.util.spec_from_loader("bundle", loader))
        loader.exec_module(bundle)
        stage = self.folder / "small"
        (stage / "usr/bin").mkdir(parents=True)
        (stage / "usr/bin/hearth-agent").write_text("#!/bin/sh\n")
        archives = [self.folder / "one.tar.gz", self.folder / "two.tar.gz"]
        for archive in archives:
            bundle.pack(stage, "Package: hearth-agent\n", archive)
        self.assertEqual(archives[0].read_bytes(), archives[1].read_bytes())
        with tarfile.open(archives[0]) as members:
            names = members.getnames()
            self.assertEqual(names[0], "control")
            self.assertIn("usr/bin/hearth-agent", names)
            self.assertEqual({member.uname for member in members.getmembers()}, {"root"})


if __name__ == "__main__":
    sys.exit(debs.run_tests(__doc__, ("patchelf", "dpkg-query"), "bundles are made on Debian, with the package patchelf."))
