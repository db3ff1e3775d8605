#include "core/run/recovery_choice.h"

#include <QStringList>
#include <algorithm>
#include <map>

#include "core/base/at.h"
#include "core/base/sentence_list.h"
#include "core/model/layer_state.h"

namespace hearth {
namespace {

/// Holders of every layer, by version.
using HolderCounts = std::map<quint64, std::vector<int>>;

template <class Visit>
void forEachLayer(const HeldState &state, std::size_t layers, const Visit &visit) {
    for (int l = std::max(0, state.firstLayer); l < state.lastLayer && at(l) < layers; ++l)
        visit(at(l));
}

HolderCounts countHolders(const StateLayers &layers, const HeldByDevice &held) {
    HolderCounts counts;
    for (const auto &states : held) {
        std::map<quint64, std::vector<bool>> own;  // ranges of one device may overlap
        for (const HeldState &state : states) {
            auto &has = own.try_emplace(state.version, layers.size(), false).first->second;
            forEachLayer(state, layers.size(), [&](std::size_t l) { has[l] = true; });
        }
        for (const auto &[version, has] : own) {
            auto &count = counts.try_emplace(version, layers.size(), 0).first->second;
            for (std::size_t l = 0; l < layers.size(); ++l)
                count[l] += has[l] ? 1 : 0;
        }
    }
    return counts;
}

/// Layers that have a state and no holder.
std::vector<int> lacking(const StateLayers &layers, const std::vector<int> &counts) {
    std::vector<int> result;
    for (std::size_t l = 0; l < layers.size(); ++l) {
        if (layers[l].bytes > 0 && counts[l] == 0)
            result.push_back(static_cast<int>(l));
    }
    return result;
}

Sentence nameOf(const StateLayers &layers, int layer) {
    const QString &name = layers[at(layer)].name;
    return name.isEmpty() ? sentence("layer %1").arg(layer) : Sentence(name);
}

/// "conv1, conv2 and 3 more".
Sentence namesOf(const StateLayers &layers, const std::vector<int> &which) {
    constexpr std::size_t most = 8;
    QList<Sentence> names;
    for (std::size_t i = 0; i < std::min(most, which.size()); ++i)
        names << nameOf(layers, which[i]);
    const Sentence text = listed(names, ", ");
    return which.size() > most ? sentence("%1 and %2 more").arg(text).arg(which.size() - most) : text;
}

/// Who had the layer last and at which version; nobody: an empty name.
std::pair<QString, quint64> lastHolder(const HeldByDevice &all, int layer) {
    std::pair<QString, quint64> last;
    for (auto device = all.constBegin(); device != all.constEnd(); ++device) {
        for (const HeldState &state : *device) {
            const bool holds = layer >= state.firstLayer && layer < state.lastLayer;
            if (holds && (last.first.isEmpty() || state.version > last.second))
                last = {device.key(), state.version};
        }
    }
    return last;
}

/// "conv1, conv2: last at version 20, on nano-1, which is lost; …".
Sentence whereaboutsOf(const StateLayers &layers, const std::vector<int> &missing, const HeldByDevice &held,
                       const HeldByDevice &lost) {
    std::map<QString, std::pair<Sentence, std::vector<int>>> groups;
    for (const int layer : missing) {
        const auto [gone, goneVersion] = lastHolder(lost, layer);
        const auto [there, thereVersion] = lastHolder(held, layer);
        Sentence where = sentence("no device was known to hold it");
        if (!gone.isEmpty() && (there.isEmpty() || goneVersion >= thereVersion))
            where = sentence("last at version %1, on %2, which is lost").arg(goneVersion).arg(gone);
        else if (!there.isEmpty())
            where = sentence("last at version %1, on %2").arg(thereVersion).arg(there);
        auto &group = groups[where.english()];
        group.first = where;
        group.second.push_back(layer);
    }
    QList<Sentence> parts;
    for (const auto &[english, group] : groups)
        parts << listed({namesOf(layers, group.second), group.first}, ": ");
    return sentence("%1.").arg(listed(parts, "; "));
}

tl::unexpected<Error> noState(const Sentence &what, const Sentence &cause) {
    return fail(QStringLiteral("recovery.no-state"), what, cause,
                sentence("Bring one of these devices back, or start again from older weights; more copies and "
                         "more frequent checkpoints would survive this."));
}

/// Gives layers to senders one by one.
class MoveList {
  public:
    MoveList(const StateLayers &layers, quint64 version, const HeldByDevice &held, bool onDisk, const LinkRate &rate,
             QMap<QString, qint64> sending)
        : m_layers(layers), m_onDisk(onDisk), m_rate(rate), m_sending(std::move(sending)) {
        m_holders.resize(layers.size());
        for (auto device = held.constBegin(); device != held.constEnd(); ++device) {
            for (const HeldState &state : *device) {
                if (state.version != version)
                    continue;
                forEachLayer(state, layers.size(), [&](std::size_t l) {
                    if (!m_holders[l].contains(device.key()))
                        m_holders[l] << device.key();
                });
            }
        }
    }

    Result<void> need(int layer, const QString &to) {
        if (m_layers[at(layer)].bytes == 0 || m_holders[at(layer)].contains(to))
            return {};
        const QStringList from = sourcesOf(layer, to);
        if (from.isEmpty() && !m_onDisk)
            return tl::unexpected(noSource(layer, to));
        m_needs.push_back({layer, to, from});
        return {};
    }

