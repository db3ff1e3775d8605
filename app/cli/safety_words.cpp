#include "app/cli/safety_words.h"

#include "core/base/json_reader.h"
#include "core/run/safety_options.h"

namespace hearth {
namespace {

QString safetyWord(const char *text) {
    return QLatin1String(text);
}

Error wrong(const QString &option, const QString &given, const Sentence &advice) {
    return {QStringLiteral("usage.wrong"), sentence("--%1 does not take \"%2\".").arg(option, given.left(40)),
            QString(), advice};
}

/// "50" rounds, "90s" or "5m" of time, "0" for none.
Result<void> readInterval(const QString &text, QJsonObject &safety) {
    constexpr qint64 most = 1'000'000'000;  // rounds or seconds
    const bool timed = text.endsWith(QLatin1Char('s')) || text.endsWith(QLatin1Char('m'));
    bool fine = false;
    const qint64 amount = (timed ? text.chopped(1) : text).toLongLong(&fine);
    const qint64 unit = text.endsWith(QLatin1Char('m')) ? 60 : 1;
    if (!fine || amount < 0 || amount > most / unit) {
        return tl::unexpected(
            wrong(safetyWord("checkpoint-every"), text,
                  sentence("Name rounds (50), seconds (90s), minutes (5m), or 0 for none; not more than "
                           "a thousand million rounds or seconds.")));
    }
    safety[safetyWord("checkpoint_seconds")] = timed ? unit * amount : 0;
    safety[safetyWord("checkpoint_rounds")] = timed ? 0 : amount;
    return {};
}

}  // namespace

void declareSafety(CommandArguments &line) {
    line.value(safetyWord("replication"), safetyWord("MODE"),
               QStringLiteral("who keeps copies of whose layers: %1")
                   .arg(SafetyOptions::replicationNames().join(QStringLiteral(", "))));
    line.value(safetyWord("recovery"), safetyWord("METHOD"),
               QStringLiteral("after a loss: lightweight moves what must move; heavy gathers all, to compare"));
    line.value(safetyWord("join"), safetyWord("POLICY"),
               QStringLiteral("a device that comes back or appears: take it, offer it, or ignore it"));
    line.flag(safetyWord("keep-plan"), QStringLiteral("nothing but a loss changes the plan"));
    line.value(safetyWord("checkpoint-every"), safetyWord("N"),
               QStringLiteral("rounds (50), seconds (90s) or minutes (5m) between checkpoints; default 120s"));
    line.value(safetyWord("checkpoints"), safetyWord("K"), QStringLiteral("keep the last K checkpoints (default 3)"));
}

Result<QJsonObject> safetyOf(const CommandArguments &line) {
    QJsonObject safety;
    const std::tuple<const char *, QStringList> choices[] = {{"replication", SafetyOptions::replicationNames()},
                                                             {"recovery", SafetyOptions::recoveryNames()},
                                                             {"join", SafetyOptions::joinNames()}};
    for (const auto &[name, valid] : choices) {
        if (!line.isSet(safetyWord(name)))
            continue;
        const QString given = line.get(safetyWord(name));
        if (!valid.contains(given))
            return tl::unexpected(wrong(safetyWord(name), given, didYouMean(given, valid)));
        safety[safetyWord(name)] = given;
    }
    if (line.isSet(safetyWord("keep-plan")))
        safety[safetyWord("keep_plan")] = true;
    if (line.isSet(safetyWord("checkpoint-every"))) {
        if (auto read = readInterval(line.get(safetyWord("checkpoint-every")), safety); !read)
            return tl::unexpected(read.error());
    }
    const auto kept = line.integer(safetyWord("checkpoints"), 1, 1000, CheckpointStore::defaultKeep);
    if (!kept)
        return tl::unexpected(kept.error());
    if (line.isSet(safetyWord("checkpoints")))
        safety[safetyWord("checkpoints")] = *kept;
    return safety;
}

}  // namespace hearth
