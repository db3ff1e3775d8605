"""Both versions of cgroups on a file system that plays the kernel's part."""
import errno
import os
import subprocess
import tempfile
import unittest

import labtest  # noqa: F401

from hearthlab.cgroups import CgroupsV1, CgroupsV2, Files, find_cgroups, quota_and_period
from hearthlab.errors import LabError

V1_MOUNTS = "".join(f"cgroup {{root}}/{each} cgroup rw,{each} 0 0\n" for each in ("cpu", "cpuacct", "memory", "freezer"))
V2_MOUNTS = "tmpfs /run tmpfs rw 0 0\ncgroup2 {root} cgroup2 rw,nsdelegate 0 0\n"
CONTROL_FILES = {
    "cpu.cfs_quota_us": "-1", "cpu.cfs_period_us": "100000", "cpu.shares": "1024", "cpu.weight": "100",
    "cpuacct.usage": "1500000000", "freezer.state": "THAWED",
    "memory.limit_in_bytes": "9223372036854771712", "memory.memsw.limit_in_bytes": "9223372036854771712",
    "cpu.max": "max 100000", "cpu.stat": "usage_usec 2500000\nuser_usec 1", "memory.max": "max", "memory.swap.max": "max",
    "cgroup.freeze": "0", "cgroup.events": "populated 1\nfrozen 0", "cgroup.subtree_control": "", "cgroup.procs": ""}


class FakeFiles(Files):
    """A folder has its control files from the start, and its removal takes them along, as in cgroupfs."""

    def make(self, path):
        os.mkdir(path)
        for name, value in CONTROL_FILES.items():
            with open(os.path.join(path, name), "w") as file:
                file.write(value)

    def remove(self, path):
        if self.groups(path) or self.read(os.path.join(path, "cgroup.procs")).strip():
            raise OSError(errno.EBUSY, "busy")
        for name in CONTROL_FILES:
            os.unlink(os.path.join(path, name))
        os.rmdir(path)

    def write(self, path, value):
        if not os.path.exists(path):
            raise FileNotFoundError(errno.ENOENT, "no such control file", path)
        with open(path, "w") as file:
            file.write(str(value))
        if path.endswith("cgroup.freeze"):
            with open(path.replace("cgroup.freeze", "cgroup.events"), "w") as file:
                file.write(f"populated 1\nfrozen {value}")


