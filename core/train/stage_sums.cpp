// The executor's sums of gradients: of the stage's group, and of tied tensors over all stages that have them.
#include <algorithm>

#include "core/model/ties.h"
#include "core/plan/gradient_codec.h"
#include "core/train/stage_state.h"

namespace hearth {

int SumGroup::indexOf(const QString &device) const {
    const auto found = std::ranges::find(members, device, &Member::device);
    return found == members.end() ? -1 : static_cast<int>(found - members.begin());
}

/// Devices of one group have laid out its elements in the same way, whatever else they hold.
void StageExecutor::Private::makeGroups(const Model &model) {
    if (stage().members.size() > 1)
        addGroup(0, {place}, 0, module.ownElements(), stage().fabric);
    if (GradientCodec::isUsed(*deployment.gradientCodec, stage().members.size())) {
        groups.front().codec = deployment.gradientCodec;
        owedGradients = at::zeros({module.ownElements()}, hostGradients.options());
    }
    const std::vector<Tie> ties = module.shared().empty() ? std::vector<Tie>() : tiesOf(model);
    for (const StageModule::Shared &part : module.shared()) {
        std::vector<int> stages;
        for (std::size_t s = 0; s < deployment.stages.size(); ++s) {
            if (ties[static_cast<std::size_t>(part.tie)].isIn(deployment.stages[s].firstLayer,
                                                              deployment.stages[s].lastLayer))
                stages.push_back(static_cast<int>(s));
        }
        addGroup(1 + part.tie, stages, part.first, part.end, deployment.tiedFabric);
    }
}

void StageExecutor::Private::addGroup(int number, const std::vector<int> &stages, qint64 first, qint64 end,
                                      const QString &fabric) {
    SumGroup group;
    group.number = number;
    group.first = first;
    group.end = end;
    group.fabric = fabric;
    group.fabricInUse = fabric != Deployment::builtinFabric() && end > first;
    for (const int s : stages) {
        for (const Deployment::Member &member : deployment.stages[static_cast<std::size_t>(s)].members) {
            if (s == place && member.firstSample == mine.first)
                group.self = static_cast<int>(group.members.size());
            group.members.push_back({s, member.device});
        }
    }
    groups.push_back(std::move(group));
}

SumGroup *StageExecutor::Private::groupOf(quint16 slot) {
    const auto found = std::ranges::find(groups, slot / SumGroup::slots, &SumGroup::number);
    return found == groups.end() ? nullptr : &*found;
}

GroupSum &StageExecutor::Private::builtinSum(RoundSum &sum, const SumGroup &group, quint32 round) {
    if (!sum.builtin) {
        const SumLayout layout =
            SumLayout::make(group.elements(), static_cast<int>(group.members.size()), module.dtype(), *group.codec);
        sum.builtin.emplace(layout, group.self, module.dtype(),
                            [this, round, layout, number = group.number, members = group.members](
                                int member, int piece, GroupSum::Phase phase, Encoded values) {
                                const SumGroup::Member &to = members[static_cast<std::size_t>(member)];
                                TensorHeader header;
                                header.kind = TensorKind::AllReduce;
                                header.dtype = module.dtype();
                                header.dims = {1, static_cast<quint32>(layout.count(piece))};
                                header.codec = values.codec->number;
                                header.term = deployment.term;
                                header.round = round;
                                header.version = weights.current();
                                header.stage = static_cast<quint16>(to.stage);
                                header.microBatch = static_cast<quint32>(piece);
                                header.slot = static_cast<quint16>(number * SumGroup::slots + static_cast<int>(phase));
                                if (!values.payload.owner)
                                    values.payload.owner = std::make_shared<const SentTensor>(hostGradients);
                                report.savedBytes +=
                                    layout.count(piece) * byteSize(module.dtype()) - values.payload.size;
                                hand(to.device, header, std::move(values.payload));
                            });
    }
    return *sum.builtin;
}

/// A function of the round wherever nobody asked for more.
bool StageExecutor::Private::sumsExactly(quint32 round) const {
    return round % GradientCodec::exactEvery == 0 || round == exactRound || round == deployment.training.rounds;
}

void StageExecutor::Private::startSum(RoundSum &sum, const SumGroup &group) {
    const auto at = [&](const at::Tensor &values) {
        return static_cast<std::byte *>(values.data_ptr()) + group.first * byteSize(module.dtype());
    };
    GroupSum::Owed owed;
    if (group.codec != &noCodec())
        owed = {at(owedGradients), sumsExactly(currentRound)};
    builtinSum(sum, group, currentRound).start(at(hostGradients), owed);
}

void StageExecutor::Private::watchGradients(RoundState &state) {
    bool any = false;
    for (SumGroup &group : groups) {
        RoundSum &sum = sumOf(state, group);
        if (sumsOverFabric(group, sum))
            continue;
        startSum(sum, group);
        any = true;
    }
    if (!any)
        return;
    module.watchGradients([this, &state](qint64 first, qint64 end) {
        for (const SumGroup &group : groups) {
            const qint64 from = std::max(first, group.first), to = std::min(end, group.end);
            RoundSum &sum = sumOf(state, group);
            if (from >= to || !sum.builtin || !sum.builtin->started())
                continue;
            fetchGradients(from, to);
            sum.builtin->ready(from - group.first, to - group.first);
        }
    });
}

void StageExecutor::Private::beginSums(RoundState &state) {
    state.summing = true;
    for (RoundSum &sum : state.sums)
        sum.cameLast = sum.builtin && !sum.builtin->awaitsMembers();
}

bool StageExecutor::Private::allSummed(RoundState &state) {
    bool all = true;
    for (SumGroup &group : groups) {
        RoundSum &sum = sumOf(state, group);
        sum.done = sum.done || summed(group, sum);
        all = all && sum.done;
    }
    return all;
}

bool StageExecutor::Private::summed(SumGroup &group, RoundSum &sum) {
    if (sumsOverFabric(group, sum)) {
        if (fabricSummed(group, sum))
            return true;
        if (!sum.fabric.failed)
            return false;
    }
    if (sum.fabric.failed)
        giveUpFabric(group);
    if (!sum.builtin || !sum.builtin->started()) {
        startSum(sum, group);
        fetchGradients(group.first, group.end);
        sum.builtin->ready(0, group.elements());
    }
    if (!sum.builtin->done())
        return false;
    storeGradients(group.first, group.end);
    return true;
}

/// Who came last waits for nobody: all that is missing is on its way.
bool StageExecutor::Private::awaitsMembers(const RoundState &state) const {
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const RoundSum &sum = state.sums[g];
        if (sum.done)
            continue;
        const bool waits = sumsOverFabric(groups[g], sum) ? std::ranges::count(sum.fabric.begun, true) <
                                                                static_cast<std::ptrdiff_t>(groups[g].members.size())
                                                          : !sum.cameLast;
        if (waits)
            return true;
    }
    return false;
}

Result<void> StageExecutor::Private::deliverSum(const QString &from, const TensorFrame &frame) {
    const TensorHeader &header = frame.header;
    if (GradientNorm::hasSlot(header.slot))
        return norm.deliver(roundState(header.round).norm, from, frame);
    SumGroup *group = groupOf(header.slot);
    const int member = group ? group->indexOf(from) : -1;
    const int what = header.slot % SumGroup::slots;
    if (group && what >= fabricSlots)
        return deliverFabric(*group, member, frame);
    if (member < 0 || what >= fabricSlots || header.dtype != module.dtype() || header.microBatch > INT_MAX)
        return tl::unexpected(badFrame(sentence("It is no part of this group's AllReduce.")));
    if (header.round == currentRound)
        times.sumArrives(frame.began);
    return builtinSum(sumOf(roundState(header.round), *group), *group, header.round)
        .deliver(member, static_cast<int>(header.microBatch), static_cast<GroupSum::Phase>(what), frame.payload,
                 *codecByNumber(header.codec));
}

}  // namespace hearth
