// Which agents a window may end and start again.
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/agent/agent_restart.h"
#include "core/home/state_dir.h"

using namespace hearth;

class AgentRestartTest : public QObject {
    Q_OBJECT

    static void write(const QString &path, const QByteArray &content) {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(path));
    }

  private Q_SLOTS:
    void onlyWhatComesBackAsItWasIsRestarted_data() {
        QTest::addColumn<QByteArray>("group");
        QTest::addColumn<QByteArrayList>("words");
        QTest::addColumn<int>("restart");
        const auto row = [](const char *name, const char *group, const QByteArrayList &words, AgentRestart restart) {
            QTest::newRow(name) << QByteArray(group) << words << static_cast<int>(restart);
        };
        const QByteArray agent = "/usr/bin/hearth-agent";
        const char *session = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-hearth.scope\n";
        row("a window started it", session, {agent, "--state", "/home/a/.local/share/hearth"}, AgentRestart::Possible);
        row("a person started it without options", session, {agent}, AgentRestart::Possible);
        row("a person gave it options", session, {agent, "--threads", "2"}, AgentRestart::ByHand);
        row("a person gave it more options", session, {agent, "--state", "/s", "--no-card"}, AgentRestart::ByHand);
        row("the user's service has options",
            "0::/user.slice/user-1000.slice/user@1000.service/app.slice/hearth-agent.service\n",
            {agent, "--threads", "2"}, AgentRestart::Possible);
        row("the system's service", "0::/system.slice/hearth-agent.service\n", {agent}, AgentRestart::SystemService);
        row("nothing is known of it", "", {}, AgentRestart::ByHand);
    }
    void onlyWhatComesBackAsItWasIsRestarted() {
        QFETCH(QByteArray, group);
        QFETCH(QByteArrayList, words);
        QFETCH(int, restart);
        const QTemporaryDir state, process;
        write(process.filePath(QStringLiteral("cgroup")), group);
        QByteArray line;
        for (const QByteArray &word : words)
            line += word + '\0';
        write(process.filePath(QStringLiteral("cmdline")), line);
        QCOMPARE(static_cast<int>(agentRestartOf(state.path(), process.path())), restart);
    }

    void theAgentOfAnotherUserIsLeftToThatUser() {
        // Root has no other user's folder at hand.
        if (::getuid() == 0)
            QSKIP("This is for people who are not root.");
        const QTemporaryDir process;
        QCOMPARE(static_cast<int>(agentRestartOf(QStringLiteral("/"), process.path())),
                 static_cast<int>(AgentRestart::SystemService));
    }

    void anAgentThatEndsHoldsItsFolder() {
        const QTemporaryDir state;
        QVERIFY(!isFolderHeld(state.path()));
        {
            const auto lock = lockStateDir(state.path());
            QVERIFY(lock);
            QVERIFY(isFolderHeld(state.path()));
        }
        QVERIFY(!isFolderHeld(state.path()));
    }
};

QTEST_GUILESS_MAIN(AgentRestartTest)
#include "agent_restart_test.moc"
