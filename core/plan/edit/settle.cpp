#include "core/plan/edit/settle.h"

#include <array>

#include "core/base/at.h"
#include "core/plan/allocation.h"
#include "core/plan/charged_allocation.h"

namespace hearth {
namespace {

/// One settleStage() under way.
class Settler {
  public:
    Settler(const CostModel &model, const StageRequest &request)
        : m_model(model),
          m_request(request),
          m_stage(request.stage),
          m_minimum(model.memory().minimumSamples(m_stage.firstLayer, m_stage.lastLayer)),
          m_rest(request.microBatch) {
        for (std::size_t i = 0; i < m_stage.group.size(); ++i) {
            if (isPinned(i)) {
                m_rest -= m_stage.group[i].samples;
                m_pinned.push_back(m_stage.group[i]);
            } else {
                m_free.push_back(m_stage.group[i].device);
            }
        }
        std::sort(m_free.begin(), m_free.end(), [&model](int a, int b) { return model.rank(a) < model.rank(b); });
    }

    tl::expected<StagePlacement, StageLack> run() {
        const int freeCount = static_cast<int>(m_free.size());
        if (m_rest < 0 || (freeCount == 0 && m_rest != 0))
            return lack(StageLack::Kind::PinnedShares);
        for (const MemberShare &member : m_pinned) {
            if (member.samples < m_minimum)
                return tl::unexpected(StageLack{StageLack::Kind::TooFewSamples, member.device, 0, 0, m_minimum});
        }
        if (m_request.everyone && m_rest < m_minimum * freeCount)
            return lack(m_pinned.empty() ? StageLack::Kind::TooFewSamples : StageLack::Kind::PinnedShares);
        const int most = m_request.schedule.mostInFlight(m_stage.inFlight, m_request.microBatches);
        for (int held = most; held >= 1; --held) {
            if (auto group = sharesAt(held)) {
                StagePlacement settled = m_stage;
                settled.group = std::move(*group);
                if (held < most)
                    settled.inFlight = held;
                return settled;
            }
            if (!m_request.schedule.hasLimits())
                return memoryLack(most);
        }
        return memoryLack(1);
    }

  private:
    bool isPinned(std::size_t i) const { return !m_request.pinned.empty() && m_request.pinned[i] != 0; }
    StagePlace place(int samples, int held) const {
        return {m_stage.firstLayer, m_stage.lastLayer, samples, held, m_stage.recompute};
    }
    int cap(int device, int held) const {
        return m_model.memory().largestShare(device, place(0, held), m_request.microBatch);
    }
    tl::unexpected<StageLack> lack(StageLack::Kind kind) const {
        return tl::unexpected(StageLack{kind, -1, 0, 0, m_minimum});
    }
    tl::unexpected<StageLack> lack(int device, int samples, int held) const {
        return tl::unexpected(StageLack{StageLack::Kind::Memory, device,
                                        m_model.memory().deviceBytes(device, place(samples, held)),
                                        m_model.memory().availableBytes(device), m_minimum});
    }

    tl::unexpected<StageLack> memoryLack(int held) const {
        for (const MemberShare &member : m_pinned) {
            if (cap(member.device, held) < member.samples)
                return lack(member.device, member.samples, held);
        }
        int roomiest = -1, most = -1;
        qint64 sum = 0;
        for (const int device : m_free) {
            const int own = cap(device, held);
            if (m_request.everyone && own < m_minimum)
                return lack(device, m_minimum, held);
            sum += own;
            if (own > most) {
                most = own;
                roomiest = device;
            }
        }
        return lack(roomiest, std::max(m_minimum, most + std::max(0, m_rest - static_cast<int>(sum))), held);
    }

