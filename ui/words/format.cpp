#include "ui/words/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

namespace hearth {

namespace {

struct Format {
    Q_DECLARE_TR_FUNCTIONS(Format)
};

/// A number and its unit stay on one line.
QString unbroken(QString text) {
    return text.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
}

/// Three significant figures without exponents.
QString threeFigures(double value) {
    const double size = std::abs(value);
    const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
    return QLocale().toString(value, 'f', decimals);
}

}  // namespace

QString breakable(const QString &text) {
    constexpr qsizetype shortWord = 16;  // fits anywhere
    constexpr int longest = 32;          // no word of a language is
    static const QString joints = QStringLiteral("-_/.");
    QStringList words = text.split(QLatin1Char(' '));
    for (QString &word : words) {
        if (word.size() <= shortWord)
            continue;
        QString parted;
        int letters = 0;
        for (const QChar letter : std::as_const(word)) {
            parted += letter;
            ++letters;
            if (joints.contains(letter) || (letters >= longest && !letter.isHighSurrogate())) {
                parted += zeroWidthSpace;
                letters = 0;
            }
        }
        word = parted;
    }
    return words.join(QLatin1Char(' '));
}

QString formatBytes(qint64 bytes) {
    const int decimals = bytes < 1024 * 1024 ? 0 : 1;
    return unbroken(QLocale().formattedDataSize(bytes, decimals, QLocale::DataSizeIecFormat));
}

QString formatRate(double bytesPerSecond) {
    if (bytesPerSecond >= 1e9)
        return unbroken(Format::tr("%1 GB/s").arg(threeFigures(bytesPerSecond / 1e9)));
    if (bytesPerSecond >= 1e6)
        return unbroken(Format::tr("%1 MB/s").arg(threeFigures(bytesPerSecond / 1e6)));
    return unbroken(Format::tr("%1 kB/s").arg(threeFigures(bytesPerSecond / 1e3)));
}

QString formatSeconds(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return QStringLiteral("–");
    if (seconds == 0)
        return unbroken(Format::tr("%1 s").arg(QLocale().toString(0)));
    if (seconds < 1e-3)
        return unbroken(Format::tr("%1 µs").arg(threeFigures(seconds * 1e6)));
    if (seconds < 1)
        return unbroken(Format::tr("%1 ms").arg(threeFigures(seconds * 1e3)));
    if (seconds < 60)
        return unbroken(Format::tr("%1 s").arg(threeFigures(seconds)));
    const auto whole = static_cast<qint64>(std::lround(seconds));
    const QLocale locale;
    if (whole < 3600)
        return unbroken(Format::tr("%1 min %2 s").arg(locale.toString(whole / 60), locale.toString(whole % 60)));
    return unbroken(Format::tr("%1 h %2 min").arg(locale.toString(whole / 3600), locale.toString(whole % 3600 / 60)));
}

QString formatClock(double seconds) {
    const auto whole = static_cast<qint64>(std::max(0.0, seconds));
    const auto two = [](qint64 part) { return QStringLiteral("%1").arg(part, 2, 10, QLatin1Char('0')); };
    const QString tail = two(whole % 60);
    if (whole < 3600)
        return QStringLiteral("%1:%2").arg(whole / 60).arg(tail);
    return QStringLiteral("%1:%2:%3").arg(whole / 3600).arg(two(whole / 60 % 60), tail);
}

QString formatNumber(double value) {
    return std::isfinite(value) ? threeFigures(value) : QStringLiteral("–");
}

QString formatCount(qint64 count) {
    return QLocale().toString(count);
}

QString formatPercent(double fraction) {
    return unbroken(Format::tr("%1 %", "percentage").arg(QLocale().toString(fraction * 100, 'f', 1)));
}

QString formatLoss(double loss) {
    return std::isfinite(loss) ? QLocale().toString(loss, 'f', 4) : QStringLiteral("–");
}

QString formatFingerprint(const QString &hex) {
    QString grouped;
    grouped.reserve(hex.size() + hex.size() / 4);
    for (qsizetype i = 0; i < hex.size(); ++i) {
        if (i > 0 && i % 4 == 0)
            grouped += QLatin1Char(' ');
        grouped += hex.at(i);
    }
    return grouped;
}

}  // namespace hearth
