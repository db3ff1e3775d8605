#include "core/profile/sharing_tests.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace hearth {
namespace {

/// A link that crosses the air twice has half the rate of one that crosses it once.
constexpr double crossesTwice = 0.7;

}  // namespace

void rateMedia(LinkProfile &links, const std::vector<LinkProfile::Pair> &alone) {
    for (LinkProfile::Medium &medium : links.media) {
        double fastest = 0;
        for (const LinkProfile::Nic &nic : links.nics) {
            for (const LinkProfile::Pair &pair : alone) {
                if (nic.medium == medium.id && (pair.from == nic.id || pair.to == nic.id))
                    fastest = std::max(fastest, pair.bytesPerSecond);
            }
        }
        if (fastest > 0)
            medium.bytesPerSecond = fastest;
    }
}

SharingTests::SharingTests(const QStringList &devices, const std::vector<LinkProfile::Pair> &alone)
    : m_devices(devices), m_pairs(alone) {
    const auto count = static_cast<std::size_t>(devices.size());
    m_alone.assign(count * count, 0);
    for (const LinkProfile::Pair &pair : alone) {
        const qsizetype from = devices.indexOf(pair.from), to = devices.indexOf(pair.to);
        if (from >= 0 && to >= 0)
            m_alone[static_cast<std::size_t>(from) * count + static_cast<std::size_t>(to)] = pair.bytesPerSecond;
    }
    decide();
}

double SharingTests::rate(std::size_t from, std::size_t to) const {
    return m_alone[from * static_cast<std::size_t>(m_devices.size()) + to];
}

std::optional<double> SharingTests::lanes(const Directed &transfers) {
    const Lanes &known = m_measured[transfers];
    const auto all = static_cast<double>(transfers.size());
    if (known.times >= 2 || (known.times == 1 && known.most >= all * leastApart / 2))
        return known.most;
    m_asked = transfers;
    for (const auto &[from, to] : transfers)
        m_next.emplace_back(m_devices[static_cast<qsizetype>(from)], m_devices[static_cast<qsizetype>(to)]);
    return std::nullopt;
}

std::optional<double> SharingTests::bothWays(std::size_t a, std::size_t b) {
    const std::size_t low = std::min(a, b), high = std::max(a, b);
    return lanes({{low, high}, {high, low}});
}

void SharingTests::take(const std::vector<double> &rates) {
    // By the one that takes longest: how fairly the others share what they share says nothing.
    double least = 1;
    for (std::size_t i = 0; i < m_asked.size(); ++i) {
        const double together = i < rates.size() ? rates[i] : 0;
        m_isBroken |= !(together > 0);
        least = std::min(least, together / rate(m_asked[i].first, m_asked[i].second));
    }
    Lanes &known = m_measured[m_asked];
    known.most = std::max(known.most, least * static_cast<double>(m_asked.size()));
    ++known.times;
    m_next.clear();
    if (!m_isBroken)
        decide();
}

bool SharingTests::decide() {
    const auto count = static_cast<std::size_t>(m_devices.size());
    m_cards.assign(count, Card::Unclear);
    m_slow.clear();
    m_isOneAir = false;
    for (std::size_t i = 0; i < count; ++i) {
        bool isLinked = false;
        for (std::size_t j = 0; j < count; ++j) {
            isLinked |= i != j && areLinked(i, j);
            if (i != j && std::max(rate(i, j), rate(j, i)) >= fastBytesPerSecond)
                m_cards[i] = Card::Full;
        }
        if (isLinked && m_cards[i] == Card::Unclear)
            m_slow.push_back(i);
    }
    return judgeRing() && findFullCard() && judgeCards() && findAirs();
}

bool SharingTests::judgeRing() {
    const std::size_t count = m_slow.size();
    if (count < 3 || isAnyFull())
        return true;
    Directed ring;
    for (std::size_t i = 0; i < count; ++i) {
        ring.emplace_back(m_slow[i], m_slow[(i + 1) % count]);
        if (rate(ring.back().first, ring.back().second) <= 0)
            return true;  // the other tests tell as much, and take longer
    }
    const auto through = lanes(ring);
    if (!through)
        return false;
    const auto all = static_cast<double>(count);
    for (const std::size_t device : m_slow) {
        if (*through >= all * leastApart / 2)
            m_cards[device] = Card::Full;
    }
    // The middle between one transfer at a time and one for two devices.
    m_isOneAir = *through <= (1 + all / 2) / 2;
    return true;
}

