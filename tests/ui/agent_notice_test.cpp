// What the window says where the agent of this computer is older than itself.
#include "tests/ui/window_fixture.h"

using namespace hearth;

class AgentNoticeTest : public WindowFixture {
    Q_OBJECT

    DeviceInfo &own() const { return m_home->list.front(); }
    void tell() const { m_home->set(m_home->list); }
    bool isSeen() const { return find<QFrame>("agentNotice")->isVisible(); }
    QPushButton *button() const { return find<QPushButton>("agentNoticeButton"); }

  private Q_SLOTS:
    void initTestCase() {
        speakEnglish();
        QCoreApplication::setApplicationVersion(QStringLiteral("0.1.0+131"));
    }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        showWindowOfOwnHome();
        for (DeviceInfo &device : m_home->list) {
            device.state = DeviceState::Ready;
            device.version = QCoreApplication::applicationVersion();
        }
        own().version = QStringLiteral("0.1.0+120");
        tell();
    }
    void cleanup() { endWindow(); }

    void anOlderAgentIsToldAndRestarted() {
        QVERIFY(isSeen());
        QCOMPARE(text("agentNoticeText"), QStringLiteral("The agent on this computer is still version 0.1.0+120, "
                                                         "Hearth is 0.1.0+131. Restart it to use the new one."));
        click("agentNoticeButton");
        QCOMPARE(m_home->calls, QStringList(QStringLiteral("restartAgent")));
        m_home->setWaiting(QStringLiteral("Restarting …"));
        tell();
        QVERIFY(!isSeen());
        m_home->setWaiting({});
        own().version = QCoreApplication::applicationVersion();
        tell();
        QVERIFY(!isSeen());
    }

    void whatTrainsIsNotEnded_data() {
        QTest::addColumn<bool>("leads");
        QTest::newRow("this computer works for a run") << false;
        QTest::newRow("it leads one on other devices") << true;
    }
    void whatTrainsIsNotEnded() {
        QFETCH(bool, leads);
        RunInfo run;
        run.id = QStringLiteral("run");
        run.state = QStringLiteral("training");
        run.live = leads;
        own().state = leads ? DeviceState::Ready : DeviceState::Training;
        tell();
        Q_EMIT m_controller->runsChanged({run});
        QVERIFY(isSeen() && button()->isVisible());
        QVERIFY(!button()->isEnabled());
        QVERIFY(button()->toolTip().contains(QLatin1String("when that is over")));
        run.live = false;
        own().state = DeviceState::Ready;
        tell();
        Q_EMIT m_controller->runsChanged({run});
        QVERIFY(button()->isEnabled());
        QVERIFY(button()->toolTip().isEmpty());
    }

    void whatTheWindowCannotStartIsRestartedByCommand_data() {
        QTest::addColumn<int>("restart");
        QTest::addColumn<QString>("command");
        QTest::newRow("a service of the system")
            << static_cast<int>(AgentRestart::SystemService) << QStringLiteral("sudo systemctl restart hearth-agent");
        QTest::newRow("started by hand") << static_cast<int>(AgentRestart::ByHand)
                                         << QStringLiteral("hearth-agent leave");
    }
    void whatTheWindowCannotStartIsRestartedByCommand() {
        QFETCH(int, restart);
        QFETCH(QString, command);
        m_home->restart = static_cast<AgentRestart>(restart);
        tell();
        QVERIFY(isSeen());
        QVERIFY2(text("agentNoticeText").contains(command), qPrintable(text("agentNoticeText")));
        QVERIFY(!button()->isVisible());
    }

    void thereIsNothingToSay_data() {
        QTest::addColumn<QString>("version");
        QTest::addColumn<int>("state");
        QTest::addColumn<bool>("demo");
        const auto row = [](const char *name, const char *version, DeviceState state, bool demo) {
            QTest::newRow(name) << QString::fromLatin1(version) << static_cast<int>(state) << demo;
        };
        row("the same version", "0.1.0+131", DeviceState::Ready, false);
        row("a newer one", "0.1.0+140", DeviceState::Ready, false);
        row("none is known", "", DeviceState::Ready, false);
        row("the agent does not answer", "0.1.0+120", DeviceState::Lost, false);
        row("it is about to end", "0.1.0+120", DeviceState::Leaving, false);
        row("a demo", "0.1.0+120", DeviceState::Ready, true);
    }
    void thereIsNothingToSay() {
        QFETCH(QString, version);
        QFETCH(int, state);
        QFETCH(bool, demo);
        own().version = version;
        own().state = static_cast<DeviceState>(state);
        m_home->demo = demo;
        tell();
        QVERIFY(!isSeen());
    }

    void ofOtherDevicesItSaysNothing() {
        own().version = QCoreApplication::applicationVersion();
        m_home->list[1].version = QStringLiteral("0.1.0+120");
        tell();
        QVERIFY(!isSeen());
    }

    void whoeverClosesItHearsOfThatVersionNoMore() {
        click("agentNoticeClose");
        tell();
        QVERIFY(!isSeen());
        own().version = QStringLiteral("0.1.0+125");
        tell();
        QVERIFY(isSeen());
    }
};

QTEST_MAIN(AgentNoticeTest)
#include "agent_notice_test.moc"
