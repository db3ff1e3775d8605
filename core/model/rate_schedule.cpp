#include "core/model/rate_schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

using Kind = RateSchedule::Kind;

struct Name {
    Kind kind;
    const char *name;
};
constexpr std::array scheduleNames{Name{Kind::Constant, "constant"}, Name{Kind::Linear, "linear"},
                                   Name{Kind::Cosine, "cosine"}, Name{Kind::Steps, "steps"},
                                   Name{Kind::OneCycle, "one-cycle"}};

constexpr qint64 longestSchedule = 1'000'000'000'000;
// torch's OneCycleLR: where it begins, below that where it ends, and which part goes up.
constexpr double cycleBegins = 1.0 / 25, cycleEnds = cycleBegins / 1e4, cycleRises = 0.3;

/// From `begin` to `end` along half a cosine; `part` from 0 to 1.
double along(double begin, double end, double part) {
    return end + (begin - end) / 2 * (1 + std::cos(std::numbers::pi * part));
}

double oneCycle(qint64 step, qint64 rounds) {
    const double top = cycleRises * static_cast<double>(rounds) - 1, end = static_cast<double>(rounds) - 1;
    const auto at = static_cast<double>(step);
    if (at <= top)
        return along(cycleBegins, 1, at / top);
    return along(1, cycleEnds, end > top ? (at - top) / (end - top) : 1);
}

}  // namespace

double RateSchedule::factor(qint64 round, qint64 rounds) const {
    const qint64 step = std::min(round, std::max<qint64>(rounds, 1)) - 1;
    if (kind == Kind::OneCycle)
        return oneCycle(step, rounds);
    if (step < warmupRounds)
        return static_cast<double>(step + 1) / static_cast<double>(warmupRounds + 1);
    const qint64 since = step - warmupRounds;
    const double part = static_cast<double>(since) / static_cast<double>(std::max<qint64>(rounds - warmupRounds, 1));
    switch (kind) {
        case Kind::Linear:
            return 1 + (last - 1) * part;
        case Kind::Cosine:
            return along(1, last, part);
        case Kind::Steps:
            return std::pow(drop, static_cast<double>(since / every));
        case Kind::Constant:
        case Kind::OneCycle:
            break;
    }
    return 1;
}

RateSchedule RateSchedule::inSteps(int perRound) const {
    RateSchedule result = *this;
    result.warmupRounds *= perRound;
    result.every *= perRound;
    return result;
}

Result<RateSchedule> RateSchedule::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    RateSchedule schedule;
    QStringList kinds;
    for (const Name &each : scheduleNames)
        kinds << QLatin1String(each.name);
    const QString kind = reader.choice("kind", kinds);
    const auto named =
        std::ranges::find_if(scheduleNames, [&](const Name &each) { return kind == QLatin1String(each.name); });
    if (named != scheduleNames.end())
        schedule.kind = named->kind;
    if (reader.ok()) {
        if (schedule.kind != Kind::OneCycle)
            schedule.warmupRounds = reader.integer("warmup_rounds", 0, longestSchedule, 0);
        if (schedule.kind == Kind::Linear || schedule.kind == Kind::Cosine)
            schedule.last = reader.number("last", 0, 1, 0.0);
        if (schedule.kind == Kind::Steps) {
            schedule.every = reader.integer("every", 1, longestSchedule, schedule.every);
            schedule.drop = reader.number("drop", 0, 1, schedule.drop);
        }
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return schedule;
}

QJsonObject RateSchedule::toJson() const {
    const auto named = std::ranges::find(scheduleNames, kind, &Name::kind);
    QJsonObject object{{QStringLiteral("kind"), QLatin1String(named->name)}};
    if (kind != Kind::OneCycle)
        object[QStringLiteral("warmup_rounds")] = warmupRounds;
    if (kind == Kind::Linear || kind == Kind::Cosine)
        object[QStringLiteral("last")] = last;
    if (kind == Kind::Steps) {
        object[QStringLiteral("every")] = every;
        object[QStringLiteral("drop")] = drop;
    }
    return object;
}

}  // namespace hearth
