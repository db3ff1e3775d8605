#include "core/plan/replay/layer_moves.h"

#include <cmath>
#include <map>

#include "core/base/at.h"
#include "core/base/sentence_list.h"
#include "core/plan/evaluate.h"
#include "core/plan/words.h"

namespace hearth {
namespace {

/// Devices by layer, as indexes.
std::vector<std::vector<int>> ownersOf(const CostModel &model, const Plan &plan) {
    std::vector<std::vector<int>> owners(at(model.layerCount()));
    for (const PlanStage &stage : plan.stages) {
        for (int l = stage.firstLayer; l < stage.lastLayer; ++l) {
            for (const Share &share : stage.shares)
                owners[at(l)].push_back(model.indexOf(share.device));
        }
    }
    return owners;
}

class Mover {
  public:
    Mover(const CostModel &model, const Plan &before, const QSet<QString> &lost, const ReplicaHolders &replicas)
        : m_model(model), m_sent(model.problem().devices.size(), 0) {
        const auto lives = [&](int device) { return device >= 0 && !lost.contains(id(device)); };
        m_owners = ownersOf(model, before);
        for (auto &owners : m_owners)
            std::erase_if(owners, [&](int device) { return !lives(device); });
        m_holders.resize(m_owners.size());
        for (auto it = replicas.constBegin(); it != replicas.constEnd(); ++it) {
            if (it.key() < 0 || it.key() >= model.layerCount())
                continue;
            for (const QString &device : it.value()) {
                if (lives(model.indexOf(device)))
                    m_holders[at(it.key())].push_back(model.indexOf(device));
            }
        }
    }

    Result<void> checkSources() const {
        QList<Sentence> gone;
        for (int l = 0; l < m_model.layerCount(); ++l) {
            if (m_owners[at(l)].empty() && m_holders[at(l)].empty() && stateBytes(m_model.problem(), l) > 0)
                gone << layerText(m_model.problem(), l);
        }
        if (gone.isEmpty())
            return {};
        constexpr qsizetype most = 12;
        const Sentence first = listed(gone.mid(0, most), ", ");
        const Sentence names =
            gone.size() > most ? sentence("%1 and %2 more").arg(first).arg(gone.size() - most) : first;
        return fail(QStringLiteral("replay.no-source"), sentence("Nobody has the state of %1.").arg(names),
                    sentence("All devices that computed these layers, or held a copy, are lost."),
                    sentence("Bring one of them back, or go on from the last checkpoint on disk; copies on more "
                             "devices would survive this."));
    }

    Result<void> add(int layer, int to) {
        const qint64 bytes = stateBytes(m_model.problem(), layer);
        const std::vector<int> &owners = m_owners[at(layer)], &holders = m_holders[at(layer)];
        const auto has = [to](const std::vector<int> &devices) {
            return std::find(devices.begin(), devices.end(), to) != devices.end();
        };
        if (bytes == 0 || has(owners) || has(holders))
            return {};
        int from = soonest(owners, to, bytes);
        if (from < 0)
            from = soonest(holders, to, bytes);
        if (from < 0) {
            return fail(QStringLiteral("replay.unreachable"),
                        sentence("%1 cannot get %2.").arg(id(to), layerText(m_model.problem(), layer)),
                        sentence("No device that has it can reach %1.").arg(id(to)),
                        sentence("Repair the link, or plan without that device."));
        }
        m_sent[at(from)] += static_cast<double>(bytes);
        m_moves.push_back({layer, id(from), id(to), bytes});
        return {};
    }

    std::vector<LayerMove> take() { return std::move(m_moves); }

  private:
    const QString &id(int device) const { return m_model.problem().devices[at(device)].id; }
    int soonest(const std::vector<int> &sources, int to, qint64 bytes) const {
        int best = -1;
        double least = 0;
        for (const int source : sources) {
            const double rate = m_model.links().bytesPerSecond(source, to);
            if (rate <= 0)
                continue;
            const double seconds = (m_sent[at(source)] + static_cast<double>(bytes)) / rate;
            if (best < 0 || seconds < least) {
                best = source;
                least = seconds;
            }
        }
        return best;
    }

    const CostModel &m_model;
    std::vector<std::vector<int>> m_owners, m_holders;  // alive, by layer
    std::vector<double> m_sent;                         // bytes, by device
    std::vector<LayerMove> m_moves;
};

}  // namespace

ReplicaHolders defaultReplicaHolders(const CostModel &model, const Plan &plan) {
    Prediction memory;
    judgeMemory(model, plan, &memory);
    const auto left = [&](const Share &share) {
        const int device = model.indexOf(share.device);
        return model.problem().devices[at(device)].memoryBytes - memory.memoryBytes.value(share.device);
    };
    ReplicaHolders holders;
    const std::size_t count = plan.stages.size();
    for (std::size_t s = 0; s < count; ++s) {
        const PlanStage &stage = plan.stages[s];
        if (stage.shares.size() > 1 || count == 1)
            continue;
        const auto &next = plan.stages[(s + 1) % count].shares;
        const auto roomiest = std::max_element(next.begin(), next.end(),
                                               [&](const Share &a, const Share &b) { return left(a) < left(b); });
        for (int l = stage.firstLayer; l < stage.lastLayer; ++l)
            holders[l] = {roomiest->device};
    }
    return holders;
}

qint64 stateBytes(const PlanningProblem &problem, int layer) {
    const LayerFacts &facts = problem.layers[at(layer)];
    return facts.parameterBytes + facts.bufferBytes +
           static_cast<qint64>(std::llround(problem.optimizerStateFactor * static_cast<double>(facts.trainableBytes)));
}

qint64 movedBytes(const std::vector<LayerMove> &moves) {
    qint64 sum = 0;
    for (const LayerMove &move : moves)
        sum += move.bytes;
    return sum;
}

Result<std::vector<LayerMove>> movesBetween(const CostModel &model, const Plan &before, const Plan &after,
                                            const QSet<QString> &lost, const ReplicaHolders &replicas) {
    Mover mover(model, before, lost, replicas);
    if (auto ok = mover.checkSources(); !ok)
        return tl::unexpected(ok.error());
    const auto owners = ownersOf(model, after);
    for (int l = 0; l < model.layerCount(); ++l) {
        for (const int owner : owners[at(l)]) {
            if (auto ok = mover.add(l, owner); !ok)
                return tl::unexpected(ok.error());
        }
    }
    return mover.take();
}

Result<std::vector<LayerMove>> movesToOne(const CostModel &model, const Plan &before, const QString &device,
                                          const QSet<QString> &lost, const ReplicaHolders &replicas) {
    Mover mover(model, before, lost, replicas);
    if (auto ok = mover.checkSources(); !ok)
        return tl::unexpected(ok.error());
    for (int l = 0; l < model.layerCount(); ++l) {
        if (auto ok = mover.add(l, model.indexOf(device)); !ok)
            return tl::unexpected(ok.error());
    }
    return mover.take();
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
