#include "core/plan/charged_allocation.h"

#include <limits>
#include <numeric>
#include <vector>

#include "core/base/at.h"

namespace hearth {
namespace {

enum class Pass { Forward, Backward, Both };

class Sharing {
  public:
    Sharing(const CostModel &model, const ChargedRequest &request) : m_model(model), m_request(request) {}

    int count() const { return static_cast<int>(m_request.devices.size()); }

    double seconds(Pass pass, int i, int samples) const {
        const LayerSeconds own =
            m_model.stageSeconds(m_request.devices[at(i)], m_request.firstLayer, m_request.lastLayer, samples);
        const double backward = own.backward + (m_request.recompute ? own.forward : 0);
        return pass == Pass::Forward ? own.forward : pass == Pass::Backward ? backward : own.forward + backward;
    }

    double slowest(Pass pass, std::span<const int> shares) const {
        double most = 0;
        for (int i = 0; i < count(); ++i)
            most = std::max(most, seconds(pass, i, shares[at(i)]));
        return most;
    }

    /// Shares in proportion to speed, within the limits and with the right sum.
    void start(std::span<const int> caps, std::vector<int> &shares) const {
        const int even = std::max(1, m_request.total / count());
        std::vector<double> &speed = m_speed;
        speed.resize(at(count()));
        double sum = 0;
        for (int i = 0; i < count(); ++i)
            sum += speed[at(i)] = 1 / std::max(seconds(Pass::Both, i, even), 1e-12);
        int given = 0;
        shares.resize(at(count()));
        for (int i = 0; i < count(); ++i) {
            const double ideal = m_request.total * speed[at(i)] / sum;
            shares[at(i)] = std::clamp(static_cast<int>(ideal), m_request.least, caps[at(i)]);
            given += shares[at(i)];
        }
        level(caps, shares, given);
    }

    /// Moves single samples from the slowest to whoever would have them soonest, until nothing gets better. With times
    /// that never fall this is the optimum: a better solution would give the slowest fewer and someone else more.
    void balance(Pass pass, std::span<const int> caps, std::vector<int> &shares) const {
        m_time.resize(at(count()));
        for (int i = 0; i < count(); ++i)
            m_time[at(i)] = seconds(pass, i, shares[at(i)]);
        for (;;) {
            const int slow = static_cast<int>(std::max_element(m_time.begin(), m_time.end()) - m_time.begin());
            if (shares[at(slow)] == m_request.least)
                return;
            int fast = -1;
            double soonest = m_time[at(slow)];
            for (int i = 0; i < count(); ++i) {
                if (i == slow || shares[at(i)] >= caps[at(i)])
                    continue;
                const double then = seconds(pass, i, shares[at(i)] + 1);
                if (then < soonest) {
                    soonest = then;
                    fast = i;
                }
            }
            if (fast < 0)
                return;
            m_time[at(fast)] = soonest;
            ++shares[at(fast)];
            m_time[at(slow)] = seconds(pass, slow, --shares[at(slow)]);
        }
    }

    /// The most samples of a device whose pass takes at most `limit`, from `from` on.
    int mostWithin(Pass pass, int i, double limit, int from, int cap) const {
        int low = from, high = cap;
        while (low < high) {
            const int middle = low + (high - low + 1) / 2;
            if (seconds(pass, i, middle) <= limit)
                low = middle;
            else
                high = middle - 1;
        }
        return low;
    }

  private:
    /// Takes what is too much from the largest shares and gives what is missing to the smallest.
    void level(std::span<const int> caps, std::vector<int> &shares, int given) const {
        while (given != m_request.total) {
            int chosen = -1;
            for (int i = 0; i < count(); ++i) {
                const int own = shares[at(i)];
                if (given > m_request.total ? own > m_request.least && (chosen < 0 || own > shares[at(chosen)])
                                            : own < caps[at(i)] && (chosen < 0 || own < shares[at(chosen)]))
                    chosen = i;
            }
            const int step = given > m_request.total ? -1 : 1;
            shares[at(chosen)] += step;
            given += step;
        }
    }

