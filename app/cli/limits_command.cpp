// `hearth limits`: what training may take of a device.
#include <QDateTime>
#include <QRegularExpression>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/table.h"
#include "core/home/device_choice.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

/// "6GiB", "512 MiB", "all".
Result<qint64> readMemory(const QString &text) {
    if (text == QLatin1String("all"))
        return 0;
    static const QRegularExpression pattern(QStringLiteral("\\A([0-9]{1,7}) ?([MGT])(iB)?\\z"));
    const auto match = pattern.match(text);
    if (!match.hasMatch()) {
        return fail(QStringLiteral("usage.wrong"), sentence("--memory takes an amount, not \"%1\".").arg(text.left(40)),
                    QString(), sentence("Write for instance 6GiB, 512MiB, or all."));
    }
    static const QString units = QStringLiteral("MGT");
    constexpr qint64 most = qint64{1} << 50;
    const qint64 unit = qint64{1} << (20 + 10 * units.indexOf(match.captured(2)));
    const qint64 count = match.captured(1).toLongLong();
    if (count < 1 || count > most / unit) {
        return fail(QStringLiteral("usage.wrong"), sentence("--memory cannot be %1.").arg(text),
                    sentence("It may be from 1 MiB to 1024 TiB."),
                    sentence("Write for instance 6GiB, 512MiB, or all."));
    }
    return count * unit;
}

Result<bool> readYesNo(const CommandArguments &line, const QString &option) {
    const QString text = line.get(option);
    if (text == QLatin1String("yes") || text == QLatin1String("no"))
        return text == QLatin1String("yes");
    return fail(QStringLiteral("usage.wrong"),
                sentence("--%1 takes yes or no, not \"%2\".").arg(option, text.left(40)));
}

/// A number, or the word for no limit.
Result<int> readNumber(const CommandArguments &line, const QString &option, const char *none, int most) {
    if (line.get(option) == QLatin1String(none))
        return 0;
    return line.integer(option, 1, most, 0).map([](qint64 number) { return static_cast<int>(number); });
}

/// Those of a graphics card; true where there was any.
Result<bool> changeCard(const CommandArguments &line, DeviceLimits &limits) {
    bool any = false;
    const auto has = [&](const QString &option) { return line.isSet(option) && (any = true); };
    if (const QString option = QStringLiteral("card"); has(option)) {
        const auto use = readYesNo(line, option);
        if (!use)
            return tl::unexpected(use.error());
        limits.withoutCard = !*use;
    }
    if (const QString option = QStringLiteral("card-alone"); has(option)) {
        const auto alone = readYesNo(line, option);
        if (!alone)
            return tl::unexpected(alone.error());
        limits.cardAlone = *alone;
    }
    if (const QString option = QStringLiteral("card-memory"); has(option)) {
        const auto percent = readNumber(line, option, "all", 100);
        if (!percent)
            return tl::unexpected(percent.error());
        limits.cardPercent = *percent;
    }
    if (const QString option = QStringLiteral("card-watts"); has(option)) {
        const auto watts = readNumber(line, option, "any", DeviceLimits::mostWatts);
        if (!watts)
            return tl::unexpected(watts.error());
        limits.cardWatts = *watts;
    }
    return any;
}

/// "30m", "1h", "2d", from now on; nullopt where nothing was given.
Result<std::optional<qint64>> readPauseEnd(const CommandArguments &line) {
    const QString option = QStringLiteral("for");
    if (!line.isSet(option))
        return std::optional<qint64>();
    if (!line.isSet(QStringLiteral("pause")))
        return fail(QStringLiteral("usage.wrong"), sentence("--for says how long --pause lasts, which is missing."));
    static const QRegularExpression pattern(QStringLiteral("\\A([1-9][0-9]{0,3})([mhd])\\z"));
    const auto match = pattern.match(line.get(option));
    if (!match.hasMatch()) {
        return fail(QStringLiteral("usage.wrong"),
                    sentence("--for takes a time, not \"%1\".").arg(line.get(option).left(40)), QString(),
                    sentence("Write for instance 30m, 1h, or 2d."));
    }
    const qint64 seconds = match.captured(2) == QLatin1String("m")   ? 60
                           : match.captured(2) == QLatin1String("h") ? 3600
                                                                     : 24 * 3600;
    return std::optional<qint64>(QDateTime::currentSecsSinceEpoch() + match.captured(1).toLongLong() * seconds);
}

