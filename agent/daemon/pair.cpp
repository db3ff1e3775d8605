// hearth-agent pair: the end of a pairing on a device without a window.
#include <QEventLoop>
#include <optional>

#include "agent/daemon/commands.h"
#include "core/agent/programs.h"
#include "core/agent/stop_signals.h"
#include "core/base/terminal.h"

namespace hearth {

Result<void> pairInTerminal(const AgentOptions &options, PairTerminalOptions pairing, const QString &address) {
    if (!address.isEmpty()) {
        const auto checked = agentAddress(address);
        if (!checked)
            return tl::unexpected(checked.error());
        pairing.addresses << *checked;
    }
    pairing.forgetCommand = QStringLiteral("hearth-agent distrust") + stateOption(options.stateDir);
    if (auto possible = PairTerminal::check(pairing); !possible)
        return possible;
    QEventLoop loop;
    StopSignals stops;
    AgentClient client;
    std::optional<Result<PairingStatus>> outcome;
    const auto settle = [&](const Result<PairingStatus> &result) {
        outcome = result;
        loop.quit();
    };
    PairTerminal terminal(client, pairing);
    QObject::connect(&stops, &StopSignals::received, &terminal, [&terminal] { terminal.interrupt(); });
    QObject::connect(&client, &AgentClient::ready, &terminal, [&] { terminal.start(settle); });
    QObject::connect(&client, &AgentClient::closed, &loop, [&](const Error &reason) {
        if (!outcome)
            settle(tl::unexpected(reason));
    });
    client.open(options.stateDir);
    loop.exec();
    if (!*outcome)
        return tl::unexpected(outcome->error());
    if (!pairing.json)
        writeLine(stderr, QStringLiteral("hearth-agent: Paired with %1.").arg((*outcome)->name));
    return {};
}

}  // namespace hearth
