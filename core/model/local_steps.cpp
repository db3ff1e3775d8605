#include "core/model/local_steps.h"

#include "core/base/json_reader.h"
#include "core/model/training_spec.h"

namespace hearth {

Result<LocalSteps> LocalSteps::fromJson(const QJsonObject &object, const QString &source, const QString &path,
                                        const OptimizerSpec &inner, bool isAsynchronous) {
    JsonReader reader(object, source, path);
    LocalSteps steps;
    steps.every = static_cast<int>(reader.integer("every", leastEvery, mostEvery, steps.every));
    steps.outerRate = reader.number("outer_rate", 0, 2, steps.outerRate);
    steps.outerMomentum = reader.number("outer_momentum", 0, 1, steps.outerMomentum);
    if (reader.ok() && steps.outerRate <= 0) {
        reader.reject(QStringLiteral("outer_rate"), sentence("No weight would ever change."),
                      sentence("Give a number above 0, at most 2; 1 takes the mean."));
    }
    if (reader.ok() && inner.ema > 0) {
        reader.reject({},
                      sentence("The optimizer keeps a moving average (\"ema\"), which every device would have of "
                               "its own weights alone."),
                      sentence("Leave \"ema\" out, or \"local_steps\"."));
    }
    if (reader.ok() && isAsynchronous) {
        reader.reject({},
                      sentence("Asynchronous training has several stages that never wait for each other, and here "
                               "every device holds the whole network."),
                      sentence("Leave one of the two out."));
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
