#include "core/run/codec_raises.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/block_codecs.h"
#include "core/base/json_reader.h"
#include "core/base/sentence_list.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

constexpr qsizetype mostRaises = 100'000;
/// No round is repeated after so many.
constexpr qint64 remembered = 100'000;

double mostErrorOf(const Codec &codec, bool isForward) {
    return isForward ? codec.mostError : codec.mostStochasticError;
}

/// Relative, of that micro-batch's loss.
double lossChange(const event::CodecCheck &check) {
    const double change = std::abs(check.loss - check.rawLoss) / std::abs(check.rawLoss);
    // A network that diverges with and without codecs is not theirs to save.
    return std::isfinite(check.rawLoss) && check.rawLoss != 0 ? change : 0;
}

Sentence percent(double part) {
    return Sentence::quantity(100 * part, 1);
}

}  // namespace

std::vector<CutCodec> CodecRaises::codecsAt(const Plan &plan, qint64 round) const {
    const std::vector<LevelLimit> limits = limitsAt(round);
    std::vector<CutCodec> codecs;
    for (std::size_t s = 0; s + 1 < plan.stages.size(); ++s) {
        CutCodec codec = limited(plan.stages[s].codec, plan.stages[s].lastLayer, limits);
        if (round <= gentleRounds)
            codec = {&lessLossy(*codec.forward, bf16Codec), &lessLossy(*codec.backward, bf16Codec)};
        codecs.push_back(codec);
    }
    return codecs;
}

std::vector<CodecChange> CodecRaises::changesAfter(const Plan &plan, qint64 begun) const {
    std::set<qint64> borders{gentleRounds + 1};
    for (const Raise &raise : m_raises)
        borders.insert({raise.from, raise.until});
    std::vector<CodecChange> changes;
    std::vector<CutCodec> before = codecsAt(plan, begun);
    for (const qint64 round : borders) {
        std::vector<CutCodec> after = codecsAt(plan, round);
        if (round <= begun || after == before)
            continue;
        changes.push_back({static_cast<quint32>(round), after});
        before = std::move(after);
    }
    return changes;
}

std::vector<LevelLimit> CodecRaises::limitsAt(qint64 round) const {
    std::vector<LevelLimit> limits;
    for (const Raise &raise : m_raises) {
        if (round >= raise.from && round < raise.until)
            limits.push_back(raise.limit);
    }
    return limits;
}

std::vector<event::Codec> CodecRaises::take(const event::CodecCheck &check, const Plan &plan, qint64 from) {
    const std::vector<CutCodec> checked = codecsAt(plan, check.round), next = codecsAt(plan, from);
    const double change = lossChange(check);
    const bool deviates = !(change <= mostLossChange);
    const bool again = deviates && m_deviated == check.round - roundsBetweenChecks;
    m_deviated = deviates ? check.round : 0;
    std::erase_if(m_raises, [from](const Raise &raise) { return raise.until < from - remembered; });
    std::vector<event::Codec> told;
    for (const event::CodecCheck::Cut &cut : check.cuts) {
        const auto index = static_cast<std::size_t>(cut.cut);
        if (index >= checked.size())
            continue;
        const int layer = plan.stages[index].lastLayer;
        QList<Sentence> reasons;
        for (const bool isForward : {true, false}) {
            const Codec &codec = isForward ? *checked[index].forward : *checked[index].backward;
            // It may have been raised already, for a round that is to come.
            if (&codec == &noCodec() || &codec != (isForward ? next[index].forward : next[index].backward))
                continue;
            const double error = isForward ? cut.forwardError : cut.backwardError;
            const double most = mostErrorOf(codec, isForward);
            if (!(error <= most)) {
                reasons << (isForward ? sentence("Activations lost %1 % instead of at most %2 %.")
                                      : sentence("Gradients lost %1 % instead of at most %2 %."))
                               .arg(percent(error), percent(most));
            } else if (isForward && again) {
                reasons << sentence("Twice running a micro-batch's loss was %1 % off.").arg(percent(change));
            } else {
                continue;
            }
            m_raises.push_back({{layer, isForward, &nextLessLossy(codec)}, from, from + raisedRounds});
        }
        if (reasons.isEmpty())
            continue;
        const CutCodec now = codecsAt(plan, from)[index];
        told.push_back({cut.cut, QString::fromLatin1(now.forward->name), QString::fromLatin1(now.backward->name), from,
                        listed(reasons)});
    }
    if (again)
        m_deviated = 0;  // what follows is judged anew
    return told;
}

QJsonObject CodecRaises::toJson() const {
    QJsonArray rows;
    for (const Raise &raise : m_raises) {
        QJsonObject row = raise.limit.toJson();
        row[QStringLiteral("from")] = raise.from;
        row[QStringLiteral("until")] = raise.until;
        rows.append(row);
    }
    return {{QStringLiteral("raises"), rows}, {QStringLiteral("deviated"), m_deviated}};
}

Result<CodecRaises> CodecRaises::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    CodecRaises raises;
    raises.m_deviated = reader.integer("deviated", 0, ProfileLimits::bytes);
    const QJsonArray rows = reader.array("raises");
    if (rows.size() > mostRaises)
        reader.reject(QStringLiteral("raises"), sentence("There are too many."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        QJsonObject row = rows[i].toObject();
        Raise raise;
        raise.from = row.take(QStringLiteral("from")).toInteger();
        raise.until = row.take(QStringLiteral("until")).toInteger();
        auto limit = LevelLimit::fromJson(row, source, jsonPointer(reader.pathOf(QStringLiteral("raises")), i));
        if (!limit)
            return tl::unexpected(limit.error());
        raise.limit = *limit;
        raises.m_raises.push_back(raise);
    }
    return raises;
}

}  // namespace hearth
