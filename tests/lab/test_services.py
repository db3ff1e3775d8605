"""The keeper's service manager, with a clock of its own and programs that need no lab."""
import subprocess
import unittest
from unittest import mock

import labtest  # noqa: F401

from hearthlab import service
from hearthlab.service import RESTART_PAUSE, START_LIMIT, START_LIMIT_SECONDS, Service


class Services(unittest.TestCase):
    def setUp(self):
        self.now = 1000.0
        self.ready = True
        self.started = []
        self.words = ["false"]
        # Popen.wait() has the real clock: only the module's own name is replaced.
        clock = mock.Mock(monotonic=lambda: self.now)
        for name, replacement in (("time", clock), ("spawn", self.spawn)):
            patch = mock.patch.object(service, name, replacement)
            patch.start()
            self.addCleanup(patch.stop)
        self.cgroups = mock.Mock()
        self.cgroups.kill.side_effect = lambda group: [each.kill() for each in self.started]
        lab = mock.Mock()
        self.service = Service(lab, self.cgroups, "nano-0", "agent", "agent", self.words, lambda holder: self.ready, 1)

    def spawn(self, *arguments):
        process = subprocess.Popen(self.words)
        self.started.append(process)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def poll_after_end(self):
        self.started[-1].wait()
        self.service.poll()

    def test_it_starts_when_what_it_depends_on_is_there(self):
        self.ready = False
        self.service.poll()
        self.assertEqual((self.service.state, self.started), ("waiting", []))
        self.ready = True
        self.service.poll()
        self.assertEqual((self.service.state, len(self.started)), ("running", 1))

    def test_after_an_end_it_is_restarted_when_the_pause_is_over(self):
        self.service.poll()
        self.poll_after_end()
        self.assertEqual((self.service.state, self.service.restarts, self.service.last_end), ("waiting", 1, "status 1"))
        self.assertEqual(len(self.started), 1)
        self.now += RESTART_PAUSE
        self.service.poll()
        self.assertEqual((self.service.state, len(self.started)), ("running", 2))

    def test_one_that_always_ends_at_once_stays_down_until_it_is_started_by_hand(self):
        self.service.poll()
        for _ in range(START_LIMIT):
            self.poll_after_end()
            self.now += RESTART_PAUSE
            self.service.poll()
        self.assertEqual((self.service.state, len(self.started)), ("failed", START_LIMIT))
        self.service.start()
        self.assertEqual((self.service.state, len(self.started)), ("running", START_LIMIT + 1))

    def test_one_that_ends_now_and_then_is_always_restarted(self):
        self.service.poll()
        for _ in range(3 * START_LIMIT):
            self.poll_after_end()
            self.now += START_LIMIT_SECONDS
            self.service.poll()
        self.assertEqual((self.service.state, self.service.restarts), ("running", 3 * START_LIMIT))

    def test_one_that_ends_because_it_was_asked_to_stays_down(self):
        self.words = ["true"]
        self.service.poll()
        self.poll_after_end()
        self.now += RESTART_PAUSE
        self.service.poll()
        self.assertEqual((self.service.state, self.service.restarts, len(self.started)), ("stopped", 0, 1))
        self.service.start()
        self.assertEqual((self.service.state, len(self.started)), ("running", 2))

    def test_one_that_is_killed_stays_down_until_it_is_started(self):
        self.words = ["sleep", "60"]
        self.service.poll()
        for _ in range(2):
            self.service.kill()
            self.now += 10 * RESTART_PAUSE
            self.service.poll()
            self.assertEqual((self.service.state, self.service.restarts, self.service.process), ("stopped", 0, None))
        self.assertEqual(self.service.last_end, "signal 9")
        self.service.start()
        self.service.start()
        self.assertEqual((self.service.state, len(self.started)), ("running", 2))
