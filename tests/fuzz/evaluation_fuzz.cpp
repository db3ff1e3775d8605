// What workers report of an evaluation: CBOR from a peer, added up and told to a person.
#include <QCborParserError>
#include <QCborValue>
#include <cmath>
#include <cstdlib>

#include "core/protocol/evaluation_details.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const QByteArray bytes(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    QCborParserError problem;
    const QCborValue value = QCborValue::fromCbor(bytes, &problem);
    if (problem.error != QCborError::NoError || !value.isMap())
        return 0;
    if (const auto judged = JudgedSample::fromCbor(value.toMap()[QStringLiteral("judged")].toArray())) {
        EvaluationDetails details;
        details.split = QStringLiteral("test");
        details.samples = qint64{1} << 40;
        for (const JudgedSample &one : *judged) {
            if (one.sample < details.samples)
                details.add(one);
        }
        const auto read = EvaluationDetails::fromJson(details.toJson(), QStringLiteral("evaluation.json"));
        if (!read || read->toJson() != details.toJson())
            std::abort();
    }
    const auto tally = EvaluationTally::fromCbor(value.toMap());
    if (!tally)
        return 0;
    // Numbers that are none are unequal to themselves; their form is the same.
    const auto again = EvaluationTally::fromCbor(tally->toCbor());
    if (!again || QCborValue(again->toCbor()).toCbor() != QCborValue(tally->toCbor()).toCbor())
        std::abort();
    EvaluationTally sum = *tally;
    sum.add(*again);
    if (sum.correct != 2 * tally->correct || sum.classes.size() != tally->classes.size())
        std::abort();
    for (const QString &name : LossFacts::names()) {
        for (const Shape &output : {Shape{2}, Shape{9}, Shape{4, 12}}) {
            const auto scores = EvaluationScores::of(*LossFacts::byName(name), output, sum, 7);
            if (scores.f1 && !(*scores.f1 >= 0 && *scores.f1 <= 1))
                std::abort();
        }
    }
    return 0;
}
