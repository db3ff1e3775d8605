#include "core/history/weights_round.h"

#include <map>

#include "core/model/safetensors.h"

namespace hearth {

std::optional<qint64> roundOfWeights(const QString &weights) {
    const auto metadata = readSafetensorsMetadata(weights).value_or(std::map<QString, QString>());
    const auto round = metadata.find(QStringLiteral("round"));
    bool isNumber = false;
    const qint64 number = round == metadata.end() ? 0 : round->second.toLongLong(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

std::optional<RunWeights> weightsToTake(const QString &folder) {
    const auto last = savedWeights(folder, RunWeights::Last), best = savedWeights(folder, RunWeights::Best);
    if (!last)
        return best ? std::optional(RunWeights::Best) : std::nullopt;
    if (!best)
        return RunWeights::Last;
    const auto lastRound = roundOfWeights(*last), bestRound = roundOfWeights(*best);
    return lastRound && bestRound && *bestRound > *lastRound ? RunWeights::Best : RunWeights::Last;
}

}  // namespace hearth
