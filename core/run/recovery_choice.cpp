#include "core/run/recovery_choice.h"

#include <QStringList>
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/base/at.h"
#include "core/base/sentence_list.h"
#include "core/model/layer_state.h"

namespace hearth {
namespace {

std::vector<qint64> bytesOf(const StateLayers &layers) {
    std::vector<qint64> bytes;
    for (const StateLayer &layer : layers)
        bytes.push_back(layer.bytes);
    return bytes;
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

Error noSource(const StateLayers &layers, int layer, const QString &to, const QStringList &holders) {
    const Sentence what = sentence("%1 cannot get the state of %2.").arg(to, nameOf(layers, layer));
    if (holders.isEmpty())
        return noState(what, sentence("Nobody holds it at that version.")).value();
    return {QStringLiteral("recovery.unreachable"), what,
            sentence("%1 has it and cannot reach that device.").arg(holders.join(QStringLiteral(", "))),
            sentence("Repair the link, or plan without that device.")};
}

}  // namespace

StateLayers stateLayersOf(const Model &model, DType dtype, const OptimizerState &optimizer) {
    StateLayers layers;
    for (const Layer &layer : model.layers)
        layers.push_back({layer.name, LayerStateLayout::of(layer, dtype, optimizer).bytes});
    return layers;
}

void addHeld(HeldByDevice *held, const QString &device, const HeldState &state) {
    auto &states = (*held)[device];
    if (std::find(states.begin(), states.end(), state) == states.end())
        states.push_back(state);
}

Result<RecoveryVersion> newestCompleteVersion(const StateLayers &layers, const HeldByDevice &held,
                                              std::optional<quint64> disk, const HeldByDevice &lost) {
    std::set<quint64, std::greater<>> versions;
    for (const auto &states : held) {
        for (const HeldState &state : states)
            versions.insert(state.version);
    }
    if (disk)
        versions.insert(*disk);
    const std::vector<qint64> bytes = bytesOf(layers);
    std::vector<int> fewest;
    std::optional<quint64> nearest;
    for (const quint64 version : versions) {
        std::vector<int> missing = StateHolders(held, version, static_cast<int>(layers.size())).lacking(bytes);
        if (missing.empty() || version == disk)
            return RecoveryVersion{version, !missing.empty()};
        if (!nearest || missing.size() < fewest.size()) {
            nearest = version;
            fewest = std::move(missing);
        }
    }
    if (!nearest)
        fewest = StateHolders().lacking(bytes);
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
    const StateHolders holders(held, version, static_cast<int>(layers.size()));
    StateMover mover(holders, bytesOf(layers), rate, disk == version);
    mover.setSending(std::move(sending));
    for (const Deployment::Stage &stage : stages) {
        for (int l = stage.firstLayer; l < stage.lastLayer; ++l) {
            for (const Deployment::Member &member : stage.members) {
                if (!mover.need(l, member.device))
                    return tl::unexpected(noSource(layers, l, member.device, holders.of(l)));
            }
        }
    }
    StateMoves result;
    for (const LayerMove &move : mover.moves()) {
        result.moves.push_back({move.layer, move.from, move.to});
        result.bytes += move.bytes;
    }
    return result;
}

}  // namespace hearth
