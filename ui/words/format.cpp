#include "ui/words/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/number_text.h"
#include "ui/words/unbroken.h"

namespace hearth {

namespace {

struct Format {
    Q_DECLARE_TR_FUNCTIONS(Format)
};

QLocale withoutThousands(QLocale locale) {
    locale.setNumberOptions(QLocale::OmitGroupSeparator | QLocale::RejectGroupSeparator);
    return locale;
}

}  // namespace

QString fractionText(double value, const QLocale &locale) {
    return withoutThousands(locale).toString(value, 'g', QLocale::FloatingPointShortest);
}

std::optional<double> typedFraction(const QString &text, const QLocale &locale) {
    const QString typed = text.trimmed();
    const QString group = locale.groupSeparator();
    const qsizetype groups = typed.count(group), at = typed.indexOf(group);
    const bool isClear = groups > 1 || (groups == 1 && typed.contains(locale.decimalPoint()));
    // "1.000" may be one or a thousand; no thousand begins with 0.
    if (groups == 1 && !isClear && typed.size() - at == 4 && !typed.startsWith(QLatin1Char('0')))
        return std::nullopt;
    for (const QLocale &one : {isClear ? locale : withoutThousands(locale), withoutThousands(QLocale::c())}) {
        bool isNumber = false;
        const double value = one.toDouble(typed, &isNumber);
        if (isNumber && std::isfinite(value))
            return value;
    }
    return std::nullopt;
}

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

QString withAmpersands(QString text) {
    return text.replace(u'&', QStringLiteral("&&"));
}

QString formatBytes(qint64 bytes) {
    return unbroken(memoryText(bytes, QLocale()));
}

QString formatRate(double bytesPerSecond) {
    if (bytesPerSecond >= 1e9)
        return unbroken(Format::tr("%1 GB/s").arg(figuresText(bytesPerSecond / 1e9, QLocale())));
    if (bytesPerSecond >= 1e6)
        return unbroken(Format::tr("%1 MB/s").arg(figuresText(bytesPerSecond / 1e6, QLocale())));
    return unbroken(Format::tr("%1 kB/s").arg(figuresText(bytesPerSecond / 1e3, QLocale())));
}

QString formatSeconds(double seconds) {
    return formatSeconds(std::vector{seconds}).front();
}

QStringList formatSeconds(const std::vector<double> &compared) {
    const bool areKnown = std::ranges::all_of(compared, [](double each) { return std::isfinite(each) && each >= 0; });
    if (!areKnown)
        return QStringList(static_cast<qsizetype>(compared.size()), QStringLiteral("–"));
    QStringList texts = secondsTexts(compared, QLocale());
    for (QString &text : texts)
        text = unbroken(text);
    return texts;
}

QString formatAboutSeconds(double seconds) {
    return unbroken(aboutSecondsText(seconds, QLocale()));
}

QString formatSpan(double seconds) {
    constexpr double least = 0.1, tenths = 9.95;
    if (!std::isfinite(seconds) || seconds <= 0 || seconds >= tenths)
        return formatWholeSeconds(seconds);
    if (seconds < least)
        return unbroken(Format::tr("under %1 s").arg(QLocale().toString(least, 'f', 1)));
    return unbroken(QStringLiteral("%1 s").arg(QLocale().toString(seconds, 'f', 1)));
}

QString formatWholeSeconds(double seconds) {
    if (seconds > 0 && seconds < 1)
        return unbroken(Format::tr("under %1 s").arg(QLocale().toString(1)));
    constexpr double oneMinute = 60;
    if (std::isfinite(seconds) && seconds >= 0 && std::round(seconds) < oneMinute)
        return unbroken(QStringLiteral("%1 s").arg(QLocale().toString(std::lround(seconds))));
    return formatSeconds(std::round(seconds));
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
    return std::isfinite(value) ? figuresText(value, QLocale()) : QStringLiteral("–");
}

QString formatCount(qint64 count) {
    return countText(count, QLocale());
}

QString formatShortCount(qint64 count) {
    constexpr qint64 thousand = 1000, million = thousand * thousand, milliard = million * thousand;
    const auto of = [count](qint64 unit) {
        return figuresText(static_cast<double>(count) / static_cast<double>(unit), QLocale());
    };
    if (count >= milliard)
        return unbroken(Format::tr("%1 G", "thousand million").arg(of(milliard)));
    if (count >= million)
        return unbroken(Format::tr("%1 M", "million").arg(of(million)));
    if (count >= thousand)
        return unbroken(Format::tr("%1 k", "thousand").arg(of(thousand)));
    return formatCount(count);
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

QString fingerprintLines(const QString &hex, qsizetype digits) {
    QStringList lines;
    for (qsizetype i = 0; i < hex.size(); i += digits)
        lines << formatFingerprint(hex.mid(i, digits));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace hearth
