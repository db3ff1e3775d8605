// What a coordinator asks of its workers between two rounds: a forward-only pass.
#pragma once

#include <QCborMap>
#include <optional>

namespace hearth {

/// Arguments of a worker's `evaluate`. The samples follow in micro-batches once every worker has answered. Plain value.
struct EvaluationOrder {
    enum class Wanted : quint8 {
        Judgements,  // what the answers are worth: the last stage is sent labels, too
        Outputs,     // what the last layer gives
    };

    quint64 version = 0;  // of the weights
    int samples = 0, microBatch = 0;
    Wanted wanted = Wanted::Judgements;
    std::optional<qint64> row = {};  // of outputs {rows, …} this one alone

    bool operator==(const EvaluationOrder &) const = default;
    QCborMap toCbor() const;
    static EvaluationOrder fromCbor(const QCborMap &args);
};

}  // namespace hearth
