#include "core/agent/agent_restart.h"

#include <unistd.h>

#include <QFile>
#include <QFileInfo>

#include "core/home/state_dir.h"

namespace hearth {
namespace {

QByteArray readProcFile(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

AgentRestart agentRestartOf(const QString &stateDir, const QString &process) {
    const QByteArray group = readProcFile(process + QStringLiteral("/cgroup"));
    if (group.contains("/system.slice/hearth-agent.service") || QFileInfo(stateDir).ownerId() != ::getuid())
        return AgentRestart::SystemService;
    // The user's service manager knows its options.
    if (group.contains("/hearth-agent.service"))
        return AgentRestart::Possible;
    // Each word ends with a zero. Without options, or as a window starts it.
    const QByteArrayList words = readProcFile(process + QStringLiteral("/cmdline")).split('\0');
    const bool isPlain = words.size() == 2 || (words.size() == 4 && words[1] == "--state");
    return isPlain ? AgentRestart::Possible : AgentRestart::ByHand;
}

bool isFolderHeld(const QString &stateDir) {
    const auto lock = lockStateDir(stateDir);
    return !lock && lock.error().code == QLatin1String("agent.already-running");
}

}  // namespace hearth
