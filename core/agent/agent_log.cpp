#include "core/agent/agent_log.h"

#include <QFile>

namespace hearth {
namespace {

// Of what agents have said: the reason of a crash is in its last lines.
constexpr qint64 keptLogBytes = 1 << 20;

}  // namespace

QString agentLogPath(const QString &stateDir) {
    return stateDir + QStringLiteral("/agent.log");
}

qint64 keepLogEnd(const QString &path) {
    QFile file(path);
    if (file.size() > keptLogBytes && file.open(QIODevice::ReadWrite)) {
        file.seek(file.size() - keptLogBytes);
        const QByteArray end = file.readAll();
        file.resize(0);
        file.seek(0);
        file.write(end.mid(end.indexOf('\n') + 1));
        file.close();
    }
    return file.size();
}

}  // namespace hearth
