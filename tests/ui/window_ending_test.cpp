// What is told when nobody looks, and when the program ends.
#include <QApplication>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTimer>

#include "tests/ui/shell_fixture.h"
#include "ui/base/message_questions.h"

using namespace hearth;

class WindowEndingTest : public ShellFixture {
    Q_OBJECT

    /// As it trains.
    void openOwnRun() const {
        m_controller->open(QStringLiteral("own"));
        for (RunEvent one : m_events) {
            if (auto *run = std::get_if<event::Run>(&one.body))
                run->id = QStringLiteral("own");
            m_controller->send(one);
            const auto *state = std::get_if<event::State>(&one.body);
            if (state != nullptr && state->state == QLatin1String("training"))
                return;
        }
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginAfresh(); }
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
        play(QStringLiteral("training"));
        QVERIFY(m_notifier->presence.startsWith(QStringLiteral("Hearth: This computer · ")));
        m_events = RecordedRun::load(QStringLiteral("lossy_run"));
        play();
        m_events = RecordedRun::load();
        QVERIFY(m_notifier->said.isEmpty());
    }

    void notificationsCanBeTurnedOff() {
        choose("menuNotify");
        lookAway();
        m_events = RecordedRun::load(QStringLiteral("lossy_run"));
        play();
        m_events = RecordedRun::load();
        QVERIFY(m_notifier->said.isEmpty());
        play(QStringLiteral("training"));
        QVERIFY(m_notifier->presence.startsWith(QStringLiteral("Hearth: This computer · ")));
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
        m_home->list.front().state = DeviceState::Ready;
        m_home->set(m_home->list);
        QCOMPARE(m_notifier->presence, QStringLiteral("Hearth: This computer · Ready"));
    }

    void aWindowThatIsClosedLivesOnBesideTheClock_data() {
        QTest::addColumn<bool>("training");
        QTest::newRow("while the home trains") << true;
        QTest::newRow("while nothing trains yet") << false;
    }
    void aWindowThatIsClosedLivesOnBesideTheClock() {
        QFETCH(bool, training);
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        if (training)
            play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::Close;
        QVERIFY(m_window->close());
        QVERIFY(over.isEmpty());
        const QStringList once{QStringLiteral("Hearth stays beside the clock")};
        QCOMPARE(m_notifier->said, once);
        Q_EMIT m_notifier->windowWanted();
        QVERIFY(m_window->isVisible());
        QVERIFY(m_window->close());
        QCOMPARE(m_notifier->said, once);
        press("trayShow");
        QVERIFY(m_window->isVisible());
        QVERIFY(m_window->close());
        press("trayClose");
        QCOMPARE(over.size(), 1);
    }

    void aClosedWindowLeavesItsIconWhereThePanelStartedAfterHearth() {
        m_notifier->available = false;
        m_home->list.front().state = DeviceState::Ready;
        m_home->set(m_home->list);
        QVERIFY(m_notifier->presence.isEmpty());
        m_notifier->available = true;
        QVERIFY(m_window->close());
        QCOMPARE(m_notifier->presence, QStringLiteral("Hearth: This computer · Ready"));
    }

    void aClosedWindowEndsWhereTheAgentStaysAway_data() {
        QTest::addColumn<bool>("isBack");
        QTest::newRow("it stays away") << false;
        QTest::newRow("it is back soon") << true;
    }
    void aClosedWindowEndsWhereTheAgentStaysAway() {
        QFETCH(bool, isBack);
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        const auto *lastWord = m_shell->findChild<QTimer *>(QStringLiteral("lastWord"));
        QVERIFY(lastWord != nullptr);
        QVERIFY(m_window->close());
        for (const bool there : {false, isBack}) {
            m_home->list.front().state = there ? DeviceState::Ready : DeviceState::Lost;
            m_home->set(m_home->list);
        }
        QVERIFY(over.isEmpty());
        QCOMPARE(lastWord->isActive(), !isBack);
        QVERIFY(!m_notifier->presence.isEmpty());
        m_shell->showWindow();
        QVERIFY(!lastWord->isActive());
        QCOMPARE(m_notifier->presence.isEmpty(), !isBack);
    }

    void closingByTheIconAsksAsTheWindowDoesAndEndsTheProgram() {
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        m_home->demo = true;
        play(QStringLiteral("training"));
        press("trayClose");
        QCOMPARE(m_questions->asked.size(), std::size_t{1});
        QVERIFY(m_window->isVisible());
        QVERIFY(over.isEmpty());
        m_home->demo = false;
        m_questions->answer = CloseAnswer::Close;
        press("trayClose");
        QCOMPARE(over.size(), 1);
        QVERIFY(!m_window->isVisible());
    }

    void closingByTheIconEndsTheProgramOnceItsRunHasStopped() {
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::StopAndClose;
        press("trayClose");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("stop")});
        QVERIFY(over.isEmpty());
        m_controller->send({9000, 98, event::State{QStringLiteral("stopped")}, {}});
        QVERIFY(!m_window->isVisible());
        QCOMPARE(over.size(), 1);
    }

    void theProgramStaysWhereItsEndCameToNothing_data() {
        QTest::addColumn<bool>("fails");
        QTest::newRow("somebody thought better of it while the run stopped") << false;
        QTest::newRow("something went wrong while the run stopped") << true;
    }
    void theProgramStaysWhereItsEndCameToNothing() {
        QFETCH(bool, fails);
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::StopAndClose;
        press("trayClose");
        if (fails) {
            Q_EMIT m_controller->failed({QStringLiteral("x"), QStringLiteral("Nothing was saved."), {}, {}});
        } else {
            m_questions->answer = CloseAnswer::Stay;
            press("trayClose");
        }
        m_controller->send({9000, 98, event::State{QStringLiteral("stopped")}, {}});
        QVERIFY(m_window->isVisible());
        // This closes the window alone.
        QVERIFY(m_window->close());
        QVERIFY(over.isEmpty());
    }

    void anAnswerStopsNoOtherRunThanWasAskedAbout_data() {
        QTest::addColumn<bool>("demo");
        QTest::newRow("whether the demo ends, before its run is saved") << true;
        QTest::newRow("whether the window closes") << false;
    }
    void anAnswerStopsNoOtherRunThanWasAskedAbout() {
        QFETCH(bool, demo);
        m_home->demo = demo;
        play(QStringLiteral("training"));
        m_questions->endDemo = m_questions->answer = CloseAnswer::StopAndClose;
        m_questions->meanwhile = [this, demo] {
            m_controller->send({9000, 98, event::State{QStringLiteral("stopped")}, {}});
            if (demo)
                m_home->leaveDemo();
            openOwnRun();
        };
        if (demo)
            choose("menuEndDemo");
        else
            QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
        QVERIFY(m_window->run().isTraining());
        QVERIFY(!m_controller->calls.contains(QStringLiteral("stop")));
    }

    void aDemoThatIsAboutToEndStaysWhileItIsAskedAbout() {
        m_home->demo = true;
        play(QStringLiteral("training"));
        m_questions->endDemo = CloseAnswer::StopAndClose;
        choose("menuEndDemo");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("stop")});
        // The run ends while the user is asked once more.
        m_questions->meanwhile = [this] {
            m_controller->send({9000, 98, event::State{QStringLiteral("stopped")}, {}});
            QCoreApplication::processEvents();
            if (!m_home->demo)
                openOwnRun();
        };
        choose("menuEndDemo");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("stop")});
        QCOMPARE(m_home->calls, QStringList{QStringLiteral("leaveDemo")});
        QVERIFY(!find<QWidget>("windowNotice")->isVisible());
    }

    void aRunThatEndedWhileItWasAskedAboutIsNotStopped() {
        play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::StopAndClose;
        m_questions->meanwhile = [this] {
            m_controller->send({9000, 98, event::State{QStringLiteral("finished")}, {}});
        };
        QVERIFY(m_window->close());
        QVERIFY(m_controller->calls.isEmpty());
    }

    void whoeverStaysWaitsOnForTheEndOfTheDemosRun() {
        m_home->demo = true;
        play(QStringLiteral("training"));
        m_questions->endDemo = CloseAnswer::StopAndClose;
        choose("menuEndDemo");
        m_questions->endDemo = CloseAnswer::Stay;
        m_questions->meanwhile = [this] {
            m_controller->send({9000, 98, event::State{QStringLiteral("stopped")}, {}});
        };
        choose("menuEndDemo");
        QTRY_COMPARE_WITH_TIMEOUT(m_home->calls, QStringList{QStringLiteral("leaveDemo")}, patience);
    }

    void theProgramEndsWithTheWindow_data() {
        QTest::addColumn<bool>("demo");
        QTest::addColumn<bool>("tray");
        QTest::addColumn<bool>("notifies");
        QTest::addColumn<bool>("agent");
        QTest::newRow("a demo, which ends with it") << true << true << true << true;
        QTest::newRow("a desktop without a tray") << false << false << true << true;
        QTest::newRow("somebody who wants to be told nothing") << false << true << false << true;
        QTest::newRow("the agent of this computer is away") << false << true << true << false;
    }
    void theProgramEndsWithTheWindow() {
        QFETCH(bool, demo);
        QFETCH(bool, tray);
        QFETCH(bool, notifies);
        QFETCH(bool, agent);
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        m_home->demo = demo;
        m_notifier->available = tray;
        if (!notifies)
            choose("menuNotify");
        if (!agent)
            m_home->list.front().state = DeviceState::Lost;
        m_home->set(m_home->list);
        play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::Close;
        QVERIFY(m_window->close());
        QCOMPARE(over.size(), 1);
    }

    void theQuestionAtTheEndOfADemoSaysWhatIsLost_data() {
        QTest::addColumn<int>("round");       // of the run that is shown; -1: of another one
        QTest::addColumn<QString>("button");  // that a person looks for
        QTest::addColumn<int>("answer");
        const auto row = [](const char *name, int round, const char *button, CloseAnswer answer) {
            QTest::newRow(name) << round << QString::fromLatin1(button) << static_cast<int>(answer);
        };
        row("it ends", 7, "End the demo", CloseAnswer::Close);
        row("it is saved first", 7, "Stop and save", CloseAnswer::StopAndClose);
        row("it stays", 7, "Cancel", CloseAnswer::Stay);
        row("the run under way is not the one that could be stopped", -1, "Stop and save", CloseAnswer::Stay);
        row("it has done no round and has nothing to save", 0, "Stop and save", CloseAnswer::Stay);
    }
    void theQuestionAtTheEndOfADemoSaysWhatIsLost() {
        QFETCH(int, round);
        QFETCH(QString, button);
        QFETCH(int, answer);
        QString said;
        QTimer person;
        connect(&person, &QTimer::timeout, this, [&] {
            auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            if (box == nullptr)
                return;
            said = box->informativeText();
            for (QAbstractButton *each : box->buttons()) {
                if (each->text() == button)
                    return each->click();
            }
            box->reject();
        });
        person.start(10);
        const CloseAnswer given =
            MessageQuestions().askEndDemo(m_window.get(), round >= 0 ? std::optional<qint64>(round) : std::nullopt);
        QCOMPARE(static_cast<int>(given), answer);
        QVERIFY2(said.contains(QStringLiteral("is lost then")) == (round != 0), qPrintable(said));
        QCOMPARE(said.contains(QStringLiteral("after round 7")), round == 7);
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
