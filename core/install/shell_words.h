// Words for a shell on another computer, which must arrive there as they are.
#pragma once

#include <QByteArray>
#include <QStringList>

#include "core/base/error.h"

namespace hearth {

/// One word in single quotes, a quote in it as '"'"': no shell of a login (sh, bash, dash, zsh, fish) finds anything to
/// expand in it. Not for csh, which reads a line at a time. A word with a zero byte cannot be passed on:
/// "install.bad-word".
Result<QByteArray> shellQuoted(const QString &word);

/// The command line of SSH for these words: each quoted, with a space between.
Result<QByteArray> shellCommand(const QStringList &words);

}  // namespace hearth
