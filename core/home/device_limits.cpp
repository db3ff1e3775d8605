#include "core/home/device_limits.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>
#include <algorithm>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/base/sentence.h"

namespace hearth {
namespace {

constexpr qint64 mostMemory = 1LL << 50;
constexpr int mostThreads = 4096;
constexpr qint64 lastSecond = 253'402'300'799;  // of the year 9999
constexpr qint64 mostLimitsBytes = 64 << 10;
const QString limitsFormat = QStringLiteral("hearth-limits/1");

// A plug is pulled between two looks; clocks are set, and daylight saving begins.
constexpr std::chrono::milliseconds powerInterval = std::chrono::seconds(10);
constexpr std::chrono::milliseconds clockInterval = std::chrono::minutes(5);

int minuteOf(const QTime &time) {
    return time.hour() * 60 + time.minute();
}

QString clockText(int minute) {
    return QTime(minute / 60, minute % 60).toString(QStringLiteral("HH:mm"));
}

}  // namespace

bool DailyHours::contains(const QTime &time) const {
    const int minute = minuteOf(time);
    return from < to ? from <= minute && minute < to : minute >= from || minute < to;
}

QString DailyHours::toText() const {
    return QStringLiteral("%1-%2").arg(clockText(from), clockText(to));
}

Result<DailyHours> DailyHours::fromText(const QString &text) {
    static const QRegularExpression pattern(QStringLiteral("\\A([0-9]{1,2}):([0-9]{2})-([0-9]{1,2}):([0-9]{2})\\z"));
    const auto match = pattern.match(text);
    const QTime from(match.captured(1).toInt(), match.captured(2).toInt());
    const QTime to(match.captured(3).toInt(), match.captured(4).toInt());
    if (!match.hasMatch() || !from.isValid() || !to.isValid() || from == to) {
        return fail(QStringLiteral("limits.bad-hours"), sentence("\"%1\" is no part of a day.").arg(text.left(40)),
                    QString(), sentence("Write two different times as FROM-TO, for instance 22:00-07:00."));
    }
    return DailyHours{minuteOf(from), minuteOf(to)};
}

void DeviceLimits::pause(std::optional<qint64> until) {
    paused = true;
    pausedUntil = until;
}

void DeviceLimits::resume() {
    paused = false;
    pausedUntil.reset();
}

void DeviceLimits::takePause(const DeviceLimits &other) {
    paused = other.paused;
    pausedUntil = other.pausedUntil;
}

DeviceLimits DeviceLimits::byClock(qint64 sent, qint64 now) const {
    DeviceLimits limits = *this;
    if (pausedUntil && sent > 0 && sent <= lastSecond)
        limits.pausedUntil = std::clamp(*pausedUntil - sent + now, qint64{1}, lastSecond);
    return limits;
}

QJsonObject DeviceLimits::toJson() const {
    QJsonObject json{{QStringLiteral("format"), limitsFormat}};
    if (memoryBytes > 0)
        json[QStringLiteral("memory_bytes")] = memoryBytes;
    if (threads > 0)
        json[QStringLiteral("threads")] = threads;
    if (onlyOnMains)
        json[QStringLiteral("only_on_mains")] = true;
    if (hours)
        json[QStringLiteral("hours")] = hours->toText();
    if (paused)
        json[QStringLiteral("paused")] = true;
    if (pausedUntil)
        json[QStringLiteral("paused_until")] = *pausedUntil;
    if (withoutCard)
        json[QStringLiteral("without_card")] = true;
    if (cardPercent > 0)
        json[QStringLiteral("card_percent")] = cardPercent;
    if (cardWatts > 0)
        json[QStringLiteral("card_watts")] = cardWatts;
    if (cardAlone)
        json[QStringLiteral("card_alone")] = true;
    return json;
}

Result<DeviceLimits> DeviceLimits::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    reader.choice("format", {limitsFormat});
    DeviceLimits limits;
    limits.memoryBytes = reader.integer("memory_bytes", 0, mostMemory, 0);
    if (limits.memoryBytes > 0 && limits.memoryBytes < leastMemory) {
        reader.reject(QStringLiteral("memory_bytes"), sentence("No worker fits into that."),
                      sentence("Give at least %1 MiB, or 0 for all.").arg(leastMemory >> 20));
    }
    limits.threads = static_cast<int>(reader.integer("threads", 0, mostThreads, 0));
    limits.onlyOnMains = reader.boolean("only_on_mains", false);
    if (reader.has("hours")) {
        if (const auto hours = DailyHours::fromText(reader.string("hours")))
            limits.hours = *hours;
        else
            reader.reject(QStringLiteral("hours"), hours.error().what, hours.error().advice);
    }
    limits.paused = reader.boolean("paused", false);
    if (reader.has("paused_until")) {
        limits.pausedUntil = reader.integer("paused_until", 1, lastSecond);
        if (!limits.paused)
            reader.reject(QStringLiteral("paused_until"), sentence("Nothing is paused that could end then."));
    }
    limits.withoutCard = reader.boolean("without_card", false);
    limits.cardPercent = static_cast<int>(reader.integer("card_percent", 0, 100, 0));
    limits.cardWatts = static_cast<int>(reader.integer("card_watts", 0, DeviceLimits::mostWatts, 0));
    limits.cardAlone = reader.boolean("card_alone", false);
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return limits;
}