bool SharingTests::ringTells(std::size_t a, std::size_t b) const {
    const auto place = [this](std::size_t device) { return std::ranges::find(m_slow, device) - m_slow.begin(); };
    const std::ptrdiff_t apart = std::abs(place(a) - place(b));
    return m_isOneAir && (apart == 1 || apart + 1 == std::ssize(m_slow));
}

bool SharingTests::findFullCard() {
    for (std::size_t i = 0; i < m_slow.size(); ++i) {
        for (std::size_t j = i + 1; j < m_slow.size() && !isAnyFull(); ++j) {
            const std::size_t a = m_slow[i], b = m_slow[j];
            if (!areLinked(a, b) || ringTells(a, b))
                continue;
            const auto through = bothWays(a, b);
            if (!through)
                return false;
            if (*through >= leastApart)
                m_cards[a] = m_cards[b] = Card::Full;
        }
    }
    return true;
}

bool SharingTests::judgeCards() {
    const std::vector<Card> before = m_cards;
    const bool knowsFull = isAnyFull();
    for (const std::size_t device : m_slow) {
        if (before[device] == Card::Full)
            continue;
        bool isTested = false, isHalf = true;
        for (std::size_t other = 0; other < before.size(); ++other) {
            const bool tells = knowsFull ? !isTested && before[other] == Card::Full : true;
            if (other == device || !tells || !areLinked(device, other))
                continue;
            isTested = true;
            if (ringTells(device, other))
                continue;
            const auto through = bothWays(device, other);
            if (!through)
                return false;
            isHalf = isHalf && *through <= mostShared;
            if (knowsFull && *through >= leastApart)
                m_cards[device] = Card::Full;
        }
        if (isTested && isHalf)
            m_cards[device] = Card::Half;
    }
    return true;
}

bool SharingTests::takeAir(std::size_t device, Airs &airs) {
    for (std::vector<std::size_t> &air : airs) {
        const std::size_t member = air.front();
        for (std::size_t hub = 0; hub < m_cards.size(); ++hub) {
            if (m_cards[hub] != Card::Full || rate(device, hub) <= 0 || rate(hub, member) <= 0)
                continue;
            const auto through = lanes({{device, hub}, {hub, member}});
            if (!through)
                return false;
            if (*through <= mostShared) {
                air.push_back(device);
                return true;
            }
            break;
        }
    }
    airs.push_back({device});
    return true;
}

bool SharingTests::findAirs() {
    Airs airs;
    std::vector<std::size_t> half;
    for (const std::size_t device : m_slow) {
        if (m_cards[device] == Card::Half)
            half.push_back(device);
    }
    if (!isAnyFull() && m_isOneAir && half.size() == m_slow.size()) {
        airs.push_back(onAir(half));
        for (const std::size_t device : half) {
            if (std::ranges::count(airs[0], device) == 0)
                m_cards[device] = Card::Unclear;
        }
    }
    for (const std::size_t device : half) {
        if (isAnyFull() && !takeAir(device, airs))
            return false;
    }
    tell(airs);
    return true;
}

std::vector<std::size_t> SharingTests::onAir(const std::vector<std::size_t> &devices) const {
    for (const std::size_t device : devices) {
        double own = fastBytesPerSecond, others = 0;
        for (const std::size_t a : devices) {
            for (const std::size_t b : devices) {
                if (a == b || rate(a, b) <= 0)
                    continue;
                if (a == device || b == device)
                    own = std::min(own, rate(a, b));
                else
                    others = std::max(others, rate(a, b));
            }
        }
        if (others <= own * crossesTwice) {
            std::vector<std::size_t> left = devices;
            std::erase(left, device);
            return left;
        }
    }
    return devices;
}

void SharingTests::tell(const Airs &airs) {
    m_found = {};
    std::vector<QString> mediumOf(m_cards.size());
    for (const std::vector<std::size_t> &air : airs) {
        if (air.size() < 2)
            continue;
        // Named by a member: another measurement of the same devices gives the same name.
        m_found.media.push_back({QStringLiteral("air-") + m_devices[static_cast<qsizetype>(air.front())], 0});
        for (const std::size_t member : air)
            mediumOf[member] = m_found.media.back().id;
    }
    for (std::size_t device = 0; device < m_cards.size(); ++device) {
        if (m_cards[device] == Card::Half) {
            m_found.nics.push_back({m_devices[static_cast<qsizetype>(device)], std::nullopt, std::nullopt, Duplex::Half,
                                    mediumOf[device]});
        }
    }
    rateMedia(m_found, m_pairs);
}

}  // namespace hearth