    std::optional<Group> sharesAt(int held) const {
        for (const MemberShare &member : m_pinned) {
            if (cap(member.device, held) < member.samples)
                return std::nullopt;
        }
        qint64 sum = 0;
        for (const int device : m_free) {
            const int own = cap(device, held);
            if (m_request.everyone && own < m_minimum)
                return std::nullopt;
            sum += own;
        }
        if (sum < m_rest)
            return std::nullopt;
        auto group = m_request.everyone || m_free.empty() ? shareAmongAll(held) : shareAmongUseful(held);
        if (!group)
            return std::nullopt;
        group->insert(group->end(), m_pinned.begin(), m_pinned.end());
        std::sort(group->begin(), group->end(), [this](const MemberShare &a, const MemberShare &b) {
            return m_model.rank(a.device) < m_model.rank(b.device);
        });
        return group;
    }

    std::optional<Group> shareAmongUseful(int held) const {
        return allocate(m_model, {m_stage.firstLayer, m_stage.lastLayer, m_free, m_rest, held, AllocationRule::Charged,
                                  m_stage.recompute});
    }

    std::optional<Group> shareAmongAll(int held) const {
        std::vector<int> caps, shares(m_free.size());
        for (const int device : m_free)
            caps.push_back(cap(device, held));
        const ChargedRequest request{
            m_stage.firstLayer, m_stage.lastLayer, m_stage.recompute, m_free, caps, m_minimum, m_rest};
        if (!m_free.empty() && !chargedShares(m_model, request, shares))
            return std::nullopt;
        Group group;
        for (std::size_t i = 0; i < m_free.size(); ++i)
            group.push_back({m_free[i], shares[i]});
        return group;
    }

    const CostModel &m_model;
    const StageRequest &m_request;
    const StagePlacement &m_stage;
    int m_minimum;
    int m_rest;  // samples that are not pinned
    Group m_pinned;
    std::vector<int> m_free;  // in the order of their sample intervals
};

}  // namespace

InFlightRule limitRuleOf(const CostModel &model, const Placement &placement) {
    constexpr std::array rules{InFlightRule::Early, InFlightRule::StagesToEnd, InFlightRule::Deep, InFlightRule::All};
    const int stages = static_cast<int>(placement.stages.size());
    const int microBatches = model.problem().batch / placement.microBatch;
    std::array<int, rules.size()> obey{};
    for (int s = 0; s < stages; ++s) {
        const StagePlacement &stage = placement.stages[at(s)];
        const int own = std::min(stage.inFlight, microBatches);
        const bool full = !stageFits(model, stage, own + 1);
        for (std::size_t r = 0; r < rules.size(); ++r) {
            const int ruled = inFlightLimit(rules[r], stages - s, microBatches);
            obey[r] += own == ruled || (full && own < ruled) ? 1 : 0;
        }
    }
    return rules[static_cast<std::size_t>(std::max_element(obey.begin(), obey.end()) - obey.begin())];
}

int inFlightAfter(const CostModel &model, const Placement &before, InFlightRule rule, int origin, int stage, int stages,
                  int microBatches) {
    const int ruled = inFlightLimit(rule, stages - stage, microBatches);
    if (origin < 0)
        return ruled;
    const int microBatchesBefore = model.problem().batch / before.microBatch;
    const StagePlacement &old = before.stages[at(origin)];
    const int own = std::min(old.inFlight, microBatchesBefore);
    const int ruledBefore = inFlightLimit(rule, static_cast<int>(before.stages.size()) - origin, microBatchesBefore);
    const bool obeyed = own == ruledBefore || (own < ruledBefore && !stageFits(model, old, own + 1));
    return obeyed ? ruled : old.inFlight;
}

tl::expected<StagePlacement, StageLack> settleStage(const CostModel &model, const StageRequest &request) {
    return Settler(model, request).run();
}

bool stageFits(const CostModel &model, const StagePlacement &stage, int held) {
    return std::all_of(stage.group.begin(), stage.group.end(), [&](const MemberShare &member) {
        return model.memory().fits(member.device,
                                   {stage.firstLayer, stage.lastLayer, member.samples, held, stage.recompute});
    });
}

}  // namespace hearth
