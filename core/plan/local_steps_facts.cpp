#include "core/plan/local_steps_facts.h"

#include "core/base/json_reader.h"

namespace hearth {
namespace {

constexpr int mostCopies = 8;

}  // namespace

Result<void> LocalStepsFacts::check(int batch, std::optional<int> microBatch, const QString &source) const {
    if (*this == LocalStepsFacts{})
        return {};
    const auto invalid = [&](const Sentence &cause, const Sentence &advice) {
        return fail(QStringLiteral("problem.invalid"),
                    sentence("%1: \"%2\" is not valid.").arg(source, QStringLiteral("/local_steps")), cause, advice);
    };
    if (every < LocalSteps::leastEvery || every > LocalSteps::mostEvery || copies < 1 || copies > mostCopies) {
        return invalid(sentence("\"every\" must lie in %1 to %2, \"copies\" in 1 to %3.")
                           .arg(LocalSteps::leastEvery)
                           .arg(LocalSteps::mostEvery)
                           .arg(mostCopies),
                       {});
    }
    if (!microBatch || batch != qint64{*microBatch} * every) {
        return invalid(sentence("Every micro-batch is one step: the batch must be %1 of them.").arg(every),
                       sentence("Give a \"micro_batch\", and \"every\" times as much as the \"batch\"."));
    }
    return {};
}

QJsonObject LocalStepsFacts::toJson() const {
    return {{QStringLiteral("every"), every}, {QStringLiteral("copies"), copies}};
}

Result<LocalStepsFacts> LocalStepsFacts::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source, QStringLiteral("/local_steps"));
    LocalStepsFacts steps;
    steps.every = static_cast<int>(reader.integer("every", LocalSteps::leastEvery, LocalSteps::mostEvery));
    steps.copies = static_cast<int>(reader.integer("copies", 1, mostCopies));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return steps;
}

}  // namespace hearth
