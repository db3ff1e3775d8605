#include "core/model/local_steps.h"

#include "core/base/json_reader.h"

namespace hearth {

Result<LocalSteps> LocalSteps::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    LocalSteps steps;
    steps.every = static_cast<int>(reader.integer("every", leastEvery, mostEvery, steps.every));
    steps.outerRate = reader.number("outer_rate", 0, 2, steps.outerRate);
    steps.outerMomentum = reader.number("outer_momentum", 0, 1, steps.outerMomentum);
    if (reader.ok() && steps.outerRate <= 0) {
        reader.reject(QStringLiteral("outer_rate"), sentence("No weight would ever change."),
                      sentence("Give a number above 0, at most 2; 1 takes the mean."));
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return steps;
}

QJsonObject LocalSteps::toJson() const {
    return {{QStringLiteral("every"), every},
            {QStringLiteral("outer_rate"), outerRate},
            {QStringLiteral("outer_momentum"), outerMomentum}};
}

}  // namespace hearth
