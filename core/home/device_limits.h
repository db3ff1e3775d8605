// What the owner of a device lets training take of it.
#pragma once

#include <QCborMap>
#include <QDateTime>
#include <QJsonObject>
#include <QTime>
#include <chrono>
#include <optional>

#include "core/base/error.h"
#include "core/home/power_source.h"

namespace hearth {

/// A part of every day in the device's local time, in minutes after midnight; it may pass midnight (22:00 to 07:00).
struct DailyHours {
    int from = 0;  // 0 … 1439
    int to = 0;    // 0 … 1439, the first minute that is no longer in it; never equal to `from`

    bool contains(const QTime &time) const;
    QString toText() const;  // "22:00-07:00"
    static Result<DailyHours> fromText(const QString &text);
    bool operator==(const DailyHours &) const = default;
};

/// Plain value, any thread. The default is no limit.
struct DeviceLimits {
    static constexpr qint64 leastMemory = 256LL << 20;  // the libraries of a worker alone take most of it
    static constexpr int mostWatts = 10'000;

    qint64 memoryBytes = 0;  // of each worker; 0: what the device has
    int threads = 0;         // of each worker; 0: all cores
    bool onlyOnMains = false;
    std::optional<DailyHours> hours;
    bool paused = false;
    std::optional<qint64> pausedUntil;  // seconds since 1970, where paused; else until somebody resumes it
    bool withoutCard = false;           // computes on the processor, also where there is a graphics card
    int cardPercent = 0;                // of the card's memory, of each worker; 0: what others leave of it
    int cardWatts = 0;                  // that the card may take while it trains; 0: what its driver allows
    bool cardAlone = false;             // not while another program computes or draws on the card

    bool operator==(const DeviceLimits &) const = default;
    bool isNone() const { return *this == DeviceLimits{}; }
    void pause(std::optional<qint64> until);
    void resume();
    /// Paused as these are, or not.
    void takePause(const DeviceLimits &other);
    /// The same, paused as long, by a clock that shows `now` where theirs showed `sent`: seconds since 1970.
    DeviceLimits byClock(qint64 sent, qint64 now) const;

    QJsonObject toJson() const;
    /// Strict; `source` names the file or the sender in errors.
    static Result<DeviceLimits> fromJson(const QJsonObject &object, const QString &source);
};

/// Where nothing was ever set, none. A damaged file is an error: a limit must not be lost in silence.
Result<DeviceLimits> loadLimits(const QString &path);
Result<void> saveLimits(const QString &path, const DeviceLimits &limits);

/// Why a device takes no work now.
enum class Rest { None, Paused, OnBattery, OutOfHours, CardTaken };
QString toWord(Rest rest);  // "", "paused", "on-battery", "out-of-hours", "card-taken"
Rest restFromWord(const QString &word);
/// A sentence for errors, with the device's hours or the end of its pause where it has some.
Sentence restCause(Rest rest, const DeviceLimits &limits);
/// "18:40", with its date where it is more than a day ahead; local time.
QString pauseEndText(qint64 until, const QDateTime &now = QDateTime::currentDateTime());

/// `cardTaken`: another program computes or draws on the card.
Rest restOf(const DeviceLimits &limits, const QTime &now, PowerSource power, bool cardTaken = false);
/// When restOf() may have another answer by itself; nullopt: only when somebody changes the limits.
std::optional<std::chrono::milliseconds> nextLook(const DeviceLimits &limits, const QTime &now);
/// When to look whether a pause is over; not above 0: it is. nullopt: it does not end by itself.
std::optional<std::chrono::milliseconds> pauseLeft(const DeviceLimits &limits, const QDateTime &now);

}  // namespace hearth
