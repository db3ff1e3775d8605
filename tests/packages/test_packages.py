#!/usr/bin/python3
"""Looks at the Debian packages of a build: test_packages.py --build FOLDER --version VERSION [unittest arguments].

Exit status: 0 passed, 1 failed, 77 skipped (no dpkg-deb here). Checks by programs that are not installed are left out, and
their names are printed.
"""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import completion  # noqa: E402
import debs  # noqa: E402

FILES = {
    "hearth": {
        "/usr/bin/hearth",
        "/usr/share/applications/org.hearth.Hearth.desktop",
        "/usr/share/bash-completion/completions/hearth",
        "/usr/share/doc/hearth/changelog.gz",
        "/usr/share/doc/hearth/copyright",
        "/usr/share/fish/vendor_completions.d/hearth.fish",
        "/usr/share/hearth/candidates",
        "/usr/share/hearth/completion-words",
        "/usr/share/icons/hicolor/scalable/apps/org.hearth.Hearth.svg",
        "/usr/share/man/man1/hearth.1.gz",
        "/usr/share/man/man5/hearth-events.5.gz",
        "/usr/share/man/man5/hearth-job.5.gz",
        "/usr/share/man/man5/hearth-model.5.gz",
        "/usr/share/man/man5/hearth-plan.5.gz",
        "/usr/share/metainfo/org.hearth.Hearth.metainfo.xml",
        "/usr/share/zsh/vendor-completions/_hearth",
    },
    "hearth-agent": {
        "/usr/bin/hearth-agent",
        "/usr/lib/systemd/system/hearth-agent.service",
        "/usr/lib/systemd/user/hearth-agent.service",
        "/usr/lib/sysusers.d/hearth-agent.conf",
        "/usr/libexec/hearth/hearth-coordinator",
        "/usr/libexec/hearth/hearth-worker",
        "/usr/share/bash-completion/completions/hearth-agent",
        "/usr/share/doc/hearth-agent/changelog.gz",
        "/usr/share/doc/hearth-agent/copyright",
        "/usr/share/fish/vendor_completions.d/hearth-agent.fish",
        "/usr/share/man/man1/hearth-agent.1.gz",
        "/usr/share/polkit-1/rules.d/hearth-agent.rules",
        "/usr/share/zsh/vendor-completions/_hearth-agent",
    },
}
STUBS = pathlib.PurePosixPath("/usr/libexec/hearth/stubs")


