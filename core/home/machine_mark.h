// Tells whether two processes are on the same machine.
#pragma once

#include <QString>

namespace hearth {

/// The same text on every process of this machine and nowhere else, without telling more than that.
QString machineMark();

}  // namespace hearth
