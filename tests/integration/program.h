// The programs as a person starts them, for tests that follow their events and look for what they leave behind.
#pragma once

#include <unistd.h>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "tests/integration/losses.h"

inline constexpr int slow = 120'000;  // a loaded machine, sanitizers: only a hang is caught

inline QString program(const char *name) {
    return qEnvironmentVariable("HEARTH_BIN_DIR") + QLatin1Char('/') + QLatin1String(name);
}

/// One `hearth …` or `hearth-agent …` with its own folder for temporary files, by which its descendants are known.
class Program {
  public:
    explicit Program(const QTemporaryDir &temporary) : m_temporary(temporary) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TMPDIR"), m_temporary.path());
        m_process.setProcessEnvironment(environment);
    }
    ~Program() {
        m_process.kill();
        m_process.waitForFinished();
    }

    /// Before start(): its standard input, in place of write().
    void useTerminal(int descriptor) {
        m_process.setChildProcessModifier([descriptor] { ::dup2(descriptor, STDIN_FILENO); });
    }
    void start(const char *name, const QStringList &arguments) { m_process.start(program(name), arguments); }
    /// Its status; -1 when it hangs, and tells nothing more either. It may have ended while its events were read.
    int finish() {
        constexpr int look = 1000;
        QElapsedTimer silent;
        silent.start();
        while (isRunning() && !silent.hasExpired(slow) && !m_process.waitForFinished(look)) {
            const QByteArray told = m_process.readAllStandardOutput();
            m_output += told;
            if (!told.isEmpty())
                silent.start();
        }
        return isRunning() ? -1 : m_process.exitCode();
    }
    /// Nothing where it has ended.
    void signal(int number) {
        if (isRunning())
            ::kill(static_cast<pid_t>(m_process.processId()), number);
    }
    /// There when it returns: whoever waits for another program turns no event loop.
    void write(const QByteArray &input) {
        m_process.write(input);
        m_process.waitForBytesWritten(slow);
    }
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

    QList<QJsonObject> events() {
        m_output += m_process.readAllStandardOutput();
        QList<QJsonObject> list;
        const QByteArrayList lines = m_output.left(m_output.lastIndexOf('\n') + 1).split('\n');
        for (const QByteArray &line : lines) {
            if (!line.isEmpty())
                list << QJsonDocument::fromJson(line).object();
        }
        return list;
    }
    QList<QJsonObject> events(const char *kind) {
        QList<QJsonObject> list;
        for (const QJsonObject &event : events()) {
            if (event[QLatin1String("event")].toString() == QLatin1String(kind))
                list << event;
        }
        return list;
    }
    /// Of the devices that such events are about.
    QStringList idsOf(const char *kind) {
        QStringList ids;
        for (const QJsonObject &event : events(kind))
            ids << event[QLatin1String("id")].toString();
        return ids;
    }
    /// In words, the devices that were lost beside the `meant` ones.
    QString lossesBeside(const QStringList &meant) {
        hearth::Losses losses;
        for (const QJsonObject &event : events("lost"))
            losses << std::pair(event[QLatin1String("id")].toString(), event[QLatin1String("cause")].toString());
        return hearth::lossesBeside(meant, losses);
    }
    bool waitFor(const char *kind, int count) {
        return QTest::qWaitFor([&] { return events(kind).size() >= count || !isRunning(); }, slow) &&
               events(kind).size() >= count;
    }
    QString output() {
        m_output += m_process.readAllStandardOutput();
        return QString::fromUtf8(m_output);
    }
    QString errors() {
        m_errors += m_process.readAllStandardError();
        return QString::fromUtf8(m_errors);
    }

  private:
    const QTemporaryDir &m_temporary;
    QProcess m_process;
    QByteArray m_output;
    QByteArray m_errors;
};

/// Ids of the processes that were started, directly or not, with this folder for temporary files.
inline QList<qint64> processesOf(const QTemporaryDir &temporary) {
    const QByteArray mark = "TMPDIR=" + QFile::encodeName(temporary.path());
    QList<qint64> found;
    for (const QString &entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        bool isPid = false;
        const qint64 pid = entry.toLongLong(&isPid);
        QFile environment(QStringLiteral("/proc/%1/environ").arg(entry));
        if (isPid && environment.open(QIODevice::ReadOnly) && environment.readAll().split('\0').contains(mark))
            found << pid;
    }
    return found;
}

inline bool nothingIsLeft(const QTemporaryDir &temporary) {
    return processesOf(temporary).isEmpty() && QDir(temporary.path()).isEmpty(QDir::AllEntries | QDir::NoDotAndDotDot);
}
