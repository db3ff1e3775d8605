// Commands of a terminal, as the window shows them to be copied or typed.
#pragma once

#include <QString>

namespace hearth {

/// What leads a command to the home of this state folder: " --state '…'", nothing for the usual home and where
/// `stateDir` is empty.
QString stateOption(const QString &stateDir);

}  // namespace hearth
