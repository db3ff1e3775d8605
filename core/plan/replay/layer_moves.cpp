#include "core/plan/replay/layer_moves.h"

#include <cmath>
#include <map>

#include "core/base/at.h"
#include "core/base/sentence_list.h"
#include "core/plan/plan_memory.h"
#include "core/plan/words.h"

namespace hearth {
namespace {

StateHolders survivingHolders(const Plan &before, const QSet<QString> &lost, const StateHolders &copies) {
    StateHolders holders(before);
    holders.add(copies);
    holders.remove(lost);
    return holders;
}

std::vector<qint64> stateBytesOf(const CostModel &model) {
    std::vector<qint64> bytes;
    for (int l = 0; l < model.layerCount(); ++l)
        bytes.push_back(stateBytes(model.problem(), l));
    return bytes;
}

LinkRate ratesOf(const CostModel &model) {
    return [&model](const QString &from, const QString &to) {
        const int source = model.indexOf(from), target = model.indexOf(to);
        return source < 0 || target < 0 ? 0 : model.links().bytesPerSecond(source, target);
    };
}

Result<void> checkSources(const CostModel &model, const StateHolders &holders) {
    QList<Sentence> gone;
    for (const int layer : holders.lacking(stateBytesOf(model)))
        gone << layerText(model.problem(), layer);
    if (gone.isEmpty())
        return {};
    constexpr qsizetype most = 12;
    const Sentence first = listed(gone.mid(0, most), ", ");
    const Sentence names = gone.size() > most ? sentence("%1 and %2 more").arg(first).arg(gone.size() - most) : first;
    return fail(QStringLiteral("replay.no-source"), sentence("Nobody has the state of %1.").arg(names),
                sentence("All devices that computed these layers, or held a copy, are lost."),
                sentence("Bring one of them back, or go on from the last checkpoint on disk; copies on more "
                         "devices would survive this."));
}

tl::unexpected<Error> unreachable(const CostModel &model, const QString &device, int layer) {
    return fail(QStringLiteral("replay.unreachable"),
                sentence("%1 cannot get %2.").arg(device, layerText(model.problem(), layer)),
                sentence("No device that has it can reach %1.").arg(device),
                sentence("Repair the link, or plan without that device."));
}

}  // namespace

StateHolders defaultCopies(const CostModel &model, const Plan &plan) {
    StateHolders holders;
    const std::vector<QString> copies = copyHolders(model, plan);
    for (std::size_t s = 0; s < copies.size(); ++s) {
        for (int l = plan.stages[s].firstLayer; !copies[s].isEmpty() && l < plan.stages[s].lastLayer; ++l)
            holders.add(l, copies[s]);
    }
    return holders;
}

qint64 stateBytes(const PlanningProblem &problem, int layer) {
    const LayerFacts &facts = problem.layers[at(layer)];
    return facts.parameterBytes + facts.bufferBytes +
           static_cast<qint64>(std::llround(problem.optimizerStateFactor * static_cast<double>(facts.trainableBytes)));
}

Result<std::vector<LayerMove>> movesBetween(const CostModel &model, const Plan &before, const Plan &after,
                                            const QSet<QString> &lost, const StateHolders &copies) {
    const StateHolders holders = survivingHolders(before, lost, copies);
    if (auto ok = checkSources(model, holders); !ok)
        return tl::unexpected(ok.error());
    StateMover mover(holders, stateBytesOf(model), ratesOf(model));
    const StateHolders owners(after);
    for (int l = 0; l < model.layerCount(); ++l) {
        for (const QString &owner : owners.of(l)) {
            if (!mover.need(l, owner))
                return unreachable(model, owner, l);
        }
    }
    return mover.moves();
}

Result<std::vector<LayerMove>> movesToOne(const CostModel &model, const Plan &before, const QString &device,
                                          const QSet<QString> &lost, const StateHolders &copies) {
    const StateHolders holders = survivingHolders(before, lost, copies);
    if (auto ok = checkSources(model, holders); !ok)
        return tl::unexpected(ok.error());
    StateMover mover(holders, stateBytesOf(model), ratesOf(model));
    for (int l = 0; l < model.layerCount(); ++l) {
        if (!mover.need(l, device))
            return unreachable(model, device, l);
    }
    return mover.moves();
}

double moveSeconds(const CostModel &model, const std::vector<LayerMove> &moves) {
    const LinkTable &links = model.links();
    std::map<std::pair<int, int>, double> pairs;
    std::vector<double> up(at(model.deviceCount()), 0), down(up), air(at(links.mediumCount()), 0);
    double latency = 0;
    for (const LayerMove &move : moves) {
        const int from = model.indexOf(move.from), to = model.indexOf(move.to);
        const auto bytes = static_cast<double>(move.bytes);
        pairs[{from, to}] += bytes;
        up[at(from)] += bytes;
        down[at(to)] += bytes;
        latency = std::max(latency, links.latency(from, to));
        if (const int medium = links.medium(from); medium >= 0)
            air[at(medium)] += bytes;
        if (const int medium = links.medium(to); medium >= 0 && medium != links.medium(from))
            air[at(medium)] += bytes;
    }
    double slowest = 0;
    for (const auto &[pair, bytes] : pairs) {
        const auto [from, to] = pair;
        double seconds = bytes / links.bytesPerSecond(from, to);
        const auto back = pairs.find({to, from});
        if (back != pairs.end() && links.halfDuplex(from, to))
            seconds += back->second / links.bytesPerSecond(to, from);
        slowest = std::max(slowest, seconds);
    }
    for (int d = 0; d < model.deviceCount(); ++d) {
        if (up[at(d)] > 0)
            slowest = std::max(slowest, up[at(d)] / links.up(d));
        if (down[at(d)] > 0)
            slowest = std::max(slowest, down[at(d)] / links.down(d));
    }
    for (int m = 0; m < links.mediumCount(); ++m)
        slowest = std::max(slowest, air[at(m)] / links.mediumRate(m));
    return slowest + latency;
}

}  // namespace hearth
