// A computer of a home, played by processes: it can lose its power.
#pragma once

#include <QDeadlineTimer>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <thread>

#include "core/home/trust_store.h"

namespace hearth {

/// A computer with an agent of its own, and all that its agent starts; known by a mark in their environment.
class PlayedMachine {
  public:
    explicit PlayedMachine(const QString &name) : m_name(name) {}
    ~PlayedMachine() { cutPower(); }
    PlayedMachine(const PlayedMachine &) = delete;
    PlayedMachine &operator=(const PlayedMachine &) = delete;

    const QTemporaryDir &stateDir() const { return m_state; }
    /// Its key, and whom it trusts; before its agent starts.
    bool exists() {
        const auto identity = Identity::loadOrCreate(m_state.path(), m_name);
        if (!identity)
            return false;
        m_fingerprint = identity->fingerprint();
        return true;
    }
    bool trusts(const PlayedMachine &other, const QStringList &addresses) const {
        auto store = TrustStore::load(m_state.filePath(QStringLiteral("trust.json")));
        return store && store->add({other.m_fingerprint, other.m_name, addresses});
    }
    /// A program "hearth-agent" in `binDir` that runs this machine's, whoever starts it.
    bool isRunFrom(const QString &binDir) const {
        QFile script(binDir + QStringLiteral("/hearth-agent"));
        const QByteArray text = "#!/bin/sh\nexport " + QByteArray(mark) + QFile::encodeName(m_state.path()) +
                                "\nexec " + qgetenv("HEARTH_BIN_DIR") +
                                "/hearth-agent \"$@\" --listen 127.0.0.1:0 --no-mdns " + "--threads 1 --name " +
                                m_name.toUtf8() + "\n";
        return QDir().mkpath(binDir) && script.open(QIODevice::WriteOnly) && script.write(text) == text.size() &&
               script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    /// Runs its agent; where it listens, or nothing.
    QString start(const QString &binDir) {
        m_agent.start(binDir + QStringLiteral("/hearth-agent"), {QStringLiteral("--state"), m_state.path()});
        QByteArray said;
        const bool answered = QTest::qWaitFor(
            [&] {
                said += m_agent.readAllStandardOutput();
                return said.contains('\n') || m_agent.state() == QProcess::NotRunning;
            },
            slow);
        return answered ? QJsonDocument::fromJson(said)[QLatin1String("address")].toString() : QString();
    }
    /// All of its processes end without a word: they are frozen first, so that none sees another's end.
    void cutPower() {
        QList<qint64> known, found = processes();
        for (; found != known; found = processes()) {
            known = found;
            for (const qint64 pid : found)
                ::kill(static_cast<pid_t>(pid), SIGSTOP);
        }
        for (const qint64 pid : known)
            ::kill(static_cast<pid_t>(pid), SIGKILL);
        // No event loop turns meanwhile: a window would start the agent again.
        m_agent.waitForFinished(slow);
        for (const QDeadlineTimer deadline(slow); !processes().isEmpty() && !deadline.hasExpired();)
            std::this_thread::yield();
    }
    QList<qint64> processes() const {
        QList<qint64> found;
        for (const QString &entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
            bool isPid = false;
            const qint64 pid = entry.toLongLong(&isPid);
            QFile environment(QStringLiteral("/proc/%1/environ").arg(entry));
            if (isPid && environment.open(QIODevice::ReadOnly) &&
                environment.readAll().split('\0').contains(mark + QFile::encodeName(m_state.path())))
                found << pid;
        }
        return found;
    }

  private:
    static constexpr int slow = 60'000;  // a loaded machine, sanitizers: only a hang is caught
    static constexpr auto mark = "HEARTH_PLAYED_MACHINE=";

    QTemporaryDir m_state;
    QString m_name;
    Fingerprint m_fingerprint;
    QProcess m_agent;
};

}  // namespace hearth
