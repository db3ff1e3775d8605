// What the icon beside the clock says of this computer, and how a person pauses training there.
#include "tests/ui/shell_fixture.h"

using namespace hearth;

class TrayMenuTest : public ShellFixture {
    Q_OBJECT

    DeviceInfo &own() const { return m_home->list.front(); }
    void tell() const { m_home->set(m_home->list); }
    QString line() const { return m_notifier->action("trayState")->text(); }
    const QAction *pause() const { return m_notifier->action("trayPause"); }
    /// Instead of a pause.
    bool canResume() const { return m_notifier->action("trayResume")->isVisible() && !pause()->isVisible(); }
    static Error noRoom() {
        return {QStringLiteral("file.write"), QStringLiteral("The limits were not changed."),
                QStringLiteral("The disk is full."), QStringLiteral("Make room on it.")};
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginAfresh(); }
    void cleanup() { end(); }

    void thisComputerStandsAboveTheWindow() {
        QStringList entries;
        for (const QAction *action : m_notifier->menu->actions()) {
            if (action->isVisible())
                entries << action->text();
        }
        QCOMPARE(entries, (QStringList{QStringLiteral("This computer · Training"),
                                       QStringLiteral("Pause training on this computer"), QString(),
                                       QStringLiteral("Show Hearth"), QStringLiteral("Close Hearth")}));
        QVERIFY(!m_notifier->action("trayState")->isEnabled());
    }

