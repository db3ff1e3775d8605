#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>

namespace hearth {
namespace {

/// After rounding: 9.996 is 10.0, not 10.00.
int decimalsOf(double value) {
    const double size = std::abs(value);
    return size == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
}

struct Unit {
    double seconds;
    QString name;
};

/// For spans up to a minute: no figure is lost, and none of them reads "1,000".
Unit unitOf(double seconds) {
    if (seconds >= 0.9995 || seconds == 0)
        return {1, QStringLiteral("s")};
    if (seconds >= 0.9995e-3)
        return {1e-3, QStringLiteral("ms")};
    return {1e-6, QStringLiteral("µs")};
}

QString longText(double seconds, const QLocale &locale) {
    const auto whole = static_cast<qint64>(std::lround(seconds));
    if (whole < 3600)
        return QStringLiteral("%1 min %2 s").arg(locale.toString(whole / 60), locale.toString(whole % 60));
    return QStringLiteral("%1 h %2 min").arg(locale.toString(whole / 3600), locale.toString(whole % 3600 / 60));
}

bool isLong(double seconds) {
    return seconds >= 59.95;
}

}  // namespace

QString figuresText(double value, const QLocale &locale) {
    return locale.toString(value, 'f', decimalsOf(value));
}

QString countText(qint64 count, const QLocale &locale) {
    return locale.toString(count);
}

QString aboutSecondsText(double seconds, const QLocale &locale) {
    constexpr double minute = 60, hour = 3600;
    if (seconds >= 10 * hour)
        return QStringLiteral("%1 h").arg(locale.toString(seconds / hour, 'f', 0));
    if (seconds < hour && seconds >= 10 * minute)
        return QStringLiteral("%1 min").arg(locale.toString(seconds / minute, 'f', 0));
    return secondsText(seconds, locale);
}

QString energyText(double joules, const QLocale &locale) {
    constexpr double wattHour = 3600, thousand = 1000;
    const double wattHours = joules / wattHour;
    const bool isSmall = wattHours < 99.5;
    const double value = isSmall ? wattHours : wattHours / thousand;
    const int decimals = value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2;
    return QStringLiteral("%1 %2").arg(locale.toString(value, 'f', decimals),
                                       isSmall ? QStringLiteral("Wh") : QStringLiteral("kWh"));
}

QString bytesText(double bytes, const QLocale &locale) {
    return locale.formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeSIFormat);
}

QString memoryText(qint64 bytes, const QLocale &locale) {
    constexpr qint64 mebibyte = 1 << 20;
    return locale.formattedDataSize(bytes, bytes < mebibyte ? 0 : 1, QLocale::DataSizeIecFormat);
}

QString secondsText(double seconds, const QLocale &locale) {
    return secondsTexts({seconds}, locale).front();
}

QStringList secondsTexts(const std::vector<double> &seconds, const QLocale &locale) {
    const double longest = *std::max_element(seconds.begin(), seconds.end());
    const Unit unit = unitOf(longest);
    QStringList texts;
    for (const double each : seconds) {
        texts << (isLong(each) ? longText(each, locale)
                  : isLong(longest)
                      ? secondsText(each, locale)
                      : QStringLiteral("%1 %2").arg(
                            locale.toString(each / unit.seconds, 'f', decimalsOf(longest / unit.seconds)), unit.name));
    }
    return texts;
}

}  // namespace hearth
