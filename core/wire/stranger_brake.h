// How many connections a listener takes at all, and from whom.
#pragma once

#include <QHash>
#include <QHostAddress>
#include <QList>
#include <chrono>
#include <vector>

namespace hearth {

/// Whose address a connection comes from. An address proves nothing: it decides who waits for whom, never who gets in.
enum class Standing {
    Stranger,
    Known,  // a paired device was reached at it, or has come from it
    Local,  // this machine, where whoever is on it can do worse; and a home embedded in it connects all at once
};

/// Bounds the arrivals that a flood can force on a process. An address that knocks beyond its budget is shut out for a
/// while; beyond a pace of strangers in all only a random share of them is taken, so that each has the same chance
/// however loud the others are; known addresses are always taken, within a budget of their own. The owner has the
/// kernel apply the rules (SynSieve), so that who is turned away costs this process nothing. Pure bookkeeping, bounded;
/// time is an argument; one thread.
class StrangerBrake {
  public:
    using Clock = std::chrono::steady_clock;
    /// Of strangers, beyond which they are taken by lot: a home that is set up has far fewer.
    static constexpr double perSecond = 40;
    /// Over which arrivals are counted, and after which the share is set anew.
    static constexpr std::chrono::milliseconds window{500};
    /// What one address may do at once and from then on: a device that dials another that is not ready yet, again and
    /// again, stays below it.
    static constexpr double strangerBurst = 32;
    static constexpr double strangerPerSecond = 4;
    static constexpr double knownBurst = 64;
    static constexpr double knownPerSecond = 20;
    static constexpr std::chrono::seconds shutOutFor{10};
    static constexpr qsizetype maximumShutOut = 32;
    /// Of the known ones, those who were met last first; what the kernel takes in (net.core.optmem_max) sets both.
    static constexpr qsizetype maximumPassed = 64;
    static constexpr qsizetype maximumMet = 64;
    static constexpr qsizetype maximumAddresses = 512;  // whose budgets are remembered
    static constexpr double leastShare = 1.0 / 65536;

    struct Rules {
        QList<QHostAddress> passed;
        QList<QHostAddress> shutOut;
        double share = 1;  // of all others
        bool isOpen() const { return shutOut.isEmpty() && share >= 1; }
        bool operator==(const Rules &other) const = default;
    };
    struct Arrival {
        bool taken = false;
        Standing standing = Standing::Stranger;
    };

    /// Last-known addresses of paired devices, in place of all that were known or met before.
    void setKnown(const QList<QHostAddress> &addresses);
    /// Somebody who was let in has come from there: it is known from now on.
    void met(const QHostAddress &address);

    /// One that the rules have let through has come.
    Arrival arrived(const QHostAddress &address, Clock::time_point now);
    /// For a kernel that lets everybody through: whether the rules would have, with `lot` from [0, 1).
    bool isDrawn(const QHostAddress &address, double lot) const;
    /// What applies from now on. To be asked after each arrival, and while they are not open once per window.
    const Rules &rules(Clock::time_point now);

  private:
    struct Budget {
        double left;
        Clock::time_point counted;
    };
    struct ShutOut {
        QHostAddress address;
        Clock::time_point until;
    };
    bool isKnown(const QHostAddress &address) const { return m_known.contains(address) || m_met.contains(address); }
    bool isShutOut(const QHostAddress &address) const;
    bool spend(const QHostAddress &address, double burst, double refill, Clock::time_point now);
    void shutOut(const QHostAddress &address, Clock::time_point now);
    void forgetIdle(Clock::time_point now);
    void judgePace(Clock::time_point now);

    QList<QHostAddress> m_known;
    QList<QHostAddress> m_met;  // the newest first
    QHash<QHostAddress, Budget> m_budgets;
    std::vector<ShutOut> m_shutOut;  // the oldest first
    Rules m_rules;
    Clock::time_point m_windowBegan{};
    int m_strangers = 0;  // in this window
};

/// IPv4 addresses inside of IPv6 become IPv4; others keep their scope, without which nobody can dial a link-local one.
QHostAddress unmapped(const QHostAddress &address);
/// unmapped(), and scopes vanish: one machine, one value.
QHostAddress plainAddress(const QHostAddress &address);

}  // namespace hearth
