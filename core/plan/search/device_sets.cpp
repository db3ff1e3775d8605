#include "core/plan/search/device_sets.h"

#include <numeric>

#include "core/base/at.h"

namespace hearth {
namespace {

bool sameDevice(const CostModel &model, int a, int b) {
    const PlanningProblem &problem = model.problem();
    const auto &left = problem.devices[at(a)], &right = problem.devices[at(b)];
    const LinkTable &links = model.links();
    // The data device sends inputs and labels, so it is like no other.
    if (left.id == problem.dataDevice || right.id == problem.dataDevice)
        return false;
    return left.memoryBytes == right.memoryBytes && left.runtimeBytes == right.runtimeBytes &&
           left.codecs == right.codecs && links.ownCard(a) == links.ownCard(b) && links.up(a) == links.up(b) &&
           links.down(a) == links.down(b) && links.halfDuplex(a, a) == links.halfDuplex(b, b) &&
           model.costs().same(a, b);
}

std::vector<int> byRank(const CostModel &model, std::vector<int> devices) {
    std::sort(devices.begin(), devices.end(), [&](int a, int b) { return model.rank(a) < model.rank(b); });
    return devices;
}

/// Sets as vectors of counts by type, coded in mixed radix.
class Counts {
  public:
    Counts(const CostModel &model, const std::vector<int> &type) : m_model(model) {
        m_devices.resize(at(1 + *std::max_element(type.begin(), type.end())));
        for (int d = 0; d < model.deviceCount(); ++d)
            m_devices[at(type[at(d)])].push_back(d);
        qint64 stride = 1;
        for (auto &devices : m_devices) {
            devices = byRank(model, std::move(devices));
            m_stride.push_back(stride);
            stride = std::min<qint64>(stride * (static_cast<qint64>(devices.size()) + 1), tooMany);
        }
        m_codes = stride;
    }

    qint64 codes() const { return m_codes; }
    qint64 moves() const {
        qint64 product = 1;
        for (const auto &devices : m_devices) {
            const auto n = static_cast<qint64>(devices.size());
            product = std::min<qint64>(product * ((n + 1) * (n + 2) / 2), tooMany);
        }
        return product;
    }
    std::vector<int> devices(int code, bool complement) const {
        std::vector<int> result;
        for (std::size_t t = 0; t < m_devices.size(); ++t) {
            const auto count = static_cast<std::ptrdiff_t>(countOf(code, t));
            const auto middle = m_devices[t].begin() + count;
            result.insert(result.end(), complement ? middle : m_devices[t].begin(),
                          complement ? m_devices[t].end() : middle);
        }
        return byRank(m_model, std::move(result));
    }
    /// All codes that are componentwise at most `code`, without the empty one.
    std::vector<int> below(int code) const {
        std::vector<int> result{0};
        for (std::size_t t = 0; t < m_devices.size(); ++t) {
            const std::size_t known = result.size();
            for (int count = 1; count <= countOf(code, t); ++count) {
                for (std::size_t i = 0; i < known; ++i)
                    result.push_back(result[i] + static_cast<int>(count * m_stride[t]));
            }
        }
        result.erase(result.begin());
        return result;
    }

  private:
    static constexpr qint64 tooMany = qint64{1} << 40;
    int countOf(int code, std::size_t type) const {
        return static_cast<int>(code / m_stride[type] % (static_cast<qint64>(m_devices[type].size()) + 1));
    }
    const CostModel &m_model;
    std::vector<std::vector<int>> m_devices;  // by type, by id order
    std::vector<qint64> m_stride;
    qint64 m_codes = 0;
};

}  // namespace

bool linksFollowCards(const CostModel &model) {
    const LinkTable &links = model.links();
    if (!model.problem().links.pairs.empty() || !model.cutsAreAlike())
        return false;
    const int medium = links.medium(0);
    for (int i = 0; i < model.deviceCount(); ++i) {
        if (links.medium(i) != medium)
            return false;
        for (int j = 0; j < model.deviceCount(); ++j) {
            double card = std::min(links.up(i), links.down(j));
            if (medium >= 0)
                card = std::min(card, links.mediumRate(medium));
            if (i != j && !(links.bytesPerSecond(i, j) >= card && card > 0))
                return false;
        }
    }
    return true;
}

int DeviceSets::moveCount() const {
    std::size_t sum = 0;
    for (const auto &each : moves)
        sum += each.size();
    return static_cast<int>(sum);
}

std::vector<int> deviceTypes(const CostModel &model) {
    std::vector<int> type(at(model.deviceCount()));
    std::iota(type.begin(), type.end(), 0);
    if (!linksFollowCards(model))
        return type;
    std::vector<int> first;  // device of each type
    for (int d = 0; d < model.deviceCount(); ++d) {
        const auto known =
            std::find_if(first.begin(), first.end(), [&](int other) { return sameDevice(model, d, other); });
        type[at(d)] = static_cast<int>(known - first.begin());
        if (known == first.end())
            first.push_back(d);
    }
    return type;
}

DeviceSets subsetsOf(const CostModel &model, qint64 mostMoves) {
    DeviceSets sets;
    sets.type = deviceTypes(model);
    const Counts counts(model, sets.type);
    if (counts.moves() > mostMoves)
        return sets;
    const auto codes = static_cast<int>(counts.codes());
    sets.full = codes - 1;
    for (int code = 0; code < codes; ++code) {
        sets.groups.push_back(counts.devices(code, false));
        sets.size.push_back(static_cast<int>(sets.groups.back().size()));
        sets.outside.push_back(counts.devices(code, true));
        auto &moves = sets.moves.emplace_back();
        for (const int group : counts.below(code))
            moves.push_back({group, code - group});
    }
    return sets;
}

DeviceSets rangesOf(const CostModel &model, const std::vector<int> &order, int places) {
    DeviceSets sets;
    sets.type.resize(order.size());
    std::iota(sets.type.begin(), sets.type.end(), 0);
    const int devices = static_cast<int>(order.size()), count = std::min(devices, places);
    const auto range = [&](int first, int last) {
        const auto device = [&](int place) { return order.begin() + place * devices / count; };
        return byRank(model, std::vector<int>(device(first), device(last)));
    };
    std::vector<std::vector<int>> number(at(count), std::vector<int>(at(count) + 1));
    for (int first = 0; first < count; ++first) {
        for (int last = first + 1; last <= count; ++last) {
            number[at(first)][at(last)] = static_cast<int>(sets.groups.size());
            sets.groups.push_back(range(first, last));
        }
    }
    for (int from = 0; from <= count; ++from) {
        sets.size.push_back(static_cast<int>(range(from, count).size()));
        sets.outside.push_back(range(0, from));
        auto &moves = sets.moves.emplace_back();
        for (int first = from; first < count; ++first) {
            for (int last = first + 1; last <= count; ++last)
                moves.push_back({number[at(first)][at(last)], last});
        }
    }
    return sets;
}

}  // namespace hearth
