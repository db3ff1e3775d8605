#include "core/plan/allocation.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/plan/charged_allocation.h"

namespace hearth {
namespace {

/// Arrays parallel to the devices in hand. Planners ask hundreds of thousands of times, so they are kept.
struct Scratch {
    std::vector<int> cap, share;
    std::vector<double> speed, part, time;
};

/// One ALLOC under way.
class Allocator {
  public:
    Allocator(const CostModel &model, const AllocationRequest &request, std::span<const int> devices, Scratch &scratch,
              bool limited = true)
        : m_model(model),
          m_request(request),
          m_devices(devices),
          m_cap(scratch.cap),
          m_share(scratch.share),
          m_scratch(scratch) {
        m_cap.resize(devices.size());
        m_share.assign(devices.size(), 0);
        const StagePlace place{request.firstLayer, request.lastLayer, 0, request.inFlight, request.recompute};
        for (std::size_t i = 0; i < m_devices.size(); ++i)
            m_cap[i] =
                limited ? model.memory().largestShare(m_devices[i], place, request.microBatch) : request.microBatch;
    }

    /// Phase 1, MemoryAwareBalancing.
    bool balance() {
        const std::size_t count = m_devices.size();
        std::vector<double> &speed = m_scratch.speed, &part = m_scratch.part;
        speed.resize(count);
        part.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            speed[i] = 1 / std::max(seconds(i, m_request.microBatch), 1e-12);
        int left = m_request.microBatch;
        while (left > 0) {
            double sum = 0;
            for (std::size_t i = 0; i < count; ++i)
                sum += m_share[i] < m_cap[i] ? speed[i] : 0;
            if (sum <= 0)
                return false;
            const int beta = left;
            for (std::size_t i = 0; i < count; ++i) {
                part[i] = -1;
                if (m_share[i] >= m_cap[i])
                    continue;
                const double ideal = beta * speed[i] / sum;
                const int given = std::min(static_cast<int>(ideal), m_cap[i] - m_share[i]);
                part[i] = ideal - std::floor(ideal);
                m_share[i] += given;
                left -= given;
            }
            // What rounding left over goes one by one to the largest fractions.
            for (std::size_t round = 0; round < count && left > 0; ++round) {
                const auto best = std::max_element(part.begin(), part.end());
                if (*best < 0)
                    break;
                const auto i = static_cast<std::size_t>(best - part.begin());
                part[i] = -1;
                if (m_share[i] < m_cap[i]) {
                    ++m_share[i];
                    --left;
                }
            }
        }
        return true;
    }

    /// Phase 2, StragglerWorkloadOffloading, with blocks of `delta` samples.
    void offload(int delta) {
        const std::size_t count = m_devices.size();
        std::vector<double> &time = m_scratch.time;
        time.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            time[i] = seconds(i, m_share[i]);
        for (;;) {
            const auto slow = static_cast<std::size_t>(std::max_element(time.begin(), time.end()) - time.begin());
            const int move = std::min(delta, m_share[slow]);
            if (move == 0)
                return;
            std::size_t fast = count;
            for (std::size_t i = 0; i < count; ++i) {
                if (i != slow && m_share[i] + move <= m_cap[i] && (fast == count || time[i] < time[fast]))
                    fast = i;
            }
            if (fast == count)
                return;
            const double slowAfter = seconds(slow, m_share[slow] - move);
            const double fastAfter = seconds(fast, m_share[fast] + move);
            double most = std::max(slowAfter, fastAfter);
            for (std::size_t i = 0; i < count; ++i) {
                if (i != slow && i != fast)
                    most = std::max(most, time[i]);
            }
            if (most >= time[slow])
                return;
            m_share[slow] -= move;
            m_share[fast] += move;
            time[slow] = slowAfter;
            time[fast] = fastAfter;
        }
    }

    Group group() const {
        Group result;
        for (std::size_t i = 0; i < m_devices.size(); ++i) {
            if (m_share[i] > 0)
                result.push_back({m_devices[i], m_share[i]});
        }
        std::sort(result.begin(), result.end(), [this](const MemberShare &a, const MemberShare &b) {
            return m_model.rank(a.device) < m_model.rank(b.device);
        });
        return result;
    }

  private:
    double seconds(std::size_t i, int samples) const {
        if (samples == 0)
            return 0;
        const LayerSeconds own = m_model.stageSeconds(m_devices[i], m_request.firstLayer, m_request.lastLayer, samples);
        return own.forward + own.backward + (m_request.recompute ? own.forward : 0);
    }

