// `hearth install` from the shell, with a real agent on both ends that find each other by what came through SSH.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "sshd.h"

using namespace hearth;

namespace {

constexpr int slow = 120'000;

struct Outcome {
    int status = -1;
    QList<QJsonObject> lines;
    QString errors;

    QJsonObject last() const { return lines.isEmpty() ? QJsonObject() : lines.last(); }
};

}  // namespace

class InstallCommandTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_sshd = std::make_unique<Sshd>();
        m_sshd->start();
        m_agent.start(program(QStringLiteral("hearth-agent")),
                      {QStringLiteral("--state"), state(), QStringLiteral("--name"), QStringLiteral("laptop"),
                       QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"), QStringLiteral("--parent-pipe")});
        QVERIFY(m_agent.waitForReadyRead(slow));
    }

    void cleanup() {
        m_agent.closeWriteChannel();
        QVERIFY(m_agent.waitForFinished(slow));
        m_sshd.reset();
    }

    void aDeviceIsInstalledLinkedAndRemoved() {
        const QString port = QString::number(heldPort());
        const QStringList words{QStringLiteral("--package"),    m_sshd->package(),
                                QStringLiteral("--name"),       QStringLiteral("living-room"),
                                QStringLiteral("--agent-port"), port,
                                QStringLiteral("--host-key"),   hostKey(),
                                QStringLiteral("--yes")};
        const Outcome installed = install(words);
        QVERIFY2(installed.status == 0, qPrintable(installed.errors));
        QCOMPARE(installed.last()[QLatin1String("event")].toString(), QStringLiteral("finished"));
        QCOMPARE(installed.last()[QLatin1String("device")].toString(), QStringLiteral("living-room"));
        QStringList checks;
        for (const QJsonObject &line : installed.lines) {
            if (line.contains(QLatin1String("check")))
                checks << line[QLatin1String("check")].toObject()[QLatin1String("id")].toString();
        }
        for (const char *id : {"system", "home", "memory", "service", "rights", "existing", "port", "clock",
                               "processor", "libc", "space", "libraries"})
            QVERIFY2(checks.contains(QLatin1String(id)), id);
        const QJsonArray devices = this->devices();
        QCOMPARE(devices.size(), 2);
        QCOMPARE(devices[1].toObject()[QLatin1String("name")].toString(), QStringLiteral("living-room"));
        QCOMPARE(devices[1].toObject()[QLatin1String("state")].toString(), QStringLiteral("ready"));

        const Outcome again = install(words);
        QVERIFY2(again.status == 0, qPrintable(again.errors));
        QCOMPARE(again.last()[QLatin1String("effect")].toString(), QStringLiteral("nothing"));
        QCOMPARE(again.last()[QLatin1String("fingerprint")], installed.last()[QLatin1String("fingerprint")]);

        const Outcome removed = install({QStringLiteral("--uninstall"), QStringLiteral("--yes")});
        QVERIFY2(removed.status == 0, qPrintable(removed.errors));
        QCOMPARE(this->devices().size(), 1);
        QVERIFY(!QFile::exists(m_sshd->home() + QStringLiteral("/.local/share/hearth")));
    }

    void nothingIsAssumedWhereNobodyCanBeAsked() {
        const Outcome unknown = install({QStringLiteral("--package"), m_sshd->package(), QStringLiteral("--yes")});
        QCOMPARE(unknown.status, 1);
        QCOMPARE(unknown.last()[QLatin1String("code")].toString(), QStringLiteral("ssh.host-key-unknown"));
        const Outcome wrong =
            install({QStringLiteral("--host-key"), QStringLiteral("SHA256:0000"), QStringLiteral("--yes")});
        QCOMPARE(wrong.status, 1);
        QCOMPARE(wrong.last()[QLatin1String("code")].toString(), QStringLiteral("ssh.host-key-wrong"));
        QVERIFY(!QFile::exists(m_sshd->knownHosts()));
        const Outcome silent = install({QStringLiteral("--package"), m_sshd->package(), QStringLiteral("--agent-port"),
                                        QString::number(heldPort()), QStringLiteral("--host-key"), hostKey()});
        QVERIFY(silent.status != 0);
        QVERIFY2(silent.errors.contains(QStringLiteral("--yes")), qPrintable(silent.errors));
        QVERIFY(!QFile::exists(m_sshd->home() + QStringLiteral("/.local")));
    }

    void wrongWordsAreWrongUsage_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("nowhere") << QStringList();
        QTest::newRow("a place that is none") << QStringList{QStringLiteral("anna@")};
        QTest::newRow("a port that is none")
            << QStringList{QStringLiteral("a@b"), QStringLiteral("--agent-port"), QStringLiteral("0")};
    }

    void wrongWordsAreWrongUsage() {
        QFETCH(QStringList, words);
        QCOMPARE(hearth(QStringList{QStringLiteral("install")} + words).status, 2);
    }

  private:
    static QString program(const QString &name) {
        return qEnvironmentVariable("HEARTH_BIN_DIR") + QLatin1Char('/') + name;
    }
    QString state() const { return m_sshd->path(QStringLiteral("laptop")); }

    Outcome hearth(const QStringList &words) const {
        QProcess process;
        // Without a terminal, as in a script.
        process.start(QStringLiteral("setsid"),
                      QStringList{QStringLiteral("--wait"), program(QStringLiteral("hearth"))} + words);
        if (!process.waitForFinished(slow))
            return {};
        Outcome outcome{process.exitCode(), {}, QString::fromUtf8(process.readAllStandardError())};
        for (const QByteArray &line : process.readAllStandardOutput().trimmed().split('\n'))
            outcome.lines << QJsonDocument::fromJson(line).object();
        return outcome;
    }

    Outcome install(const QStringList &words) const {
        const SshTarget target = m_sshd->target();
        return hearth(QStringList{QStringLiteral("install"), target.toString(), QStringLiteral("--ssh-dir"),
                                  target.sshFolder, QStringLiteral("--state"), state(), QStringLiteral("--json")} +
                      words);
    }

    QString hostKey() const {
        const QByteArray printed = Sshd::run(QStringLiteral("ssh-keygen"),
                                             {QStringLiteral("-lf"), m_sshd->path(QStringLiteral("host_key.pub"))});
        return QString::fromLatin1(printed.split(' ').value(1));
    }

    QJsonArray devices() const {
        return hearth({QStringLiteral("devices"), QStringLiteral("--json"), QStringLiteral("--state"), state()})
            .last()[QLatin1String("devices")]
            .toArray();
    }

    std::unique_ptr<Sshd> m_sshd;
    QProcess m_agent;
};

int main(int argc, char **argv) {
    return runOverSshd<InstallCommandTest>(argc, argv);
}
#include "install_command_test.moc"