class Cgroups(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        for each in ("cpu", "cpuacct", "memory", "freezer"):
            os.mkdir(os.path.join(self.root, each))
        self.files = FakeFiles()

    def find(self, mounts):
        return find_cgroups("home", mounts.format(root=self.root), self.files)

    def content(self, *path):
        return self.files.read(os.path.join(self.root, *path))

    def pass_on(self, controllers):
        with open(os.path.join(self.root, "cgroup.subtree_control"), "w") as file:
            file.write(controllers)

    def make(self, cgroups):
        cgroups.make()
        cgroups.prepare()
        cgroups.make("nano-0")
        cgroups.make("nano-0/agent")

    def both(self):
        self.pass_on("cpu memory")
        for mounts in (V1_MOUNTS, V2_MOUNTS):
            cgroups = self.find(mounts)
            with self.subTest(version=cgroups.version):
                self.make(cgroups)
                yield cgroups
                cgroups.remove()
                self.assertEqual(cgroups.exists(), [])

    def test_the_version_with_the_cpu_controller_is_chosen(self):
        self.assertIsInstance(self.find(V1_MOUNTS), CgroupsV1)
        self.assertIsInstance(self.find(V2_MOUNTS), CgroupsV2)
        self.assertIsInstance(self.find(V2_MOUNTS + V1_MOUNTS), CgroupsV1)  # a hybrid keeps its controllers in version 1
        self.assertIsInstance(self.find("cgroup {root}/cpu cgroup rw,cpu,cpuacct 0 0\n" + V1_MOUNTS), CgroupsV1)
        with self.assertRaisesRegex(LabError, "No cgroups are mounted"):
            self.find("tmpfs /run tmpfs rw 0 0\n")
        with self.assertRaisesRegex(LabError, "controller cpuacct is not mounted"):
            self.find("cgroup {root}/cpu cgroup rw,cpu 0 0\n")

    def test_quotas_are_parts_of_ten_milliseconds(self):
        self.assertEqual(quota_and_period(0.5), (5000, 10000))
        self.assertEqual(quota_and_period(1.6), (16000, 10000))
        self.assertEqual(quota_and_period(0.02), (1000, 50000))  # below the kernel's smallest quota
        for cgroups in self.both():
            cgroups.set_cpu("nano-0", 0.25)
            self.assertAlmostEqual(cgroups.cpu("nano-0"), 0.25)
            self.assertIsNone(cgroups.cpu("nano-0/agent"))
            if cgroups.version == 1:
                self.assertEqual(self.content("cpu/hearth-lab.home/nano-0/cpu.cfs_period_us"), "10000")
                self.assertEqual(self.content("cpu/hearth-lab.home/nano-0/cpu.cfs_quota_us"), "2500")
                self.assertAlmostEqual(cgroups.cpu_seconds("nano-0"), 1.5)
                self.assertEqual(self.content("cpu/hearth-lab.home/cpu.shares"), "10240")
            else:
                self.assertEqual(self.content("hearth-lab.home/nano-0/cpu.max"), "2500 10000")
                self.assertAlmostEqual(cgroups.cpu_seconds("nano-0"), 2.5)
                self.assertEqual(self.content("hearth-lab.home/cpu.weight"), "1000")

    def test_memory_is_limited_together_with_swap(self):
        for cgroups in self.both():
            cgroups.set_memory("nano-0", 123456789)
            if cgroups.version == 1:
                folder, expected = "memory/hearth-lab.home/nano-0/memory", {".limit_in_bytes": "123456789",
                                                                            ".memsw.limit_in_bytes": "123456789"}
            else:
                folder, expected = "hearth-lab.home/nano-0/memory", {".max": "123456789", ".swap.max": "0"}
            self.assertEqual({name: self.content(folder + name) for name in expected}, expected)

    def test_freezing_and_thawing_are_told_and_may_be_repeated(self):
        for cgroups in self.both():
            self.assertFalse(cgroups.is_frozen("nano-0/agent"))
            for _ in range(2):
                cgroups.freeze("nano-0/agent", True)
                self.assertTrue(cgroups.is_frozen("nano-0/agent"))
            cgroups.thaw_all("")
            self.assertFalse(cgroups.is_frozen("nano-0/agent"))

    def test_all_processes_of_all_groups_are_ended(self):
        for cgroups in self.both():
            victim = subprocess.Popen(["sleep", "60"])
            self.addCleanup(victim.kill)
            procs = cgroups.procs_files("nano-0/agent")
            for file in procs:
                self.files.write(file, victim.pid)
            self.assertEqual(cgroups.processes(), [victim.pid])
            # What the kernel does when it ends.
            kill, reads = cgroups.kill, cgroups.processes

            def processes(group=""):
                if victim.poll() is not None:
                    for file in procs:
                        self.files.write(file, "")
                return reads(group)

            cgroups.processes = processes
            self.assertEqual(kill(), 1)
            self.assertEqual(victim.wait(), -9)

    def test_controllers_that_the_root_keeps_to_itself_are_named(self):
        self.pass_on("cpu")
        cgroups = self.find(V2_MOUNTS)
        cgroups.make()
        with self.assertRaisesRegex(LabError, "controller memory is not passed on"):
            cgroups.prepare()

    def test_a_folder_where_root_may_not_make_groups_is_named(self):
        self.files.make = lambda path: (_ for _ in ()).throw(OSError(errno.EROFS, "read-only"))
        with self.assertRaisesRegex(LabError, "hearth-lab.home could not be made. Read-only file system"):
            self.find(V1_MOUNTS).make()