/// The limits as they will be; nullopt where the words change nothing.
Result<std::optional<DeviceLimits>> changed(const CommandArguments &line, DeviceLimits limits) {
    if (line.isSet(QStringLiteral("pause")) && line.isSet(QStringLiteral("resume"))) {
        return fail(QStringLiteral("usage.wrong"), sentence("--pause and --resume contradict each other."));
    }
    bool any = false;
    const auto has = [&](const QString &option) { return line.isSet(option) && (any = true); };
    if (has(QStringLiteral("none")))
        limits = {};
    if (has(QStringLiteral("memory"))) {
        const auto memory = readMemory(line.get(QStringLiteral("memory")));
        if (!memory)
            return tl::unexpected(memory.error());
        limits.memoryBytes = *memory;
    }
    if (has(QStringLiteral("threads"))) {
        const auto threads = line.get(QStringLiteral("threads")) == QLatin1String("all")
                                 ? Result<qint64>(0)
                                 : line.integer(QStringLiteral("threads"), 1, 4096, 0);
        if (!threads)
            return tl::unexpected(threads.error());
        limits.threads = static_cast<int>(*threads);
    }
    if (has(QStringLiteral("only-on-mains"))) {
        const auto only = readYesNo(line, QStringLiteral("only-on-mains"));
        if (!only)
            return tl::unexpected(only.error());
        limits.onlyOnMains = *only;
    }
    if (has(QStringLiteral("hours"))) {
        limits.hours.reset();
        if (const QString text = line.get(QStringLiteral("hours")); text != QLatin1String("always")) {
            const auto hours = DailyHours::fromText(text);
            if (!hours)
                return tl::unexpected(hours.error());
            limits.hours = *hours;
        }
    }
    const auto ofCard = changeCard(line, limits);
    if (!ofCard)
        return tl::unexpected(ofCard.error());
    any = any || *ofCard;
    const auto pauseEnd = readPauseEnd(line);
    if (!pauseEnd)
        return tl::unexpected(pauseEnd.error());
    if (has(QStringLiteral("pause")))
        limits.pause(*pauseEnd);
    if (has(QStringLiteral("resume")))
        limits.resume();
    return any ? std::optional(limits) : std::nullopt;
}

void print(const DeviceInfo &device, bool json) {
    const DeviceLimits &limits = device.limits;
    if (json) {
        QJsonObject object = device.limitsKnown ? limits.toJson() : QJsonObject();
        if (!device.limitsKnown)
            object[QStringLiteral("limits")] = QStringLiteral("unknown");
        object[QStringLiteral("device")] = device.id;
        object[QStringLiteral("name")] = device.name;
        object[QStringLiteral("state")] = toWord(device.state);
        printJson(object);
        return;
    }
    const Sentence rest = restCause(device.rest, limits);
    const QString now = rest.isEmpty() ? toWord(device.state) : QStringLiteral("resting: ") + rest;
    if (!device.limitsKnown) {
        printTable({{QStringLiteral("device"), device.name},
                    {QStringLiteral("limits"),
                     QStringLiteral("not understood here: %1 runs Hearth %2").arg(device.name, device.version)},
                    {QStringLiteral("now"), now}});
        return;
    }
    const QString paused = limits.pausedUntil ? QStringLiteral("until ") + pauseEndText(*limits.pausedUntil)
                           : limits.paused    ? QStringLiteral("yes")
                                              : QStringLiteral("no");
    const auto yesNo = [](bool is) { return is ? QStringLiteral("yes") : QStringLiteral("no"); };
    QList<QStringList> rows(
        {{QStringLiteral("device"), device.name},
         {QStringLiteral("memory"), limits.memoryBytes > 0 ? formatBytes(limits.memoryBytes) : QStringLiteral("all")},
         {QStringLiteral("threads"), limits.threads > 0 ? QString::number(limits.threads) : QStringLiteral("all")},
         {QStringLiteral("only on mains"), yesNo(limits.onlyOnMains)},
         {QStringLiteral("hours"), limits.hours ? limits.hours->toText() : QStringLiteral("always")},
         {QStringLiteral("paused"), paused}});
    if (device.card) {
        rows << QStringList{QStringLiteral("card"), yesNo(!limits.withoutCard)}
             << QStringList{QStringLiteral("card's memory"), limits.cardPercent > 0
                                                                 ? QStringLiteral("%1 %").arg(limits.cardPercent)
                                                                 : QStringLiteral("all")}
             << QStringList{QStringLiteral("card's power"),
                            limits.cardWatts > 0 ? QStringLiteral("%1 W").arg(limits.cardWatts) : QStringLiteral("any")}
             << QStringList{QStringLiteral("card alone"), yesNo(limits.cardAlone)};
    }
    rows << QStringList{QStringLiteral("now"), now};
    printTable(rows);
}

