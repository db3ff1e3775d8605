// Numbers as people read them: by locale, bytes in binary units, rates in MB/s.
#pragma once

#include <QLocale>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace hearth {

/// Between letters where a line may end.
constexpr QChar zeroWidthSpace(0x200B);

/// A text that may name models or files, which have no spaces: long words may wrap where their parts meet, and what
/// goes on for long without a joint anywhere.
QString breakable(const QString &text);
/// A text that may name models or files as it is, on a button, in a menu or in the label of a field: an ampersand would
/// underline what follows it there.
QString withAmpersands(QString text);
/// "1.9 GiB"
QString formatBytes(qint64 bytes);
/// "12.4 MB/s"; decimal units, as networks are sold.
QString formatRate(double bytesPerSecond);
/// Short spans with three figures: "850 µs", "41.3 ms", "1.55 s"; from a minute on "2 min 5 s", "3 h 20 min".
QString formatSeconds(double seconds);
/// Those that a sentence compares, alike: "0.40 s", "1.20 s".
QStringList formatSeconds(const std::vector<double> &compared);
/// Estimated: "13.2 s", "41 min", "3 h 20 min", "12 h".
QString formatAboutSeconds(double seconds);
/// What somebody waited for: "under 0.1 s", "1.1 s", "13 s", "2 min 5 s".
QString formatSpan(double seconds);
/// What is over or left of a run: "under 1 s", "13 s", "2 min 5 s".
QString formatWholeSeconds(double seconds);
/// A time of the run, as axes and lists show it: "2:05", from an hour on "3:20:05".
QString formatClock(double seconds);
/// "1,234" or "3.42": about three significant figures, more where the integer part needs them.
QString formatNumber(double value);
QString formatCount(qint64 count);
/// Three figures: "850", "62.0 k", "11.2 M", "1.24 G".
QString formatShortCount(qint64 count);
/// 0.852 → "85.2 %"
QString formatPercent(double fraction);
/// A loss: four decimals, the same width while it falls.
QString formatLoss(double loss);
/// A number that may have a fraction, as a field shows it and somebody changes it.
QString fractionText(double value, const QLocale &locale);
/// What was typed there, as this language writes it or with a point; nothing where it is no finite number, or where
/// its only separator may be one of thousands: in German "0.001" is no 1, and "1.000" may be meant either way.
std::optional<double> typedFraction(const QString &text, const QLocale &locale);
/// A fingerprint of 64 hex digits in groups of four: "9f3a 01bc …".
QString formatFingerprint(const QString &hex);
/// The same with so many digits in a line.
QString fingerprintLines(const QString &hex, qsizetype digits);

}  // namespace hearth