Result<DeviceLimits> loadLimits(const QString &path) {
    const QFileInfo file(path);
    if (!file.exists() && !file.isSymLink())
        return DeviceLimits{};
    const auto damaged = [&path](const Error &error) {
        return fail(QStringLiteral("limits.damaged"),
                    sentence("The limits of this device in %1 cannot be read.").arg(path),
                    Sentence::joined({error.what, error.cause}),
                    sentence("Mend the file, or remove it: then there are no limits."));
    };
    if (!file.isFile() || file.isSymLink())
        return damaged({{}, sentence("It is not a plain file."), {}, {}});
    const auto object = readJsonFile(path, mostLimitsBytes);
    if (!object)
        return damaged(object.error());
    const auto limits = DeviceLimits::fromJson(*object, path);
    if (!limits)
        return damaged(limits.error());
    return *limits;
}

Result<void> saveLimits(const QString &path, const DeviceLimits &limits) {
    return saveFile(path, QJsonDocument(limits.toJson()).toJson());
}

QString toWord(Rest rest) {
    switch (rest) {
        case Rest::Paused:
            return QStringLiteral("paused");
        case Rest::OnBattery:
            return QStringLiteral("on-battery");
        case Rest::OutOfHours:
            return QStringLiteral("out-of-hours");
        case Rest::CardTaken:
            return QStringLiteral("card-taken");
        case Rest::None:
            break;
    }
    return {};
}

Rest restFromWord(const QString &word) {
    for (const Rest rest : {Rest::Paused, Rest::OnBattery, Rest::OutOfHours, Rest::CardTaken}) {
        if (word == toWord(rest))
            return rest;
    }
    return Rest::None;
}

QString pauseEndText(qint64 until, const QDateTime &now) {
    const QDateTime end = QDateTime::fromSecsSinceEpoch(until);
    return end.toString(now.secsTo(end) < 24 * 3600 ? QStringLiteral("HH:mm") : QStringLiteral("yyyy-MM-dd HH:mm"));
}

Sentence restCause(Rest rest, const DeviceLimits &limits) {
    const std::optional<DailyHours> &hours = limits.hours;
    switch (rest) {
        case Rest::Paused:
            return limits.pausedUntil ? sentence("It is paused until %1.").arg(pauseEndText(*limits.pausedUntil))
                                      : sentence("It was paused.");
        case Rest::OnBattery:
            return sentence("It runs on its battery, and is to train only on mains power.");
        case Rest::OutOfHours:
            return hours ? sentence("It is to train from %1 to %2.").arg(clockText(hours->from), clockText(hours->to))
                         : sentence("It is to train at other hours of the day.");
        case Rest::CardTaken:
            return sentence("Another program computes on its graphics card.");
        case Rest::None:
            break;
    }
    return {};
}

Rest restOf(const DeviceLimits &limits, const QTime &now, PowerSource power, bool cardTaken) {
    if (limits.paused)
        return Rest::Paused;
    if (limits.hours && !limits.hours->contains(now))
        return Rest::OutOfHours;
    if (limits.onlyOnMains && power == PowerSource::Battery)
        return Rest::OnBattery;
    if (limits.cardAlone && cardTaken)
        return Rest::CardTaken;
    return Rest::None;
}

std::optional<std::chrono::milliseconds> nextLook(const DeviceLimits &limits, const QTime &now) {
    if (limits.paused)
        return std::nullopt;
    std::optional<std::chrono::milliseconds> next;
    if (limits.hours) {
        const auto until = [&now](int minute) {
            constexpr qint64 day = 24 * 3600 * 1000LL;
            const qint64 left = (minute * 60'000LL - now.msecsSinceStartOfDay() + day) % day;
            return std::chrono::milliseconds(left == 0 ? day : left);
        };
        next = std::min({until(limits.hours->from), until(limits.hours->to), clockInterval});
    }
    if (limits.onlyOnMains)
        next = std::min(next.value_or(powerInterval), powerInterval);
    return next;
}

std::optional<std::chrono::milliseconds> pauseLeft(const DeviceLimits &limits, const QDateTime &now) {
    if (!limits.pausedUntil)
        return std::nullopt;
    const std::chrono::milliseconds left(*limits.pausedUntil * 1000 - now.toMSecsSinceEpoch());
    return std::min(left, clockInterval);
}

}  // namespace hearth
