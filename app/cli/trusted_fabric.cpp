#include "app/cli/trusted_fabric.h"

#include "core/run/fabric_choice.h"

namespace hearth {

void declareTrustedFabric(CommandArguments &line) {
    line.value(
        QStringLiteral("trusted-fabric"), QStringLiteral("SCOPE"),
        QStringLiteral("groups sum gradients by LibTorch's Gloo, neither encrypted nor authenticated: \"machine\" "
                       "within one machine, \"network\" between machines that nobody else can reach "
                       "(default: by Hearth's own encrypted links)"));
}

Result<QString> trustedFabricOf(const CommandArguments &line) {
    const QString scope = line.get(QStringLiteral("trusted-fabric"));
    return fabricScopeFromName(scope).map([&](FabricScope) { return scope; });
}

}  // namespace hearth