    void whatThisComputerDoesIsSaidAsOnHome_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("rest");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, DeviceState state, Rest rest, const char *words) {
            QTest::newRow(name) << static_cast<int>(state) << static_cast<int>(rest) << QString::fromLatin1(words);
        };
        row("ready", DeviceState::Ready, Rest::None, "Ready");
        row("training, for a run that is not shown", DeviceState::Training, Rest::None, "Training");
        row("paused", DeviceState::Resting, Rest::Paused, "Resting: paused");
        row("on its battery", DeviceState::Resting, Rest::OnBattery, "Resting: runs on its battery");
        row("out of hours", DeviceState::Resting, Rest::OutOfHours, "Resting: not at this hour");
        row("a game", DeviceState::Resting, Rest::CardTaken, "Resting: another program computes on its card");
        row("its agent is about to end", DeviceState::Leaving, Rest::None, "Leaving");
    }
    void whatThisComputerDoesIsSaidAsOnHome() {
        QFETCH(int, state);
        QFETCH(int, rest);
        QFETCH(QString, words);
        own().state = static_cast<DeviceState>(state);
        own().rest = static_cast<Rest>(rest);
        tell();
        const QString said = QStringLiteral("This computer · %1").arg(words);
        QCOMPARE(line(), said);
        QCOMPARE(m_notifier->presence, QStringLiteral("Hearth: %1").arg(said));
    }

    void theRunThatItWorksForIsNamed() {
        play(QStringLiteral("training"));
        QCOMPARE(line(), QStringLiteral("This computer · Training · fashion-cnn on fashion-mnist"));
        m_controller->send({9000, 98, event::State{QStringLiteral("paused")}, {}});
        QCOMPARE(line(), QStringLiteral("This computer · Paused · fashion-cnn on fashion-mnist"));
        m_controller->send({9001, 99, event::State{QStringLiteral("stopped")}, {}});
        QCOMPARE(line(), QStringLiteral("This computer · Training"));
    }

    void aMeasurementIsSaid() {
        m_home->fakeMeasuring.become({true, false, {{own().id, {3, 12}}}});
        QCOMPARE(line(), QStringLiteral("This computer · Measuring"));
        m_home->fakeMeasuring.end();
        QCOMPARE(line(), QStringLiteral("This computer · Training"));
    }

    void aPauseAndItsEndReachTheAgent() {
        own().limits.threads = 2;
        tell();
        press("trayPauseOpen");
        DeviceLimits expected;
        expected.threads = 2;  // another limit stays
        expected.paused = true;
        QVERIFY(own().limits == expected);
        QVERIFY(m_home->list[1].limits.isNone());
        QVERIFY(canResume());
        press("trayResume");
        expected.paused = false;
        QVERIFY(own().limits == expected);
        QVERIFY(!canResume());
        QCOMPARE(m_home->calls.size(), 2);
    }

    void aPauseMayEndByItself_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::newRow("after an hour") << QByteArray("trayPauseHour");
        QTest::newRow("in the morning") << QByteArray("trayPauseMorning");
    }
    void aPauseMayEndByItself() {
        QFETCH(QByteArray, action);
        const qint64 now = QDateTime::currentSecsSinceEpoch();
        press(action.constData());
        QVERIFY(own().limits.paused && own().limits.pausedUntil);
        QVERIFY(*own().limits.pausedUntil > now);
        QVERIFY(canResume());
        press("trayResume");
        QVERIFY(own().limits.isNone());
    }

    void whatIsPausedElsewhereCanBeResumedHere() {
        own().limits.paused = true;
        tell();
        QVERIFY(canResume());
        press("trayResume");
        QVERIFY(!own().limits.paused);
    }

    void whoCannotBeToldIsNotAsked_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<bool>("understood");
        QTest::addColumn<bool>("canPause");
        QTest::newRow("ready") << static_cast<int>(DeviceState::Ready) << true << true;
        QTest::newRow("resting for another reason") << static_cast<int>(DeviceState::Resting) << true << true;
        QTest::newRow("its agent is about to end") << static_cast<int>(DeviceState::Leaving) << true << false;
        QTest::newRow("its agent is away") << static_cast<int>(DeviceState::Lost) << true << false;
        QTest::newRow("limits of another version") << static_cast<int>(DeviceState::Ready) << false << false;
    }
    void whoCannotBeToldIsNotAsked() {
        QFETCH(int, state);
        QFETCH(bool, understood);
        QFETCH(bool, canPause);
        own().state = static_cast<DeviceState>(state);
        own().limitsKnown = understood;
        tell();
        QCOMPARE(pause()->isEnabled(), canPause);
        press("trayPauseOpen");
        QCOMPARE(m_home->calls.isEmpty(), !canPause);
    }

    void aPauseThatFailsIsTold_data() {
        QTest::addColumn<bool>("looksAway");
        QTest::newRow("in the window") << false;
        QTest::newRow("by the desktop as well, where nobody sees the window") << true;
    }
    void aPauseThatFailsIsTold() {
        QFETCH(bool, looksAway);
        if (looksAway)
            lookAway();
        else
            QVERIFY(showActive(*m_window));
        m_home->refusal = noRoom();
        press("trayPauseOpen");
        QCOMPARE(text("errorWhat"), noRoom().what.english());
        QCOMPARE(m_notifier->said,
                 looksAway ? QStringList(QStringLiteral("! The limits were not changed.")) : QStringList());
        QVERIFY(!canResume());
    }

    void whatNobodyAskedForHereIsToldByTheWindowAlone() {
        lookAway();
        press("trayPauseOpen");
        Q_EMIT m_home->failed(noRoom());
        QVERIFY(m_notifier->said.isEmpty());
    }

    void anAgentThatComesBackCanBeToldAgain() {
        const QString waiting = QStringLiteral("The agent of this computer has ended. Starting it again …");
        own().state = DeviceState::Lost;
        tell();
        m_home->setWaiting(waiting);
        QCOMPARE(line(), waiting);
        QCOMPARE(m_notifier->presence, QStringLiteral("Hearth: %1").arg(waiting));
        press("trayPauseOpen");
        QVERIFY(m_home->calls.isEmpty());
        m_home->setWaiting({});
        own().state = DeviceState::Ready;
        tell();
        QCOMPARE(line(), QStringLiteral("This computer · Ready"));
        press("trayPauseOpen");
        QVERIFY(own().limits.paused);
    }

    void theIconGoesWithTheAgentOfThisComputer() {
        own().state = DeviceState::Lost;
        tell();
        QVERIFY(m_notifier->presence.isEmpty());
        own().state = DeviceState::Ready;
        tell();
        QCOMPARE(m_notifier->presence, QStringLiteral("Hearth: This computer · Ready"));
    }

    void nothingIsSaidOfAComputerThatIsNotKnown_data() {
        QTest::addColumn<bool>("demo");
        QTest::newRow("its agent has not answered yet") << false;
        QTest::newRow("the devices of a demo are others") << true;
    }
    void nothingIsSaidOfAComputerThatIsNotKnown() {
        QFETCH(bool, demo);
        m_home->demo = demo;
        m_home->set(demo ? m_home->list : std::vector<DeviceInfo>());
        for (const char *name : {"trayState", "trayPause", "trayResume"})
            QVERIFY(!m_notifier->action(name)->isVisible());
        QVERIFY(m_notifier->action("trayShow")->isVisible());
        QVERIFY(m_notifier->presence.isEmpty());
    }

    void theMenuIsTakenBackBeforeItGoes() {
        m_shell.reset();
        QVERIFY(m_notifier->menu == nullptr);
    }
};

QTEST_MAIN(TrayMenuTest)
#include "tray_menu_test.moc"
