#include "core/run/files/run_info.h"
#include "core/base/cbor.h"

#include <QCborArray>
#include <QJsonArray>
#include <cmath>
#include <limits>

namespace hearth {

QCborMap RunInfo::toCbor() const {
    QCborMap map;
    map[QStringLiteral("id")] = id;
    map[QStringLiteral("state")] = state;
    map[QStringLiteral("started")] = started;
    map[QStringLiteral("model")] = model;
    map[QStringLiteral("data")] = data;
    map[QStringLiteral("live")] = live;
    map[QStringLiteral("rounds")] = rounds;
    if (!std::isnan(loss))
        map[QStringLiteral("loss")] = loss;
    if (accuracy >= 0)
        map[QStringLiteral("accuracy")] = accuracy;
    map[QStringLiteral("last_seq")] = static_cast<qint64>(lastSeq);
    if (endedEarly)
        map[QStringLiteral("ended_early")] = true;
    map[QStringLiteral("resumable")] = resumable;
    if (!only.isEmpty())
        map[QStringLiteral("only")] = only;
    return map;
}

QJsonObject RunInfo::toJson() const {
    return toCbor().toJsonObject();
}

RunInfo RunInfo::fromCbor(const QCborMap &map) {
    RunInfo info;
    info.id = map[QStringLiteral("id")].toString();
    info.state = map[QStringLiteral("state")].toString();
    info.started = map[QStringLiteral("started")].toString();
    info.model = map[QStringLiteral("model")].toString();
    info.data = map[QStringLiteral("data")].toString();
    info.live = map[QStringLiteral("live")].toBool();
    info.rounds = integerOf(map[QStringLiteral("rounds")]);
    info.loss = map[QStringLiteral("loss")].toDouble(std::numeric_limits<double>::quiet_NaN());
    info.accuracy = map[QStringLiteral("accuracy")].toDouble(-1);
    info.endedEarly = map[QStringLiteral("ended_early")].toBool();
    info.resumable = map[QStringLiteral("resumable")].toBool();
    info.only = map[QStringLiteral("only")].toString();
    info.lastSeq = static_cast<quint64>(integerOf(map[QStringLiteral("last_seq")]));
    return info;
}

QCborMap RunOrder::toCbor() const {
    QCborMap map;
    if (resume.isEmpty()) {
        map[QStringLiteral("job")] = QCborMap::fromJsonObject(job);
        map[QStringLiteral("model")] = QCborMap::fromJsonObject(model);
    } else {
        map[QStringLiteral("resume")] = resume;
    }
    if (!plan.isEmpty())
        map[QStringLiteral("plan")] = QCborMap::fromJsonObject(plan);
    if (!weightsPath.isEmpty())
        map[QStringLiteral("weights")] = weightsPath;
    if (!devices.isEmpty())
        map[QStringLiteral("devices")] = QCborArray::fromStringList(devices);
    QJsonObject all = options;
    if (!savePath.isEmpty())
        all[QStringLiteral("save")] = savePath;
    if (!tracePath.isEmpty())
        all[QStringLiteral("trace")] = tracePath;
    map[QStringLiteral("options")] = QCborMap::fromJsonObject(all);
    return map;
}

}  // namespace hearth