    const CostModel &m_model;
    const ChargedRequest &m_request;
    mutable std::vector<double> m_speed, m_time;
};

struct Charge {
    double forward = std::numeric_limits<double>::infinity();
    double backward = std::numeric_limits<double>::infinity();
    std::vector<int> shares;
    double sum() const { return forward + backward; }
};

/// The best of all limits on the forward pass, each with the quickest backward pass under it.
Charge leastCharge(const Sharing &sharing, const ChargedRequest &request) {
    std::vector<int> caps(request.caps.begin(), request.caps.end());
    std::vector<int> shares;
    sharing.start(caps, shares);
    sharing.balance(Pass::Both, caps, shares);
    Charge best{sharing.slowest(Pass::Forward, shares), sharing.slowest(Pass::Backward, shares), shares};
    std::vector<int> other = shares;
    sharing.balance(Pass::Backward, caps, other);
    const double leastBackward = sharing.slowest(Pass::Backward, other);
    other = shares;
    sharing.balance(Pass::Forward, caps, other);
    double limit = sharing.slowest(Pass::Forward, other);
    while (limit + leastBackward < best.sum()) {
        double next = std::numeric_limits<double>::infinity();
        for (int i = 0; i < sharing.count(); ++i) {
            const int cap = request.caps[at(i)];
            caps[at(i)] = sharing.mostWithin(Pass::Forward, i, limit, other[at(i)], cap);
            if (caps[at(i)] < cap)
                next = std::min(next, sharing.seconds(Pass::Forward, i, caps[at(i)] + 1));
        }
        sharing.balance(Pass::Backward, caps, other);
        Charge found{sharing.slowest(Pass::Forward, other), sharing.slowest(Pass::Backward, other), other};
        if (found.sum() < best.sum())
            best = std::move(found);
        limit = next;
    }
    return best;
}

}  // namespace

bool chargedShares(const CostModel &model, const ChargedRequest &request, std::span<int> shares) {
    qint64 most = 0;
    for (const int cap : request.caps) {
        if (cap < request.least)
            return false;
        most += cap;
    }
    const auto count = static_cast<int>(request.devices.size());
    if (most < request.total || static_cast<qint64>(count) * request.least > request.total)
        return false;
    if (count == 1) {
        shares[0] = request.total;
        return true;
    }
    const Sharing sharing(model, request);
    Charge best = leastCharge(sharing, request);
    // All shares within these limits cost the same, but for the rounding of interpolated times: fill them up to one
    // level.
    best.forward *= 1 + 1e-13;
    best.backward *= 1 + 1e-13;
    int level = 0, sum = 0;
    for (int i = 0; i < count; ++i) {
        const int limit = sharing.mostWithin(Pass::Forward, i, best.forward, request.least, request.caps[at(i)]);
        shares[at(i)] = sharing.mostWithin(Pass::Backward, i, best.backward, request.least, limit);
        level = std::max(level, shares[at(i)]);
        sum += shares[at(i)];
    }
    if (sum < request.total) {  // times of a stage are differences of sums, which rounding may let fall
        std::copy(best.shares.begin(), best.shares.end(), shares.begin());
        return true;
    }
    for (int low = request.least; low < level;) {
        const int middle = low + (level - low) / 2;
        const int reached = std::accumulate(shares.begin(), shares.end(), 0,
                                            [&](int all, int share) { return all + std::min(share, middle); });
        if (reached >= request.total)
            level = middle;
        else
            low = middle + 1;
    }
    sum = 0;
    for (int &share : shares)
        sum += share = std::min(share, level);
    for (int i = count; i-- > 0 && sum > request.total;) {
        const int back = std::min(sum - request.total, shares[at(i)] - request.least);
        shares[at(i)] -= back;
        sum -= back;
    }
    return true;
}

}  // namespace hearth
