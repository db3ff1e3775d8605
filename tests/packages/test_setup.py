#!/usr/bin/python3
"""resources/setup.sh with programs that play dpkg, apt-get, sudo and cmake: nothing is installed or built."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# What setup.sh takes of the system itself.
REAL = ("bash", "sh", "env", "grep", "cat", "mkdir", "awk", "nproc", "flock", "id")


class Setup(unittest.TestCase):
    def setUp(self):
        # A space in the path, as people have it.
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="hearth setup ")))
        self.programs = self.folder / "bin"
        self.programs.mkdir()
        for name in REAL:
            (self.programs / name).symlink_to(shutil.which(name))
        self.play("dpkg-query", "[ \"$3\" != lacking ] && echo ii")
        self.play("id", "echo 1000")

    def play(self, name, script):
        program = self.programs / name
        program.unlink(missing_ok=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    def words(self, command):
        return [self.programs / "bash", "-c", f'set -euo pipefail; . "$0"; {command}', ROOT / "resources/setup.sh"]

    def environment(self):
        return {"PATH": str(self.programs), "FOLDER": str(self.folder)}

    def run_setup(self, command):
        done = subprocess.run(self.words(command), cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_help_is_told_before_anything_is_installed(self):
        self.play("dpkg-query", "exit 1")
        for name in ("dirname", "readlink", "sed"):
            (self.programs / name).symlink_to(shutil.which(name))
        for script, option in (("app/run", "--headless"), ("tests/run", "--all")):
            for word in ("--help", "-h"):
                done = subprocess.run([self.programs / "bash", ROOT / script, word], env=self.environment(),
                                      cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), script)
                self.assertIn(f"{script} {option}", done.stdout)

    def test_nothing_is_done_where_nothing_is_missing(self):
        self.assertEqual(self.run_setup("hearth_install here there"), (0, ""))

    def test_without_sudo_the_packages_and_the_command_are_named(self):
        status, said = self.run_setup("hearth_install here lacking")
        self.assertEqual(status, 1)
        self.assertIn("these packages are missing: lacking\n", said)
        self.assertIn("apt-get install --no-install-recommends lacking\n", said)

    def test_who_may_not_use_sudo_is_told_the_command(self):
        self.play("sudo", "[ \"$1\" = -n ] || { echo \"Sorry, user anna may not run sudo on laptop.\"; exit 1; }")
        status, said = self.run_setup("hearth_install lacking")
        self.assertEqual(status, 1)
        self.assertIn("may not run sudo", said)
        self.assertIn("those of Debian 12, and this is", said)
        self.assertIn("apt-get install --no-install-recommends lacking\n", said)

    def test_a_repository_that_does_not_answer_stops_nothing(self):
        self.play("sudo", '[ "$1" = -n ] || exec "$@"')
        self.play("apt-get", 'echo "$*" >>"$FOLDER/asked"; [ "$1" = install ]')
        status, said = self.run_setup("hearth_install lacking")
        self.assertEqual(status, 0, said)
        self.assertIn("not all lists of packages could be renewed", said)
        asked = (self.folder / "asked").read_text().splitlines()
        self.assertEqual([line.split()[0] for line in asked], ["update", "install"])
        self.assertIn("DPkg::Lock::Timeout", asked[1])
        self.assertTrue(asked[1].endswith(" lacking"))

    def test_no_ssh_server_is_left_running(self):
        self.play("dpkg-query", "exit 1")
        self.play("sudo", '[ "$1" = -n ] || exec "$@"')
        for name in ("apt-get", "systemctl"):
            self.play(name, f'echo "{name} $1" >>"$FOLDER/asked"; [ "$1" != install ] || exit 3')
        status, said = self.run_setup("hearth_install openssh-server")
        self.assertEqual(status, 1, said)
        # Also where installing has failed.
        self.assertEqual((self.folder / "asked").read_text().splitlines(),
                         ["apt-get update", "systemctl mask", "apt-get install", "systemctl unmask", "systemctl disable"])

    def test_other_packages_leave_its_service_alone(self):
        self.play("sudo", '[ "$1" = -n ] || exec "$@"')
        for name in ("apt-get", "systemctl"):
            self.play(name, f'echo {name} >>"$FOLDER/asked"')
        self.run_setup("hearth_install lacking")
        self.assertNotIn("systemctl", (self.folder / "asked").read_text())

    def test_what_packages_are_made_with_comes_with_what_builds(self):
        # Without dpkg-dev's dpkg-shlibdeps cpack makes packages that name no libraries, and says nothing.
        _, said = self.run_setup("printf '%s\\n' \"${HEARTH_BUILD_PACKAGES[@]}\"")
        self.assertLessEqual({"dpkg-dev", "file"}, set(said.split()))

    def test_a_second_build_waits_for_the_first(self):
        # The first goes on when it is told to, and the second is begun before.
        os.mkfifo(self.folder / "go on")
        self.play("cmake", """
            [ "$1" = --build ] && exit 0
            echo begins >>"$FOLDER/order"
            if [ ! -e "$FOLDER/second" ]; then : >"$FOLDER/second"; cat "$FOLDER/go on"; fi
            echo ends >>"$FOLDER/order"
            """)

        def build():
            return subprocess.Popen(self.words("hearth_build release"), cwd=self.folder, env=self.environment(),
                                    stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

        with build() as first:
            # Opens when the first reads, with the lock in its hands.
            with open(self.folder / "go on", "w"):
                second = build()
                said = second.stderr.readline()
            with second:
                self.assertIn("waiting for another build in build/release", said)
        self.assertEqual((first.returncode, second.returncode), (0, 0))
        self.assertEqual((self.folder / "order").read_text().split(), ["begins", "ends", "begins", "ends"])


if __name__ == "__main__":
    unittest.main()
