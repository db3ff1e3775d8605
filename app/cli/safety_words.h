// The options of the commands that train about losses, copies and changes of the plan.
#pragma once

#include <QJsonObject>

#include "app/cli/command.h"

namespace hearth {

void declareSafety(CommandArguments &line);
/// As SafetyOptions reads them; empty where nothing was given. Return `wrongUsage(error)` of an error.
Result<QJsonObject> safetyOf(const CommandArguments &line);

}  // namespace hearth
