#include "core/run/fabric_choice.h"

#include <QHostAddress>
#include <QStringList>
#include <algorithm>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

QStringList addressesOf(const Deployment &deployment, std::span<const Deployment::Stage> stages) {
    QStringList addresses;
    std::vector<Deployment::Member> members;
    for (const Deployment::Stage &stage : stages)
        members.insert(members.end(), stage.members.begin(), stage.members.end());
    for (const Deployment::Member &member : members) {
        const auto peer = std::ranges::find(deployment.peers, member.device, &Deployment::Peer::device);
        addresses << (peer == deployment.peers.end() ? QString() : peer->address);
    }
    addresses.removeDuplicates();
    return addresses;
}

}  // namespace

Result<FabricScope> fabricScopeFromName(const QString &name) {
    if (name.isEmpty())
        return FabricScope::None;
    if (name == QLatin1String("machine"))
        return FabricScope::Machine;
    if (name == QLatin1String("network"))
        return FabricScope::Network;
    return fail(QStringLiteral("run.unknown-fabric"),
                sentence("A trusted fabric cannot reach as far as \"%1\".").arg(name.left(40)),
                sentence("It reaches \"machine\", groups within one machine, or \"network\", all groups."),
                didYouMean(name, {QStringLiteral("machine"), QStringLiteral("network")}));
}

bool onOneMachine(const Deployment &deployment, std::span<const Deployment::Stage> stages) {
    const QStringList addresses = addressesOf(deployment, stages);
    if (addresses.size() == 1)
        return !addresses.front().isEmpty();
    return std::ranges::all_of(addresses, [](const QString &address) { return QHostAddress(address).isLoopback(); });
}

std::vector<Error> chooseFabrics(Deployment &deployment, FabricScope scope) {
    std::vector<Error> warnings;
    if (scope == FabricScope::None)
        return warnings;
    if (scope == FabricScope::Network || onOneMachine(deployment, deployment.stages))
        deployment.tiedFabric = QStringLiteral("gloo");
    for (std::size_t i = 0; i < deployment.stages.size(); ++i) {
        Deployment::Stage &stage = deployment.stages[i];
        if (stage.members.size() < 2)
            continue;
        if (scope == FabricScope::Network || onOneMachine(deployment, {&stage, 1})) {
            stage.fabric = QStringLiteral("gloo");
            continue;
        }
        warnings.push_back(
            {QStringLiteral("run.fabric-refused"),
             sentence("Stage %1 sums its gradients over Hearth's own links.").arg(i + 1),
             sentence("Its devices are on several machines (%1), and the trusted fabric is allowed within one.")
                 .arg(addressesOf(deployment, {&stage, 1}).join(QStringLiteral(", "))),
             sentence("If nobody else can reach the network between them, allow it with --trusted-fabric "
                      "network.")});
    }
    return warnings;
}

}  // namespace hearth
