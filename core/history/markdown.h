// Internal to core/history: words of others in a page of Markdown.
#pragma once

#include <QString>

namespace hearth {

/// As one line that Markdown takes as it is. Any thread.
inline QString plainMarkdown(const QString &text) {
    QString escaped;
    for (const QChar letter : text.simplified()) {
        if (QLatin1String("\\`*_{}[]<>()#+!|~&").contains(letter))
            escaped += QLatin1Char('\\');
        escaped += letter;
    }
    return escaped;
}

}  // namespace hearth