int runLimits(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("limits"));
    line.positional(QStringLiteral("DEVICE"), QStringLiteral("by name or id; else this one"), false);
    line.value(QStringLiteral("memory"), QStringLiteral("SIZE"), QStringLiteral("of a worker: 6GiB, 512MiB, all"));
    line.value(QStringLiteral("threads"), QStringLiteral("N"), QStringLiteral("of a worker, or all"));
    line.value(QStringLiteral("only-on-mains"), QStringLiteral("yes|no"),
               QStringLiteral("rest while the device runs on its battery"));
    line.value(QStringLiteral("hours"), QStringLiteral("FROM-TO"),
               QStringLiteral("when it may train: 22:00-07:00, or always"));
    line.value(QStringLiteral("card"), QStringLiteral("yes|no"), QStringLiteral("compute on the graphics card"));
    line.value(QStringLiteral("card-memory"), QStringLiteral("PERCENT"),
               QStringLiteral("of the card's memory, of a worker, or all"));
    line.value(QStringLiteral("card-watts"), QStringLiteral("N"),
               QStringLiteral("that the card may take while it trains, or any"));
    line.value(QStringLiteral("card-alone"), QStringLiteral("yes|no"),
               QStringLiteral("rest while another program computes on the card"));
    line.flag(QStringLiteral("pause"), QStringLiteral("rest until --resume, or as long as --for says"));
    line.value(QStringLiteral("for"), QStringLiteral("TIME"), QStringLiteral("how long --pause lasts: 30m, 1h, 2d"));
    line.flag(QStringLiteral("resume"), QStringLiteral("go on after --pause"));
    line.flag(QStringLiteral("none"), QStringLiteral("lift all limits"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    // Words that cannot be meant are said before anything is started.
    if (const auto wanted = changed(line, {}); !wanted)
        return line.wrongUsage(wanted.error());
    const auto client = connectToAgent(stateDirOf(line));
    if (!client)
        return printError(client.error());
    const auto find = [&, word = line.word(0)] {
        return waitFor<std::vector<DeviceInfo>>([&](QObject *context, auto done) { (*client)->devices(context, done); })
            .and_then([&](const std::vector<DeviceInfo> &all) {
                // The first one is the agent's own.
                return word.isEmpty() && !all.empty() ? Result<DeviceInfo>(all.front()) : deviceNamed(all, word);
            });
    };
    auto device = find();
    if (!device)
        return printError(device.error());
    if (const auto wanted = *changed(line, device->limits)) {
        const auto set = waitFor<void>(
            [&](QObject *context, auto done) { (*client)->setLimits(device->id, *wanted, context, done); });
        if (!set)
            return printError(set.error());
        device = find();
        if (!device)
            return printError(device.error());
        // Of another device the agent hears a moment later; what was set is certain.
        device->limits = *wanted;
    }
    print(*device, line.isSet(QStringLiteral("json")));
    return Done;
}

const CommandRegistration limitsRegistration({QStringLiteral("limits"),
                                              QStringLiteral("[DEVICE] [--memory SIZE] [--pause] …"),
                                              QStringLiteral("what training may take of a device"), runLimits});

}  // namespace
}  // namespace hearth