    StateMoves giveOut() {
        std::stable_sort(m_needs.begin(), m_needs.end(), [this](const Need &a, const Need &b) {
            const bool aForced = a.from.size() < 2, bForced = b.from.size() < 2;
            if (aForced != bForced)
                return aForced;
            return m_layers[at(a.layer)].bytes > m_layers[at(b.layer)].bytes;
        });
        StateMoves result;
        for (const Need &need : m_needs) {
            const qint64 bytes = m_layers[at(need.layer)].bytes;
            const QString from = soonest(need, bytes);
            if (from.isEmpty())
                result.diskBytes += bytes;
            else
                m_sending[from] += bytes;
            result.bytes += bytes;
            result.moves.push_back({need.layer, from, need.to});
        }
        std::sort(result.moves.begin(), result.moves.end(),
                  [](const auto &a, const auto &b) { return a.layer != b.layer ? a.layer < b.layer : a.to < b.to; });
        return result;
    }

  private:
    struct Need {
        int layer = 0;
        QString to;
        QStringList from;  // by id; empty: the disk alone
    };

    QStringList sourcesOf(int layer, const QString &to) const {
        QStringList sources;
        for (const QString &device : m_holders[at(layer)]) {
            if (!m_rate || m_rate(device, to) > 0)
                sources << device;
        }
        return sources;
    }

    QString soonest(const Need &need, qint64 bytes) const {
        QString best;
        double least = 0;
        for (const QString &device : need.from) {
            const double rate = m_rate ? m_rate(device, need.to) : 1;
            const double seconds = static_cast<double>(m_sending.value(device) + bytes) / rate;
            if (best.isEmpty() || seconds < least) {
                best = device;
                least = seconds;
            }
        }
        return best;
    }

    Error noSource(int layer, const QString &to) const {
        const Sentence what = sentence("%1 cannot get the state of %2.").arg(to, nameOf(m_layers, layer));
        const QStringList &holders = m_holders[at(layer)];
        if (holders.isEmpty())
            return noState(what, sentence("Nobody holds it at that version.")).value();
        return {QStringLiteral("recovery.unreachable"), what,
                sentence("%1 has it and cannot reach that device.").arg(holders.join(QStringLiteral(", "))),
                sentence("Repair the link, or plan without that device.")};
    }

    const StateLayers &m_layers;
    bool m_onDisk;
    const LinkRate &m_rate;
    QMap<QString, qint64> m_sending;
    std::vector<QStringList> m_holders;  // by layer, ascending
    std::vector<Need> m_needs;
};

}  // namespace

StateLayers stateLayersOf(const Model &model, DType dtype, int optimizerBuffers) {
    StateLayers layers;
    for (const Layer &layer : model.layers)
        layers.push_back({layer.name, LayerStateLayout::of(layer, dtype, optimizerBuffers).bytes});
    return layers;
}

void addHeld(HeldByDevice *held, const QString &device, const HeldState &state) {
    auto &states = (*held)[device];
    if (std::find(states.begin(), states.end(), state) == states.end())
        states.push_back(state);
}

Result<RecoveryVersion> newestCompleteVersion(const StateLayers &layers, const HeldByDevice &held,
                                              std::optional<quint64> disk, const HeldByDevice &lost) {
    HolderCounts counts = countHolders(layers, held);
    if (disk)
        counts.try_emplace(*disk, layers.size(), 0);
    std::vector<int> fewest;
    std::optional<quint64> nearest;
    for (auto version = counts.rbegin(); version != counts.rend(); ++version) {
        std::vector<int> missing = lacking(layers, version->second);
        if (missing.empty() || version->first == disk)
            return RecoveryVersion{version->first, !missing.empty()};
        if (!nearest || missing.size() < fewest.size()) {
            nearest = version->first;
            fewest = std::move(missing);
        }
    }
    if (!nearest)
        fewest = lacking(layers, std::vector<int>(layers.size(), 0));
    if (fewest.empty())
        return RecoveryVersion{};  // nothing has a state
    const Sentence names = namesOf(layers, fewest);
    return noState(
        nearest ? sentence("No version of the model is whole: nobody that is left holds the state of %1 at version %2.")
                      .arg(names)
                      .arg(*nearest)
                : sentence("No version of the model is whole: nobody that is left holds the state of %1.").arg(names),
        whereaboutsOf(layers, fewest, held, lost));
}

Result<StateMoves> movesFor(const StateLayers &layers, quint64 version, const std::vector<Deployment::Stage> &stages,
                            const HeldByDevice &held, std::optional<quint64> disk, const LinkRate &rate,
                            QMap<QString, qint64> sending) {
    MoveList list(layers, version, held, disk == version, rate, std::move(sending));
    for (const Deployment::Stage &stage : stages) {
        for (int l = stage.firstLayer; l < stage.lastLayer; ++l) {
            for (const Deployment::Member &member : stage.members) {
                if (auto ok = list.need(l, member.device); !ok)
                    return tl::unexpected(ok.error());
            }
        }
    }
    return list.giveOut();
}

}  // namespace hearth
