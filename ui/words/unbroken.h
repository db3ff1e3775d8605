// Quantities that no line end parts.
#pragma once

#include <QString>

namespace hearth {

/// Beside it no line ends; nobody sees it.
constexpr QChar wordJoiner(0x2060);

/// A number and its unit stay on one line. Any thread.
inline QString unbroken(QString text) {
    text.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
    return text.replace(QLatin1String("/"), QLatin1Char('/') + QString(wordJoiner));
}

}  // namespace hearth
