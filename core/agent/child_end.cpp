#include "core/agent/child_end.h"

#include <QFile>
#include <QStringList>
#include <csignal>
#include <cstring>

#include "core/base/no_memory.h"
#include "core/base/number_text.h"

namespace hearth {
namespace {

/// The last lines of what it wrote, without control characters, as one sentence.
Sentence lastLines(const QByteArray &words) {
    constexpr qsizetype maximumLines = 4;
    constexpr qsizetype maximumLength = 800;
    QStringList lines;
    for (const QByteArray &raw : words.split('\n')) {
        QString line = QString::fromUtf8(raw).simplified();
        line.removeIf([](QChar c) { return !c.isPrint(); });
        if (!line.isEmpty())
            lines << line;
    }
    if (lines.isEmpty())
        return {};
    return sentence("Its last words: \"%1\".")
        .arg(lines.mid(std::max<qsizetype>(0, lines.size() - maximumLines))
                 .join(QStringLiteral(" / "))
                 .right(maximumLength));
}

QString signalName(int signal) {
    const char *description = ::strsignal(signal);
    return QString::fromLocal8Bit(description ? description : "unknown").toLower();
}

}  // namespace

Error describeEnd(const Sentence &role, const ChildEnd &end) {
    const Sentence words = lastLines(end.lastOutput);
    if (end.kind == ChildEnd::Kind::NotStarted) {
        return {QStringLiteral("child.not-started"), sentence("%1 could not be started.").arg(role), end.detail,
                end.noProcess ? sentence("Close other programs there, and try again.")
                              : sentence("Check that Hearth is installed completely on that device.")};
    }
    if (end.tookBytes > 0) {
        return {QStringLiteral("child.out-of-memory"),
                sentence("%1 was ended because it took more memory than it may.").arg(role),
                sentence("It took %1 of %2.").arg(memoryText(end.tookBytes), memoryText(end.limitBytes)),
                sentence("Raise the limit of that device, take a smaller batch, or add a device.")};
    }
    if (end.outOfMemory) {
        return {QStringLiteral("child.out-of-memory"),
                sentence("%1 was ended by the system because memory ran out.").arg(role), words,
                sentence("Close other programs there, take a smaller batch, or add a device.")};
    }
    if (end.kind == ChildEnd::Kind::Exited && end.code == noMemoryStatus) {
        return {QStringLiteral("child.out-of-memory"), sentence("%1 ended because memory ran out.").arg(role), words,
                sentence("Close other programs there, take a smaller batch, or add a device.")};
    }
    if (end.kind == ChildEnd::Kind::Signalled) {
        const bool byForce = end.code == SIGKILL || end.code == SIGTERM || end.code == SIGINT || end.code == SIGHUP;
        if (byForce) {
            return {QStringLiteral("child.killed"),
                    sentence("%1 was killed (signal %2, %3).").arg(role).arg(end.code).arg(signalName(end.code)),
                    words.isEmpty() ? sentence("Somebody or the system ended it by force.") : words,
                    sentence("Start the run again.")};
        }
        return {QStringLiteral("child.crashed"),
                sentence("%1 crashed (signal %2, %3).").arg(role).arg(end.code).arg(signalName(end.code)), words,
                sentence("Start the run again; if it crashes again, report it with these words.")};
    }
    if (end.code != 0) {
        return {QStringLiteral("child.failed"), sentence("%1 ended with status %2.").arg(role).arg(end.code), words,
                sentence("Start the run again.")};
    }
    return {QStringLiteral("child.ended"), sentence("%1 ended.").arg(role),
            end.requested ? sentence("It was asked to.") : words, QString()};
}

qint64 ownMemory(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/status").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    qint64 kibibytes = 0;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith("RssAnon:") || line.startsWith("VmSwap:"))
            kibibytes += line.mid(line.indexOf(':') + 1).trimmed().chopped(3).toLongLong();
    }
    return kibibytes << 10;
}

qint64 outOfMemoryKills() {
    QFile file(QStringLiteral("/proc/vmstat"));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith("oom_kill "))
            return line.mid(9).trimmed().toLongLong();
    }
    return -1;
}

}  // namespace hearth
