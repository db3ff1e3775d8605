#include "core/train/gradient_sums.h"

#include <algorithm>
#include <climits>

#include "core/model/ties.h"
#include "core/plan/gradient_codec.h"
#include "core/train/host_copy.h"
#include "core/train/stage_errors.h"
#include "core/train/tensors.h"

namespace hearth {

int SumGroup::indexOf(const QString &device) const {
    const auto found = std::ranges::find(members, device, &Member::device);
    return found == members.end() ? -1 : static_cast<int>(found - members.begin());
}

/// Devices of one group have laid out its elements in the same way, whatever else they hold.
GradientSums::GradientSums(const Deployment &deployment, const Model &model, const QString &self, int place,
                           StageModule &module, const StageOutputs &out, RoundReport &report, StageTimes &times,
                           Send send)
    : m_deployment(deployment),
      m_module(module),
      m_out(out),
      m_report(report),
      m_times(times),
      m_send(std::move(send)),
      m_self(self),
      m_place(place),
      m_updatesPerRound(
          deployment.training.asynchronous
              ? static_cast<quint32>(deployment.training.asynchronous->updatesPerRound(deployment.microBatches))
              : 1),
      m_gradients(out.device->isHost() ? module.gradients() : at::Tensor()) {
    const Deployment::Stage &stage = deployment.stages[static_cast<std::size_t>(m_place)];
    if (stage.members.size() > 1)
        addGroup(0, {m_place}, 0, module.ownElements(), stage.fabric);
    if (GradientCodec::isUsed(*deployment.gradientCodec, stage.members.size())) {
        m_groups.front().codec = deployment.gradientCodec;
        m_owed = at::zeros({module.ownElements()}, m_gradients.options());
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

void GradientSums::addGroup(int number, const std::vector<int> &stages, qint64 first, qint64 end,
                            const QString &fabric) {
    if (!m_gradients.defined())
        m_gradients = m_out.device->toHost(m_module.gradients());
    SumGroup group;
    group.number = number;
    group.first = first;
    group.end = end;
    group.fabric = fabric;
    group.fabricInUse = fabric != Deployment::builtinFabric() && end > first;
    for (const int s : stages) {
        for (const Deployment::Member &member : m_deployment.stages[static_cast<std::size_t>(s)].members) {
            if (s == m_place && member.device == m_self)
                group.self = static_cast<int>(group.members.size());
            group.members.push_back({s, member.device});
        }
    }
    m_groups.push_back(std::move(group));
}

SumGroup *GradientSums::groupOf(quint16 slot) {
    const auto found = std::ranges::find(m_groups, slot / SumGroup::slots, &SumGroup::number);
    return found == m_groups.end() ? nullptr : &*found;
}

GroupSum &GradientSums::builtinSum(RoundSum &sum, const SumGroup &group, quint32 round) {
    if (!sum.builtin) {
        const SumLayout layout =
            SumLayout::make(group.elements(), static_cast<int>(group.members.size()), m_module.dtype(), *group.codec);
        sum.builtin.emplace(layout, group.self, m_module.dtype(),
                            [this, round, layout, number = group.number, members = group.members](
                                int member, int piece, GroupSum::Phase phase, Encoded values) {
                                const SumGroup::Member &to = members[static_cast<std::size_t>(member)];
                                TensorHeader header;
                                header.kind = TensorKind::AllReduce;
                                header.dtype = m_module.dtype();
                                header.dims = {1, static_cast<quint32>(layout.count(piece))};
                                header.codec = values.codec->number;
                                header.term = m_deployment.term;
                                header.round = round;
                                header.version = round - 1;
                                header.stage = static_cast<quint16>(to.stage);
                                header.microBatch = static_cast<quint32>(piece);
                                header.slot = static_cast<quint16>(number * SumGroup::slots + static_cast<int>(phase));
                                if (!values.payload.owner)
                                    values.payload.owner = std::make_shared<const SentTensor>(m_gradients);
                                m_report.savedBytes +=
                                    layout.count(piece) * byteSize(m_module.dtype()) - values.payload.size;
                                m_send(to.device, header, std::move(values.payload));
                            });
    }
    return *sum.builtin;
}

/// A function of the round wherever nobody asked for more.
bool GradientSums::isExact(quint32 number) const {
    if (number % m_updatesPerRound != 0)
        return false;
    const quint32 round = number / m_updatesPerRound;
    return round % GradientCodec::exactEvery == 0 || round == m_exactRound || round == m_deployment.training.rounds;
}

void GradientSums::start(RoundSum &sum, const SumGroup &group, quint32 round) {
    const auto at = [&](const at::Tensor &values) {
        return static_cast<std::byte *>(values.data_ptr()) + group.first * byteSize(m_module.dtype());
    };
    GroupSum::Owed owed;
    if (group.codec != &noCodec())
        owed = {at(m_owed), isExact(round)};
    builtinSum(sum, group, round).start(at(m_gradients), owed);
}

void GradientSums::prepare(Round &sums, quint32 round) {
    for (SumGroup &group : m_groups) {
        openFabric(group, sumOf(sums, group), round);
        sendFabricEntries(group, round);
    }
}

void GradientSums::watch(Round &sums, quint32 round) {
    bool any = false;
    for (SumGroup &group : m_groups) {
        RoundSum &sum = sumOf(sums, group);
        if (usesFabric(group, sum))
            continue;
        start(sum, group, round);
        any = true;
    }
    if (!any)
        return;
    m_module.watchGradients([this, &sums](qint64 first, qint64 end) {
        for (SumGroup &group : m_groups) {
            const qint64 from = std::max(first, group.first), to = std::min(end, group.end);
            RoundSum &sum = sumOf(sums, group);
            if (from >= to || !sum.builtin || !sum.builtin->started())
                continue;
            fetch(group, *sum.builtin, from, to);
        }
    });
}

void GradientSums::begin(Round &sums) {
    awaitFetched();
    for (RoundSum &sum : sums)
        sum.cameLast = sum.builtin && !sum.builtin->awaitsMembers();
}

bool GradientSums::areDone(Round &sums, quint32 round) {
    awaitFetched();
    bool all = true;
    for (SumGroup &group : m_groups) {
        RoundSum &sum = sumOf(sums, group);
        sum.done = sum.done || isDone(group, sum, round);
        all = all && sum.done;
    }
    return all;
}

bool GradientSums::isDone(SumGroup &group, RoundSum &sum, quint32 round) {
    if (usesFabric(group, sum)) {
        if (isFabricDone(group, sum, round))
            return true;
        if (!sum.fabric.failed)
            return false;
    }
    if (sum.fabric.failed)
        giveUpFabric(group);
    if (!sum.builtin || !sum.builtin->started()) {
        start(sum, group, round);
        fetch(group, *sum.builtin, group.first, group.end);
        awaitFetched();
    }
    if (!sum.builtin->done())
        return false;
    store(group.first, group.end);
    return true;
}

void GradientSums::end(const Round &sums) {
    m_areOwed = std::ranges::any_of(sums, [](const RoundSum &sum) { return sum.builtin && sum.builtin->isOwed(); });
}

void GradientSums::fetch(SumGroup &group, GroupSum &sum, qint64 first, qint64 end) {
    if (m_out.device->isHost())
        return sum.ready(first - group.first, end - group.first);
    const at::Tensor into = m_gradients.narrow(0, first, end - first);
    const HostCopy copy = m_out.device->startToHost(m_module.gradients().narrow(0, first, end - first), &into);
    m_fetches.push_back({&sum, first - group.first, end - group.first, copy.there});
}

/// Nothing else is left to do: all passes have been asked for.
void GradientSums::awaitFetched() {
    for (const Fetch &fetched : std::exchange(m_fetches, {})) {
        if (fetched.there)
            fetched.there->wait();
        fetched.sum->ready(fetched.first, fetched.end);
    }
}

void GradientSums::store(qint64 first, qint64 end) {
    const at::NoGradGuard guard;
    if (!m_out.device->isHost())
        m_module.gradients()
            .narrow(0, first, end - first)
            .copy_(m_gradients.narrow(0, first, end - first), /*non_blocking=*/true);
}

bool GradientSums::awaitMembers(const Round &sums) const {
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        const RoundSum &sum = sums[g];
        if (sum.done)
            continue;
        const bool waits = usesFabric(m_groups[g], sum) ? std::ranges::count(sum.fabric.begun, true) <
                                                              static_cast<std::ptrdiff_t>(m_groups[g].members.size())
                                                        : !sum.cameLast;
        if (waits)
            return true;
    }
    return false;
}

Result<void> GradientSums::deliver(const QString &from, const TensorFrame &frame, quint32 current,
                                   const std::function<Round &(quint32 round)> &sumsOf) {
    const TensorHeader &header = frame.header;
    SumGroup *group = groupOf(header.slot);
    const int member = group ? group->indexOf(from) : -1;
    const int what = header.slot % SumGroup::slots;
    if (group && what >= fabricSlots)
        return deliverFabric(*group, member, frame, current, sumsOf);
    if (member < 0 || what >= fabricSlots || header.dtype != m_module.dtype() || header.microBatch > INT_MAX)
        return tl::unexpected(badFrame(sentence("It is no part of this group's AllReduce.")));
    if (header.round == current)
        m_times.sumArrives(frame.began);
    return builtinSum(sumOf(sumsOf(header.round), *group), *group, header.round)
        .deliver(member, static_cast<int>(header.microBatch), static_cast<GroupSum::Phase>(what), frame.payload,
                 *codecByNumber(header.codec));
}

}  // namespace hearth
