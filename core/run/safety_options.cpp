#include "core/run/safety_options.h"

#include <QStringList>

#include "core/base/json_reader.h"

namespace hearth {

QStringList SafetyOptions::joinNames() {
    return {QStringLiteral("take"), QStringLiteral("offer"), QStringLiteral("ignore")};
}

QStringList SafetyOptions::recoveryNames() {
    return {QStringLiteral("lightweight"), QStringLiteral("heavy")};
}

QStringList SafetyOptions::replicationNames() {
    QStringList names;
    for (const auto mode :
         {ReplicationMode::Topology, ReplicationMode::Chain, ReplicationMode::Global, ReplicationMode::Off})
        names << replicationModeName(mode);
    return names;
}

Result<SafetyOptions> SafetyOptions::fromJson(const QJsonObject &json, const QString &source, const QString &path) {
    constexpr qint64 most = 1'000'000'000;
    JsonReader reader(json, source, path);
    SafetyOptions options;
    const QString replication = reader.choice("replication", replicationNames(), replicationNames().front());
    options.heavy = reader.choice("recovery", recoveryNames(), recoveryNames().front()) == recoveryNames().back();
    const QString join = reader.choice("join", joinNames(), joinNames().front());
    options.keepsPlan = reader.boolean("keep_plan", options.keepsPlan);
    options.checkpointSeconds = reader.number("checkpoint_seconds", 0, most, options.checkpointSeconds);
    options.checkpointRounds = reader.integer("checkpoint_rounds", 0, most, options.checkpointRounds);
    options.checkpointsKept = static_cast<int>(reader.integer("checkpoints", 1, 1000, options.checkpointsKept));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    options.replication = *replicationModeFromName(replication);
    options.join = static_cast<JoinPolicy>(joinNames().indexOf(join));
    return options;
}

}  // namespace hearth
