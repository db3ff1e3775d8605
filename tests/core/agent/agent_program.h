// hearth-agent as a process of its own beside agents of the test's process.
#pragma once

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <csignal>

#include "core/agent/agent.h"
#include "tests/core/base/held_port.h"
#include "tests/core/base/patience.h"

namespace hearth {

/// A real agent whose children are the played ones; ends with this object.
class AgentProgram {
  public:
    AgentProgram(const QString &stateDir, const QString &name) : m_stateDir(stateDir), m_name(name) {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    }
    ~AgentProgram() {
        signal(SIGCONT);
        m_process.kill();
        m_process.waitForFinished();
    }

    /// Waits until it listens. `port` 0: one that stays its own while it does not run.
    bool start(quint16 port = 0, const QStringList &more = {}) {
        m_process.start(
            QStringLiteral(HEARTH_FAKE_BIN_DIR "/hearth-agent"),
            QStringList{QStringLiteral("--state"), m_stateDir, QStringLiteral("--name"), m_name,
                        QStringLiteral("--listen"), QStringLiteral("127.0.0.1:%1").arg(port ? port : heldPort()),
                        QStringLiteral("--threads"), QStringLiteral("1"), QStringLiteral("--no-mdns")} +
                more);
        QByteArray output;
        const bool ready = QTest::qWaitFor(
            [&] {
                output += m_process.readAllStandardOutput();
                return output.contains('\n') || m_process.state() == QProcess::NotRunning;
            },
            patience);
        m_about = QJsonDocument::fromJson(output.left(output.indexOf('\n'))).object();
        return ready && !m_about.isEmpty();
    }
    void signal(int number) {
        if (m_process.processId() > 0)
            ::kill(static_cast<pid_t>(m_process.processId()), number);
    }
    /// Shorter than an agent waits for its workers when it leaves.
    bool waitForEnd() {
        constexpr std::chrono::milliseconds shorter = LimitsService::leaveDeadline - std::chrono::seconds(1);
        return QTest::qWaitFor([this] { return !isRunning(); }, static_cast<int>(shorter.count()));
    }
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    qint64 pid() const { return m_process.processId(); }
    int exitCode() const { return m_process.exitCode(); }
    const QString &stateDir() const { return m_stateDir; }
    QString id() const { return m_about[QLatin1String("fingerprint")].toString(); }
    QString address() const { return m_about[QLatin1String("address")].toString(); }

    /// Makes its identity and lets it trust `other`; before start().
    Fingerprint trust(const Agent &other) {
        const auto folder = openStateDir(m_stateDir);
        const auto identity = Identity::loadOrCreate(m_stateDir, m_name);
        auto store = TrustStore::load(m_stateDir + QStringLiteral("/trust.json"));
        if (!folder || !identity || !store || !store->add({other.fingerprint(), other.name(), {}}))
            return {};
        return identity->fingerprint();
    }

  private:
    QString m_stateDir;
    QString m_name;
    QProcess m_process;
    QJsonObject m_about;
};

}  // namespace hearth
