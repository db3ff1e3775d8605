// Numbers in sentences: digits that tell something.
#pragma once

#include <QLocale>
#include <QString>
#include <QStringList>
#include <vector>

#include "core/base/sentence.h"

namespace hearth {

/// English, as core says it. Any thread, all of these.
inline QLocale sentenceLocale() {
    return QLocale(QLocale::English);
}

/// About three significant figures, more where the integer part needs them: "18,957", "41.3", "3.42", "0".
QString figuresText(double value, const QLocale &locale = sentenceLocale());
/// "18,957"
QString countText(qint64 count, const QLocale &locale);
/// "850 µs", "41.3 ms", "1.55 s", "2 min 5 s", "3 h 20 min".
QString secondsText(double seconds, const QLocale &locale);
/// Those that are compared, in the unit and with the decimals of the longest: "0.40 s", "1.20 s".
QStringList secondsTexts(const std::vector<double> &seconds, const QLocale &locale = sentenceLocale());
/// Those that are estimated: whole minutes from ten of them on, whole hours from ten of those: "41 min", "12 h".
QString aboutSecondsText(double seconds, const QLocale &locale = sentenceLocale());
/// In two figures, as nobody knows more: "35 Wh", from 100 Wh on "0.21 kWh".
QString energyText(double joules, const QLocale &locale = sentenceLocale());
/// "3.1 GB".
QString bytesText(double bytes, const QLocale &locale);

/// "1.2 GiB"; below a MiB without decimals.
QString memoryText(qint64 bytes, const QLocale &locale);

/// For the places of a sentence: the window writes them as its language does.
inline Sentence countText(qint64 count) {
    return Sentence::quantity(countText(count, sentenceLocale()));
}
inline Sentence secondsText(double seconds) {
    return Sentence::quantity(secondsText(seconds, sentenceLocale()));
}
inline Sentence bytesText(double bytes) {
    return Sentence::quantity(bytesText(bytes, sentenceLocale()));
}
inline Sentence memoryText(qint64 bytes) {
    return Sentence::quantity(memoryText(bytes, sentenceLocale()));
}

}  // namespace hearth
