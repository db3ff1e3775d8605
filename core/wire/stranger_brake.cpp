#include "core/wire/stranger_brake.h"

#include <algorithm>
#include <utility>

namespace hearth {
namespace {

using Seconds = std::chrono::duration<double>;

// Of a share that changes by less the kernel is not told.
constexpr double noticeableChange = 1.25;

}  // namespace

QHostAddress unmapped(const QHostAddress &address) {
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    return isV4 ? QHostAddress(v4) : address;
}

QHostAddress plainAddress(const QHostAddress &address) {
    QHostAddress plain = unmapped(address);
    plain.setScopeId(QString());
    return plain;
}

void StrangerBrake::setKnown(const QList<QHostAddress> &addresses) {
    m_met.clear();
    m_known.clear();
    for (const QHostAddress &each : addresses)
        m_known.append(plainAddress(each));
}

void StrangerBrake::met(const QHostAddress &from) {
    const QHostAddress address = plainAddress(from);
    if (address.isLoopback())
        return;
    m_met.removeAll(address);
    m_met.prepend(address);
    m_met = m_met.mid(0, maximumMet);
}

StrangerBrake::Arrival StrangerBrake::arrived(const QHostAddress &from, Clock::time_point now) {
    const QHostAddress address = plainAddress(from);
    if (address.isLoopback())
        return {true, Standing::Local};
    if (isShutOut(address))  // it was in the kernel's queue already
        return {false, Standing::Stranger};
    const bool known = isKnown(address);
    if (!known)
        ++m_strangers;
    if (!spend(address, known ? knownBurst : strangerBurst, known ? knownPerSecond : strangerPerSecond, now)) {
        shutOut(address, now);
        return {false, Standing::Stranger};
    }
    return {true, known ? Standing::Known : Standing::Stranger};
}

bool StrangerBrake::isDrawn(const QHostAddress &from, double lot) const {
    const QHostAddress address = plainAddress(from);
    return lot < m_rules.share || address.isLoopback() || m_rules.passed.contains(address);
}

const StrangerBrake::Rules &StrangerBrake::rules(Clock::time_point now) {
    std::erase_if(m_shutOut, [now](const ShutOut &each) { return each.until <= now; });
    // A flood that begins is braked before the window ends.
    if (now - m_windowBegan >= window || m_strangers >= 2 * perSecond * Seconds(window).count())
        judgePace(now);
    m_rules.shutOut.clear();
    m_rules.passed.clear();
    if (m_shutOut.empty() && m_rules.share >= 1)
        return m_rules;
    for (const ShutOut &each : m_shutOut)
        m_rules.shutOut.append(each.address);
    for (const auto &addresses : {m_met, m_known}) {
        for (const QHostAddress &each : addresses) {
            if (m_rules.passed.size() < maximumPassed && !m_rules.passed.contains(each) && !isShutOut(each))
                m_rules.passed.append(each);
        }
    }
    return m_rules;
}

void StrangerBrake::judgePace(Clock::time_point now) {
    const double elapsed = std::max(Seconds(now - std::exchange(m_windowBegan, now)).count(), 0.001);
    const double came = std::exchange(m_strangers, 0) / m_rules.share / elapsed;
    // Upwards in steps: a window in which few were drawn says little about how many knock.
    const double most = std::min(1.0, 2 * m_rules.share);
    const double share = came <= perSecond ? most : std::clamp(perSecond / came, leastShare, most);
    if (share >= 1 || share > m_rules.share * noticeableChange || share * noticeableChange < m_rules.share)
        m_rules.share = share;
}

bool StrangerBrake::isShutOut(const QHostAddress &address) const {
    return std::any_of(m_shutOut.begin(), m_shutOut.end(),
                       [&address](const ShutOut &each) { return each.address == address; });
}

bool StrangerBrake::spend(const QHostAddress &address, double burst, double refill, Clock::time_point now) {
    if (!m_budgets.contains(address) && m_budgets.size() >= maximumAddresses)
        forgetIdle(now);
    auto at = m_budgets.find(address);
    if (at == m_budgets.end())
        at = m_budgets.insert(address, {burst, now});
    at->left = std::min(burst, at->left + Seconds(now - std::exchange(at->counted, now)).count() * refill);
    if (at->left < 1)
        return false;
    at->left -= 1;
    return true;
}

void StrangerBrake::shutOut(const QHostAddress &address, Clock::time_point now) {
    m_budgets.remove(address);
    if (static_cast<qsizetype>(m_shutOut.size()) >= maximumShutOut)
        m_shutOut.erase(m_shutOut.begin());
    m_shutOut.push_back({address, now + shutOutFor});
}

void StrangerBrake::forgetIdle(Clock::time_point now) {
    constexpr Seconds untilFull(strangerBurst / strangerPerSecond);
    m_budgets.removeIf([&](const auto &each) { return now - each.value().counted >= untilFull; });
    // A crowd of others: the share bounds them, and nobody's budget is worth more memory.
    if (m_budgets.size() >= maximumAddresses)
        m_budgets.clear();
}

}  // namespace hearth