    const CostModel &m_model;
    const AllocationRequest &m_request;
    std::span<const int> m_devices;
    std::vector<int> &m_cap, &m_share;
    Scratch &m_scratch;
};

struct ChargedGroup {
    Group group;
    double seconds = std::numeric_limits<double>::infinity();  // what the stage is charged
};

/// All of the devices take part; infinite seconds when they cannot.
ChargedGroup chargedGroup(const CostModel &model, const AllocationRequest &request, const std::vector<int> &devices,
                          int least) {
    const StagePlace place{request.firstLayer, request.lastLayer, 0, request.inFlight, request.recompute};
    std::vector<int> caps, shares(devices.size());
    for (const int device : devices)
        caps.push_back(model.memory().largestShare(device, place, request.microBatch));
    const ChargedRequest charged{request.firstLayer, request.lastLayer, request.recompute, devices, caps, least,
                                 request.microBatch};
    ChargedGroup result;
    if (devices.empty() || !chargedShares(model, charged, shares))
        return result;
    for (std::size_t i = 0; i < devices.size(); ++i)
        result.group.push_back({devices[i], shares[i]});
    const StepTimes step = model.execution(request.firstLayer, request.lastLayer, result.group, request.recompute);
    result.seconds = step.occupied;
    return result;
}

/// Devices that cannot hold the fewest samples rest; so does one without which the stage is charged less.
std::optional<Group> allocateCharged(const CostModel &model, const AllocationRequest &request) {
    const int least = std::max(1, model.memory().minimumSamples(request.firstLayer, request.lastLayer));
    const StagePlace place{request.firstLayer, request.lastLayer, 0, request.inFlight, request.recompute};
    std::vector<int> devices;
    for (const int device : request.devices) {
        if (model.memory().largestShare(device, place, request.microBatch) >= least)
            devices.push_back(device);
    }
    std::sort(devices.begin(), devices.end(), [&](int a, int b) { return model.rank(a) < model.rank(b); });
    ChargedGroup best = chargedGroup(model, request, devices, least);
    while (devices.size() > 1) {
        const auto slowest = std::max_element(devices.begin(), devices.end(), [&](int a, int b) {
            const auto seconds = [&](int device) {
                const LayerSeconds own = model.stageSeconds(device, request.firstLayer, request.lastLayer, least);
                return own.forward + own.backward;
            };
            return seconds(a) < seconds(b);
        });
        devices.erase(slowest);
        ChargedGroup fewer = chargedGroup(model, request, devices, least);
        if (fewer.seconds >= best.seconds && std::isfinite(best.seconds))
            break;
        best = std::move(fewer);
    }
    if (best.group.empty())
        return std::nullopt;
    return best.group;
}

/// Shares as `share(devices)` makes them. Layers such as BatchNorm cannot train on too few samples: the smallest share
/// rests then, and the others take it over.
template <class ShareOut>
std::optional<Group> withLargeEnoughShares(const CostModel &model, const AllocationRequest &request,
                                           ShareOut shareOut) {
    const int minimum = model.memory().minimumSamples(request.firstLayer, request.lastLayer);
    std::vector<int> left;  // devices, once one was sent to rest
    std::span<const int> devices = request.devices;
    for (;;) {
        std::optional<Group> group = shareOut(devices);
        if (!group)
            return std::nullopt;
        const auto least =
            std::min_element(group->begin(), group->end(),
                             [](const MemberShare &a, const MemberShare &b) { return a.samples < b.samples; });
        if (least->samples >= minimum)
            return group;
        if (left.empty())
            left.assign(devices.begin(), devices.end());
        left.erase(std::find(left.begin(), left.end(), least->device));
        if (left.empty())
            return std::nullopt;
        devices = left;
    }
}

}  // namespace

std::optional<Group> shareBySpeed(const CostModel &model, const AllocationRequest &request) {
    Scratch scratch;
    return withLargeEnoughShares(model, request, [&](std::span<const int> devices) -> std::optional<Group> {
        Allocator allocator(model, request, devices, scratch, false);
        if (!allocator.balance())
            return std::nullopt;
        return allocator.group();
    });
}

std::optional<Group> allocate(const CostModel &model, const AllocationRequest &request) {
    if (request.rule == AllocationRule::Charged)
        return allocateCharged(model, request);
    thread_local Scratch scratch;
    return withLargeEnoughShares(model, request, [&](std::span<const int> devices) -> std::optional<Group> {
        Allocator allocator(model, request, devices, scratch);
        if (!allocator.balance())
            return std::nullopt;
        const int delta = std::max(1, request.microBatch / 16);
        allocator.offload(delta);
        if (delta > 1)
            allocator.offload(1);
        return allocator.group();
    });
}

}  // namespace hearth
