// Where Hearth's programs and folders are, and commands as people are shown them.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace hearth {

/// The default state folder: $XDG_DATA_HOME/hearth, else ~/.local/share/hearth.
QString defaultStateDir();

/// Where another of Hearth's programs is: beside this one, else in $HEARTH_BIN_DIR, else where an installation puts
/// those that nobody starts by hand (../libexec/hearth), else in PATH.
Result<QString> findProgram(const QString &name);

/// As a shell takes it for one word, whatever is in it.
QString shellWord(const QString &word);
/// What leads a command to the home of this state folder: " --state '…'", nothing for the usual home and where
/// `stateDir` is empty.
QString stateOption(const QString &stateDir);

}  // namespace hearth
