#include "core/model/asynchrony.h"

#include <algorithm>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

constexpr qint64 mostUpdates = 1'000'000'000;

const QStringList &updateNames() {  // in the order of Asynchrony::Update
    static const QStringList names{QStringLiteral("round"), QStringLiteral("micro-batch")};
    return names;
}

}  // namespace

std::vector<int> Asynchrony::delays(const std::vector<int> &inFlight, int microBatches) const {
    const int perUpdate = microBatches / updatesPerRound(microBatches);
    std::vector<int> delays;
    for (const int limit : inFlight)
        delays.push_back((std::clamp(limit, 1, microBatches) - 1 + perUpdate - 1) / perUpdate);
    if (verticalSync && !delays.empty())
        std::ranges::fill(delays, *std::ranges::max_element(delays));
    return delays;
}

Result<Asynchrony> Asynchrony::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    Asynchrony read;
    read.update =
        static_cast<Update>(updateNames().indexOf(reader.choice("update", updateNames(), updateNames().front())));
    read.verticalSync = reader.boolean("vertical_sync", read.verticalSync);
    read.averageEvery = reader.integer("average_every", 0, mostUpdates, read.averageEvery);
    read.correctRate = reader.boolean("correct_rate", read.correctRate);
    // A mean of versions is its own remedy: who asks for it gets it alone.
    read.predict = reader.number("predict", 0, Asynchrony::largestPrediction, read.averageEvery > 0 ? 0 : read.predict);
    if (read.averageEvery > 0 && read.predict > 0)
        reader.reject(QStringLiteral("predict"), sentence("It does not go with average_every: leave one of them out."));
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return read;
}

QJsonObject Asynchrony::toJson() const {
    return {{QStringLiteral("update"), updateNames().at(static_cast<int>(update))},
            {QStringLiteral("vertical_sync"), verticalSync},
            {QStringLiteral("average_every"), averageEvery},
            {QStringLiteral("correct_rate"), correctRate},
            {QStringLiteral("predict"), predict}};
}

}  // namespace hearth
