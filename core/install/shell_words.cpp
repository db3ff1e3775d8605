#include "core/install/shell_words.h"

#include "core/base/sentence.h"

namespace hearth {

Result<QByteArray> shellQuoted(const QString &word) {
    QByteArray bytes = word.toUtf8();
    if (bytes.contains('\0')) {
        return fail(QStringLiteral("install.bad-word"), sentence("A command cannot be sent to the device."),
                    sentence("One of its words has a zero byte."));
    }
    return '\'' + bytes.replace('\'', "'\"'\"'") + '\'';
}

Result<QByteArray> shellCommand(const QStringList &words) {
    QByteArray line;
    for (const QString &word : words) {
        const auto quoted = shellQuoted(word);
        if (!quoted)
            return quoted;
        if (!line.isEmpty())
            line += ' ';
        line += *quoted;
    }
    return line;
}

}  // namespace hearth
