// What is told when nobody looks, and when the program ends.
#include <QSignalSpy>

#include "tests/ui/shell_fixture.h"

using namespace hearth;

class WindowEndingTest : public ShellFixture {
    Q_OBJECT

    void lookAway() const {
        QWidget other;
        QVERIFY(showActive(other));
        // It stays away: nobody gives the focus back on this platform.
        m_window->hide();
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        begin();
    }
    void cleanup() { end(); }

    void lossesRecoveriesAndTheEndAreToldToWhomLooksAway() {
        m_events = RecordedRun::load(QStringLiteral("lossy_run"));
        lookAway();
        play();
        m_events = RecordedRun::load();
        QVERIFY2(m_notifier->said.contains(QStringLiteral("! local-2 is lost")),
                 qPrintable(m_notifier->said.join(QLatin1Char('\n'))));
        QVERIFY(m_notifier->said.contains(QStringLiteral("Training goes on")));
        m_controller->send({9001, 99, event::State{QStringLiteral("finished")}, {}});
        QCOMPARE(m_notifier->said.last(), QStringLiteral("Training is finished"));
    }

    void aRunWhoseLeaderIsGoneIsToldOnce_data() {
        QTest::addColumn<bool>("itSaidSo");
        QTest::newRow("its agent ended in order and said so") << true;
        QTest::newRow("without a word") << false;
    }
    void aRunWhoseLeaderIsGoneIsToldOnce() {
        QFETCH(bool, itSaidSo);
        lookAway();
        play(QStringLiteral("training"));
        if (itSaidSo)
            m_controller->send({9000, 98, event::State{QStringLiteral("interrupted")}, {}});
        m_controller->end(m_window->run().runId());
        QCOMPARE(m_notifier->said, QStringList{QStringLiteral("! The run was interrupted")});
        // One that is only opened was interrupted long ago.
        m_controller->replaying = true;
        play(QStringLiteral("training"));
        m_controller->end(m_window->run().runId());
        QCOMPARE(m_notifier->said.size(), 1);
    }

    void whoeverWatchesIsToldNothing() {
        QVERIFY(showActive(*m_window));
        m_events = RecordedRun::load(QStringLiteral("lossy_run"));
        play();
        m_events = RecordedRun::load();
        QVERIFY(m_notifier->said.isEmpty());
    }

    void whatIsReplayedIsNoNews() {
        m_controller->replaying = true;
        lookAway();
        m_events = RecordedRun::load(QStringLiteral("lossy_run"));
        play();
        m_events = RecordedRun::load();
        QVERIFY(m_notifier->said.isEmpty());
        QVERIFY(m_notifier->presence.isEmpty());
    }

    void notificationsCanBeTurnedOff() {
        choose("menuNotify");
        lookAway();
        m_events = RecordedRun::load(QStringLiteral("lossy_run"));
        play();
        m_events = RecordedRun::load();
        QVERIFY(m_notifier->said.isEmpty());
        QVERIFY(m_notifier->presence.isEmpty());
        m_controller->send({9001, 99, event::State{QStringLiteral("finished")}, {}});
        restart();
        QVERIFY(!find<QAction>("menuNotify")->isChecked());
    }

    void theIconSaysWhatTheRunDoes() {
        play(QStringLiteral("training"));
        QCOMPARE(m_notifier->presence, QStringLiteral("Hearth: Training"));
        m_controller->send({9000, 98, event::Round{7, 1, 7, 1.5, 0.1, 0.1, 100, {}, {}}, {}});
        QCOMPARE(m_notifier->presence, QStringLiteral("Hearth: Training, round 7"));
        m_controller->send({9001, 99, event::State{QStringLiteral("stopped")}, {}});
        QVERIFY(m_notifier->presence.isEmpty());
    }

    void aWindowThatIsClosedWhileTheHomeTrainsLivesOnBesideTheClock() {
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::Close;
        QVERIFY(m_window->close());
        QVERIFY(over.isEmpty());
        Q_EMIT m_notifier->windowWanted();
        QVERIFY(m_window->isVisible());
        QVERIFY(m_window->close());
        Q_EMIT m_notifier->quitWanted();
        QCOMPARE(over.size(), 1);
    }

    void closingByTheIconAsksAsTheWindowDoesAndEndsTheProgram() {
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        m_home->demo = true;
        play(QStringLiteral("training"));
        Q_EMIT m_notifier->quitWanted();
        QCOMPARE(m_questions->asked.size(), std::size_t{1});
        QVERIFY(m_window->isVisible());
        QVERIFY(over.isEmpty());
        m_home->demo = false;
        m_questions->answer = CloseAnswer::Close;
        Q_EMIT m_notifier->quitWanted();
        QCOMPARE(over.size(), 1);
        QVERIFY(!m_window->isVisible());
    }

    void theProgramEndsWithTheWindow_data() {
        QTest::addColumn<bool>("demo");
        QTest::addColumn<bool>("tray");
        QTest::addColumn<bool>("training");
        QTest::newRow("a demo, which ends with it") << true << true << true;
        QTest::newRow("a desktop without a tray") << false << false << true;
        QTest::newRow("nothing trains") << false << true << false;
    }
    void theProgramEndsWithTheWindow() {
        QFETCH(bool, demo);
        QFETCH(bool, tray);
        QFETCH(bool, training);
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        m_home->demo = demo;
        m_notifier->available = tray;
        if (training)
            play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::Close;
        QVERIFY(m_window->close());
        QCOMPARE(over.size(), 1);
    }

    void aSecondStartBringsTheWindowToTheFront() {
        m_window->showMinimized();
        m_shell->showWindow();
        QVERIFY(!m_window->isMinimized());
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        // Closed while the home trains, it is behind its icon only.
        play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::Close;
        QVERIFY(m_window->close());
        m_shell->showWindow();
        QVERIFY(m_window->isVisible());
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void staysIfTheUserThinksBetterOfClosing() {
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        play(QStringLiteral("training"));
        QVERIFY(!m_window->close());
        QVERIFY(over.isEmpty());
        QVERIFY(m_window->isVisible());
    }
};

QTEST_MAIN(WindowEndingTest)
#include "window_ending_test.moc"
