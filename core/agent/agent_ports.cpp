#include "core/agent/agent_ports.h"

#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/files.h"
#include "core/base/json_reader.h"

namespace hearth {
namespace {

QString fileIn(const QString &stateDir) {
    return stateDir + QStringLiteral("/ports.json");
}

}  // namespace

std::vector<AgentPorts> AgentPorts::choices(const QString &stateDir) {
    std::vector<AgentPorts> all;
    for (int block = 0; block < blocks; ++block)
        all.push_back({static_cast<quint16>(agentPort + block * (workers + 1))});
    if (const auto before = readJsonFile(fileIn(stateDir), 4 << 10)) {
        const int port = (*before)[QLatin1String("agent")].toInt();
        if (port > 1023 && port + workers <= 65535)
            all.insert(all.begin(), {static_cast<quint16>(port)});
    }
    return all;
}

void AgentPorts::remember(const QString &stateDir) const {
    (void)saveFile(fileIn(stateDir), QJsonDocument(QJsonObject{{QStringLiteral("agent"), agent}}).toJson());
}

}  // namespace hearth
