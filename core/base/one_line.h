// Texts that others wrote, where there is room for one line.
#pragma once

#include <QString>

namespace hearth {

/// At most so many characters; what cannot be printed is a space: line ends, and what would turn the text around. Any
/// thread.
inline QString oneLine(QString text, qsizetype most) {
    text.truncate(most);
    for (QChar &c : text) {
        if (!c.isPrint())
            c = QLatin1Char(' ');
    }
    return text;
}

}  // namespace hearth
