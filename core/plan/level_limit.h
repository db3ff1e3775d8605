// How much the cut behind a layer may lose.
#pragma once

#include <QJsonObject>
#include <vector>

#include "core/base/codec.h"

namespace hearth {

/// What crosses it one way loses no more than `codec` makes it lose, wherever stages end. Plain value, any thread.
struct LevelLimit {
    int layer = 0;           // layers before the cut
    bool isForward = false;  // of activations, else of their gradients
    const Codec *codec = &noCodec();

    bool operator==(const LevelLimit &) const = default;
    QJsonObject toJson() const;
    static Result<LevelLimit> fromJson(const QJsonValue &value, const QString &source, const QString &path);
};

/// `codec`, or the least lossy one that a limit asks for, each way.
CutCodec limited(CutCodec codec, int layer, const std::vector<LevelLimit> &limits);

}  // namespace hearth
