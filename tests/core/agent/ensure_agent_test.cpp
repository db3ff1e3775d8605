// Starting the agent of this computer: by the user's systemd where it has a service for it, else by itself.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "core/agent/agent_client.h"
#include "tests/core/base/patience.h"

using namespace hearth;

class EnsureAgentTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_root;
    QByteArray m_path;

    QString at(const char *name) const { return m_root->filePath(QLatin1String(name)); }
    QString stateDir() const { return at("state"); }
    Result<void> ensure() const { return ensureAgent(stateDir(), std::chrono::milliseconds(patience)); }
    QString log() const { return stateDir() + QStringLiteral("/agent.log"); }
    static QByteArray contentOf(const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void write(const QString &path, const QByteArray &content) {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(path));
    }
    static void script(const QString &path, const QByteArray &text) {
        write(path, "#!/bin/sh\n" + text);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    /// The agent that is started beside systemd: it says so, and ends.
    void playAgent(const QByteArray &words) const {
        script(at("bin/hearth-agent"), "echo started >>'" + at("detached").toUtf8() + "'\n" +
                                           (words.isEmpty() ? QByteArray() : "echo '" + words + "' >&2\n") +
                                           "exit 1\n");
    }
    /// The real agent takes the service's part.
    void playSystemd(const QByteArray &state, const QByteArray &arguments, const QByteArray &onStart) const {
        script(at("bin/systemctl"), "echo \"$@\" >>'" + at("asked").toUtf8() + "'\ncase \"$2\" in\nshow) echo '" +
                                        "ExecStart={ path=/usr/bin/hearth-agent ; argv[]=/usr/bin/hearth-agent" +
                                        arguments + " ; ignore_errors=no ; pid=0 }'; echo 'UnitFileState=" + state +
                                        "' ;;\nstart) " + onStart + " ;;\nesac\n");
    }

  private Q_SLOTS:
    void init() {
        m_root = std::make_unique<QTemporaryDir>();
        m_path = qgetenv("PATH");
        qputenv("PATH", at("bin").toUtf8() + ':' + m_path);
        qputenv("HEARTH_BIN_DIR", at("bin").toUtf8());
        playAgent({});
        playSystemd("", {}, "exit 1");
    }
    void cleanup() {
        if (const auto pid = contentOf(at("pid")).trimmed().toInt(); pid > 0)
            ::kill(pid, SIGKILL);
        qputenv("PATH", m_path);
        qunsetenv("HEARTH_BIN_DIR");
    }

    void whatAnAgentSaidBeforeItCrashedStays() {
        for (const char *words : {"the first reason", "the second reason"}) {
            playAgent(words);
            const auto started = ensure();
            QVERIFY(!started);
            QCOMPARE(started.error().cause, QString::fromLatin1(words));
        }
        QCOMPARE(contentOf(log()), QByteArray("the first reason\nthe second reason\n"));
        // Words of another one explain nothing.
        playAgent({});
        const auto silent = ensure();
        QVERIFY(!silent);
        QCOMPARE(silent.error().cause, QString());
    }

    void ofALongLogTheEndStays() {
        QByteArray text;
        while (text.size() < 5 << 20)
            text += "a line of a long story\n";
        QVERIFY(QDir().mkpath(stateDir()));
        write(log(), text + "why it crashed\n");
        playAgent("once more");
        QVERIFY(!ensure());
        const QByteArray kept = contentOf(log());
        QVERIFY(kept.size() <= (1 << 20) + 100);
        QVERIFY(kept.size() > (1 << 19));
        QVERIFY(kept.startsWith("a line of"));
        QVERIFY(kept.endsWith("story\nwhy it crashed\nonce more\n"));
    }

    void anEnabledServiceIsStartedAndNoAgentBesideIt() {
        playSystemd("enabled", " --state " + stateDir().toUtf8(),
                    "setsid '" HEARTH_FAKE_BIN_DIR "/hearth-agent' --state '" + stateDir().toUtf8() +
                        "' --listen 127.0.0.1:0 --no-mdns >/dev/null 2>&1 </dev/null & echo $! >'" +
                        at("pid").toUtf8() + "'");
        const auto started = ensure();
        QVERIFY2(started, started ? "" : qUtf8Printable(started.error().toString()));
        QVERIFY(!QFile::exists(at("detached")));
        // Not kept from it by a start limit that was reached before.
        QVERIFY(contentOf(at("asked")).contains("--user reset-failed hearth-agent.service\n--user start hearth-agent"));
    }

    void aServiceThatDoesNotStartIsNotReplaced() {
        playSystemd("enabled", " --state " + stateDir().toUtf8(), "echo 'Unit is masked.' >&2; exit 1");
        const auto started = ensure();
        QVERIFY(!started);
        QCOMPARE(started.error().code, QStringLiteral("agent.service-failed"));
        QCOMPARE(started.error().cause, QStringLiteral("Unit is masked."));
        QVERIFY(!QFile::exists(at("detached")));
    }

    void withoutSuchAServiceTheAgentIsStartedBesideSystemd_data() {
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArray>("arguments");
        QTest::newRow("none") << QByteArray() << QByteArray();
        QTest::newRow("one that is not enabled") << QByteArray("disabled") << QByteArray(" --state STATE");
        QTest::newRow("one of another folder") << QByteArray("enabled") << QByteArray(" --state STATE-2");
        QTest::newRow("one of the usual folder") << QByteArray("enabled") << QByteArray();
    }
    void withoutSuchAServiceTheAgentIsStartedBesideSystemd() {
        QFETCH(QByteArray, state);
        QFETCH(QByteArray, arguments);
        playSystemd(state, arguments.replace("STATE", stateDir().toUtf8()), "exit 1");
        QVERIFY(!ensure());
        QVERIFY(QFile::exists(at("detached")));
        QVERIFY(!contentOf(at("asked")).contains("start hearth-agent"));
    }

    void withoutSystemdTheAgentIsStarted() {
        QVERIFY(QFile::remove(at("bin/systemctl")));
        qputenv("PATH", at("bin").toUtf8());
        script(at("bin/hearth-agent"), "echo started >'" + at("detached").toUtf8() + "'\n");
        QVERIFY(!ensure());
        QVERIFY(QFile::exists(at("detached")));
    }
};

QTEST_GUILESS_MAIN(EnsureAgentTest)
#include "ensure_agent_test.moc"
