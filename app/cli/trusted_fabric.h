// The option `--trusted-fabric` of the commands that train.
#pragma once

#include "app/cli/command.h"

namespace hearth {

void declareTrustedFabric(CommandArguments &line);
/// "machine", "network", or empty where not given; an error names what there is. Return `wrongUsage(error)` then.
Result<QString> trustedFabricOf(const CommandArguments &line);

}  // namespace hearth
