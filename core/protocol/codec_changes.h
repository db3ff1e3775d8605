// Which rounds write the cuts of a deployment by which codecs, and when that is checked.
#pragma once

#include <QJsonArray>
#include <vector>

#include "core/base/codec.h"

namespace hearth {

/// AccEPT-style. A young network changes quickly: until then nothing loses more than bf16.
inline constexpr quint32 gentleRounds = 50;
/// From the first round after these on; a round that is checked sends one micro-batch as it is, too.
inline constexpr quint32 roundsBetweenChecks = 100;
constexpr bool isCheckedRound(quint32 round) {
    return round > gentleRounds && (round - gentleRounds - 1) % roundsBetweenChecks == 0;
}

/// From `round` on, until the next one. Plain value, any thread.
struct CodecChange {
    quint32 round = 0;
    std::vector<CutCodec> cuts;  // in the order of stages
    bool operator==(const CodecChange &) const = default;
};

QJsonArray toJson(const std::vector<CodecChange> &changes);
/// Checks that they ascend after the round `begun` and name `cuts` cuts each.
Result<std::vector<CodecChange>> codecChangesFromJson(const QJsonArray &rows, quint32 begun, std::size_t cuts,
                                                      const QString &source, const QString &path);
Result<void> checkCodecChanges(const std::vector<CodecChange> &changes, quint32 begun, std::size_t cuts,
                               const QString &source);

}  // namespace hearth
