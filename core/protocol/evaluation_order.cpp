#include "core/protocol/evaluation_order.h"

#include "core/base/cbor.h"

namespace hearth {

QCborMap EvaluationOrder::toCbor() const {
    QCborMap args{{QLatin1String("version"), static_cast<qint64>(version)},
                  {QLatin1String("samples"), samples},
                  {QLatin1String("micro_batch"), microBatch}};
    if (wanted == Wanted::Outputs)
        args[QLatin1String("outputs")] = true;
    if (row)
        args[QLatin1String("row")] = *row;
    return args;
}

EvaluationOrder EvaluationOrder::fromCbor(const QCborMap &args) {
    const QCborValue row = args[QLatin1String("row")];
    return {static_cast<quint64>(integerOf(args[QLatin1String("version")])),
            static_cast<int>(integerOf(args[QLatin1String("samples")])),
            static_cast<int>(integerOf(args[QLatin1String("micro_batch")])),
            args[QLatin1String("outputs")].toBool() ? Wanted::Outputs : Wanted::Judgements,
            row.isInteger() ? std::optional(row.toInteger()) : std::nullopt};
}

}  // namespace hearth