def needs(program):
    """Leaves the test out where a checker is not installed."""
    there = shutil.which(program) is not None
    return unittest.skipUnless(there, f"{program} is not installed")


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="hearth-packages-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.debs = debs.build(debs.OPTIONS.build, cls.folder / "debs")
        # A place with a space: nothing may depend on where it is.
        cls.root = cls.folder / "some where"
        for deb in cls.debs.values():
            debs.run("dpkg-deb", "--extract", deb, cls.root)

    def stubs(self):
        """Of the build (.cmake/HearthStubs.cmake); a package has the same."""
        return sorted((pathlib.Path(debs.OPTIONS.build) / "bin/stubs").glob("*"))

    def fields(self, name):
        return {key: debs.field(self.debs[name], key)
                for key in ("Version", "Maintainer", "Section", "Priority", "Depends", "Recommends", "Description")}

    def test_the_configuration_is_read_without_a_warning(self):
        self.assertEqual(debs.run("cmake", "-P", pathlib.Path(debs.OPTIONS.build) / "CPackConfig.cmake"), "")

    def test_fields_say_what_it_is(self):
        for name in debs.NAMES:
            fields = self.fields(name)
            self.assertEqual(fields["Version"], debs.OPTIONS.version)
            self.assertEqual(fields["Section"], "science")
            self.assertEqual(fields["Priority"], "optional")
            self.assertTrue(fields["Maintainer"].startswith("Hearth maintainers <"))
            self.assertEqual(debs.field(self.debs[name], "Architecture"),
                             debs.run("dpkg", "--print-architecture").strip())
            lines = fields["Description"].splitlines()
            self.assertLessEqual(len(lines[0]), 80)
            self.assertGreater(len(lines), 2)

    def test_dependencies_are_those_of_the_programs(self):
        app, agent = self.fields("hearth"), self.fields("hearth-agent")
        self.assertIn(f"hearth-agent (= {debs.OPTIONS.version})", app["Depends"])
        for wanted in ("libqt6widgets6", "libqcustomplot", "libqrencode4", "libqt6sql6-sqlite", "libc6"):
            self.assertIn(wanted, app["Depends"])
        for unwanted in ("libtorch", "libavahi"):
            self.assertNotIn(unwanted, app["Depends"])
        for wanted in ("libtorch", "libqt6network6", "libqt6gui6", "libjpeg", "libssl3", "libavahi-client3"):
            self.assertIn(wanted, agent["Depends"])
        for unwanted in ("libqt6widgets6", "libssh"):
            self.assertNotIn(unwanted, agent["Depends"])
        self.assertIn("avahi-daemon", agent["Recommends"])
        self.assertIn("libopenblas0-pthread", agent["Recommends"])
        self.assertIn("dataset-fashion-mnist", app["Recommends"])

    def test_files_are_these_and_no_others(self):
        for name in debs.NAMES:
            there = debs.contents(self.debs[name])
            files = {path for path, (permissions, _) in there.items() if not permissions.startswith("d")}
            stubs = {str(STUBS / stub.name) for stub in self.stubs()} if name == "hearth-agent" else set()
            self.assertEqual(files, FILES[name] | stubs)
            for path, (permissions, owner) in there.items():
                self.assertEqual(owner, "root/root", path)
                program = "/bin/" in path or "/libexec/" in path and path not in stubs or path.endswith("/candidates")
                runs = permissions.startswith("d") or program
                self.assertEqual(permissions[1:], "rwxr-xr-x" if runs else "rw-r--r--", path)

    def test_programs_are_stripped_and_carry_no_path_of_the_build(self):
        for program in ("bin/hearth", "bin/hearth-agent", "libexec/hearth/hearth-coordinator",
                        "libexec/hearth/hearth-worker"):
            sections = debs.run("readelf", "--wide", "--sections", "--dynamic", self.root / "usr" / program)
            self.assertNotIn(".debug_info", sections)
            self.assertNotIn("RUNPATH", sections)
            rpaths = ["$ORIGIN/stubs"] if program.endswith("worker") and self.stubs() else []
            self.assertEqual(re.findall(r"\(RPATH\).*\[(.*)\]", sections), rpaths)

    def test_installed_worker_loads_no_library_that_nobody_uses(self):
        if not self.stubs():
            self.skipTest("this LibTorch asks only for what it takes")
        usr = self.root / "usr"
        debs.check_stubs(self, usr / "libexec/hearth/hearth-worker", sorted((usr / "libexec/hearth/stubs").iterdir()))

    def test_installed_programs_find_each_other(self):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder / "home"), "LANG": "C.UTF-8"}
        usr = self.root / "usr"
        for program in ("bin/hearth", "bin/hearth-agent", "libexec/hearth/hearth-coordinator",
                        "libexec/hearth/hearth-worker"):
            said = debs.run(usr / program, "--version", env=environment)
            self.assertEqual(said.strip(), f"{pathlib.Path(program).name} {debs.OPTIONS.version}")
        self.assertIn("fashion-cnn", debs.run(usr / "bin/hearth", "model", "fashion-cnn", env=environment))
        if not os.path.isdir("/usr/share/datasets/fashion-mnist"):
            self.skipTest("dataset-fashion-mnist is not installed")
        said = debs.run(usr / "bin/hearth", "demo", "--headless", "--json", "--devices", "2", "--rounds", "2",
                        env=environment, stdin=subprocess.DEVNULL)
        self.assertIn('"event":"finished"', said)

    def test_completion_knows_commands_and_options(self):
        completion.check_in_bash(self, self.root / "usr/share")
        said = debs.run(self.root / "usr/bin/hearth", "--help")
        self.assertEqual(completion.bash(self.root / "usr/share", "hearth", ""),
                         [line.split()[0] for line in said.split("Commands:")[1].split("\n\n")[0].splitlines() if line])
        said = debs.run(self.root / "usr/bin/hearth-agent", "--help")
        options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", said, re.M))
        self.assertEqual(set(completion.bash(self.root / "usr/share", "hearth-agent", "--")), options)

    def test_documents_are_readable_and_dated(self):
        for name in debs.NAMES:
            changelog = gzip.open(self.root / "usr/share/doc" / name / "changelog.gz", "rt").read()
            self.assertTrue(changelog.startswith(f"hearth ({debs.OPTIONS.version}) "))
            page = gzip.open(self.root / f"usr/share/man/man1/{name}.1.gz", "rt").read()
            self.assertIn(f"Hearth {debs.OPTIONS.version}", page)

    def test_every_command_is_in_the_manual(self):
        said = debs.run(self.root / "usr/bin/hearth", "--help")
        page = gzip.open(self.root / "usr/share/man/man1/hearth.1.gz", "rt").read().replace("\\-", "-")
        listed = [line.split()[0] for line in said.split("Commands:")[1].split("\n\n")[0].splitlines() if line.strip()]
        self.assertGreater(len(listed), 10)
        for command in listed:
            self.assertIn(command, page)
        said = debs.run(self.root / "usr/bin/hearth-agent", "--help")
        page = gzip.open(self.root / "usr/share/man/man1/hearth-agent.1.gz", "rt").read().replace("\\-", "-")
        options = {word.rstrip(",") for line in said.splitlines() for word in line.split() if word.startswith("--")}
        for option in options - {"--help-all"}:
            self.assertIn(option, page)

    @needs("man")
    def test_manual_pages_are_well_formed(self):
        for page in (self.root / "usr/share/man").glob("man*/*.gz"):
            plain = self.folder / page.stem
            plain.write_bytes(gzip.decompress(page.read_bytes()))
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(plain)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.stderr, "")

    @needs("desktop-file-validate")
    def test_desktop_file_is_valid(self):
        self.assertEqual(debs.run("desktop-file-validate",
                                  self.root / "usr/share/applications/org.hearth.Hearth.desktop"), "")

    @needs("appstreamcli")
    def test_metainfo_is_valid(self):
        debs.run("appstreamcli", "validate", "--no-net", self.root / "usr/share/metainfo/org.hearth.Hearth.metainfo.xml")

    def test_maintainer_scripts_are_sound(self):
        control = self.folder / "control"
        debs.run("dpkg-deb", "--control", self.debs["hearth-agent"], control)
        for name in ("postinst", "prerm", "postrm"):
            debs.run("sh", "-n", control / name)
            if shutil.which("shellcheck"):
                debs.run("shellcheck", control / name)

    @needs("systemd-analyze")
    def test_units_are_valid_and_confined(self):
        for manager, worst in (("system", 25), ("user", 100)):
            unit = self.root / f"usr/lib/systemd/{manager}/hearth-agent.service"
            self.assertIn("ExecStart=/usr/bin/hearth-agent", unit.read_text())
            folder = self.folder / manager
            folder.mkdir()
            # What is not installed cannot be verified: the program of the unpacked package stands in.
            agent = shutil.copy(self.root / "usr/bin/hearth-agent", folder)
            checked = folder / "hearth-agent.service"
            checked.write_text(unit.read_text().replace("/usr/bin/hearth-agent", str(agent))
                               .replace("Documentation=", "#"))
            said = debs.run("systemd-analyze", f"--{manager}", "verify", "--man=no", checked,
                            env={**os.environ, "XDG_RUNTIME_DIR": str(folder)})
            self.assertNotIn("hearth-agent.service", said)
            debs.run("systemd-analyze", "security", "--offline=true", f"--threshold={worst}", checked)

    @needs("lintian")
    def test_lintian_finds_no_errors(self):
        said = debs.run("lintian", "--fail-on", "error", "--tag-display-limit", "0", *self.debs.values(),
                        env={**os.environ, "LC_ALL": "C.UTF-8"})
        print(said, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(debs.run_tests(__doc__, ("dpkg-deb",), "Debian packages are built and checked on Debian."))
