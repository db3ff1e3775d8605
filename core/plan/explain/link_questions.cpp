#include "core/plan/explain/link_questions.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/plan/steps.h"

namespace hearth {
namespace {

constexpr double gigabit = 125e6;  // bytes per second
/// Of the pairs of a cut or group, and of the devices of a home, so many are asked for alone.
constexpr std::size_t mostPairs = 12;
constexpr std::size_t mostAskedDevices = 32;

using Pair = std::pair<int, int>;
using Pairs = std::set<Pair>;

/// A gigabit, or ten times as much where that is there already.
double better(double bytesPerSecond) {
    return bytesPerSecond < 0.9 * gigabit ? gigabit : 10 * bytesPerSecond;
}

QString rateText(double bytesPerSecond) {
    return QStringLiteral("%1 Gbit/s").arg(bytesPerSecond / gigabit, 0, 'g', 3);
}

class Collector {
  public:
    explicit Collector(const CostModel &model) : m_model(model) {}

    void askPipeline(const Placement &placement) {
        for (std::size_t s = 0; s < placement.stages.size(); ++s) {
            ++m_stage;
            const Group &group = placement.stages[s].group;
            Pairs inside;
            for (const MemberShare &one : group) {
                for (const MemberShare &other : group) {
                    if (one.device < other.device)
                        inside.insert({one.device, other.device});
                }
            }
            askPairs(inside, QStringLiteral("inside stage %1").arg(m_stage));
            if (s + 1 == placement.stages.size())
                break;
            const Group &next = placement.stages[s + 1].group;
            Pairs across;
            for (const Overlap &piece : overlaps(group, next)) {
                across.insert({group[static_cast<std::size_t>(piece.from)].device,
                               next[static_cast<std::size_t>(piece.to)].device});
            }
            askPairs(across, QStringLiteral("between stage %1 and stage %2").arg(m_stage).arg(m_stage + 1));
        }
    }

    void askDevices() {
        std::map<int, Pairs> ofDevice;
        for (const Pair &pair : m_all) {
            ofDevice[pair.first].insert(pair);
            ofDevice[pair.second].insert(pair);
        }
        std::vector<std::pair<double, int>> slowest;
        for (const auto &[device, pairs] : ofDevice)
            slowest.emplace_back(fastest(pairs), device);
        std::sort(slowest.begin(), slowest.end());
        slowest.resize(std::min(slowest.size(), mostAskedDevices));
        for (const auto &[rate, device] : slowest) {
            add(QStringLiteral("A %1 link to %2").arg(rateText(better(rate)), idOf(device)), Reach::Device,
                [device = device, rate = better(rate)](ChangedHome &home) { home.raiseLinksOf(device, rate); });
        }
    }

    void askEverywhere() {
        if (m_all.empty())
            return;
        const double rate = better(fastest(m_all));
        add(QStringLiteral("%1 links everywhere").arg(rateText(rate)), Reach::Everywhere,
            [rate](ChangedHome &home) { home.raiseAllLinks(rate); });
    }

    std::vector<LinkQuestion> take() { return std::move(m_questions); }

  private:
    QString idOf(int device) const { return m_model.problem().devices[static_cast<std::size_t>(device)].id; }

    double rateOf(const Pair &pair) const {
        const LinkTable &links = m_model.links();
        return std::max(links.bytesPerSecond(pair.first, pair.second), links.bytesPerSecond(pair.second, pair.first));
    }

    double fastest(const Pairs &pairs) const {
        double rate = 0;
        for (const Pair &pair : pairs)
            rate = std::max(rate, rateOf(pair));
        return rate;
    }

    void add(const QString &what, Reach reach, std::function<void(ChangedHome &)> apply) {
        m_questions.push_back({what, reach, std::move(apply)});
    }

    void askPairs(const Pairs &pairs, const QString &where) {
        m_all.insert(pairs.begin(), pairs.end());
        std::vector<std::pair<double, Pair>> slowest;
        for (const Pair &pair : pairs)
            slowest.emplace_back(rateOf(pair), pair);
        std::sort(slowest.begin(), slowest.end());
        slowest.resize(std::min(slowest.size(), mostPairs));
        for (const auto &[rate, pair] : slowest) {
            add(QStringLiteral("A %1 link between %2 and %3")
                    .arg(rateText(better(rate)), idOf(pair.first), idOf(pair.second)),
                Reach::Single, [pair = pair, rate = better(rate)](ChangedHome &home) {
                    home.raiseLink(pair.first, pair.second, rate);
                });
        }
        if (pairs.size() < 2)
            return;
        const double rate = better(fastest(pairs));
        add(QStringLiteral("%1 links %2").arg(rateText(rate), where), Reach::Stage, [pairs, rate](ChangedHome &home) {
            for (const Pair &pair : pairs)
                home.raiseLink(pair.first, pair.second, rate);
        });
    }

    const CostModel &m_model;
    int m_stage = 0;  // as people count
    Pairs m_all;
    std::vector<LinkQuestion> m_questions;
};

}  // namespace

std::vector<LinkQuestion> linkQuestions(const CostModel &model, const Plan &plan) {
    Collector collector(model);
    for (const Plan &pipeline : plan.sideBySide())
        collector.askPipeline(placementOf(model.problem(), pipeline));
    collector.askDevices();
    collector.askEverywhere();
    return collector.take();
}

}  // namespace hearth
