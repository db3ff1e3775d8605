// Numbers in sentences: digits that tell something, in the language of who reads them.
#pragma once

#include <QLocale>
#include <QString>
#include <QStringList>
#include <vector>

namespace hearth {

/// Core's own sentences; the window finds their numbers and writes them as its language does. Any thread, all of these.
inline QLocale sentenceLocale() {
    return QLocale(QLocale::English);
}

/// About three significant figures, more where the integer part needs them: "18,957", "41.3", "3.42", "0".
QString figuresText(double value, const QLocale &locale = sentenceLocale());
/// "18,957"
QString countText(qint64 count, const QLocale &locale = sentenceLocale());
/// "850 µs", "41.3 ms", "1.55 s", "2 min 5 s", "3 h 20 min".
QString secondsText(double seconds, const QLocale &locale = sentenceLocale());
/// Those that are compared, in the unit and with the decimals of the longest: "0.40 s", "1.20 s".
QStringList secondsTexts(const std::vector<double> &seconds, const QLocale &locale = sentenceLocale());

}  // namespace hearth
