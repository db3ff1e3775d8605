// The options of the commands that train about the files of a run.
#pragma once

#include "app/cli/command.h"
#include "app/run_order.h"

namespace hearth {

/// --plan, --weights, --partial, --save and --trace; `save` is the help of --save.
void declareOrderFiles(CommandArguments &line, const QString &save);
/// With what trustedFabricOf() and safetyOf() tell, whose options are declared as well. Return `wrongUsage(error)` of
/// an error.
Result<OrderFiles> orderFilesOf(const CommandArguments &line);

}  // namespace hearth
