// Which links are half duplex and who shares the air: what is to be measured at once to tell that, and what follows.
#pragma once

#include <QStringList>
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/profile/link_profile.h"

namespace hearth {

/// Each medium is as fast as the fastest pair with an end in it, where there is one.
void rateMedia(LinkProfile &links, const std::vector<LinkProfile::Pair> &alone);

/// Asks for as few transfers at once as tell it. A ring of all devices shows at once that nothing is shared, as on a
/// switch. Else a device is tested in both directions at once against one whose card is known to be full duplex, or
/// where there is none, pairs are. Who is half duplex may still have a cable of its own: two of them share the air
/// where a transfer from one to a full duplex device slows down one from there to the other. Where all are half
/// duplex, the ring tells: on the air it carries one transfer at a time, with half duplex cables one for two devices.
/// What stays unclear is not told. Plain values; one thread.
class SharingTests {
  public:
    /// Links of that rate are switched cable or faster, and are not tested: about a gigabit a second.
    static constexpr double fastBytesPerSecond = 90e6;
    /// So many of two transfers get through in the time of one where they share something, and where they do not. What
    /// is between tells nothing.
    static constexpr double mostShared = 1.4, leastApart = 1.6;

    /// Devices by id.
    using Transfers = std::vector<std::pair<QString, QString>>;

    /// `alone`: what each direction carries while nothing else does.
    SharingTests(const QStringList &devices, const std::vector<LinkProfile::Pair> &alone);

    /// To be measured at once; empty where nothing more has to be. What looks shared is asked for twice: a device that
    /// does something else for a moment looks the same.
    const Transfers &next() const { return m_next; }
    /// Bytes per second of each of next(), in its order. A rate of 0 (a device did not answer) ends it: nothing is told
    /// then.
    void take(const std::vector<double> &rates);
    /// Nothing more is to be measured, and what follows is known.
    bool isComplete() const { return m_next.empty() && !m_isBroken; }
    /// Cards and media; no pairs. Before the end empty.
    const LinkProfile &found() const { return m_found; }

  private:
    enum class Card { Unclear, Full, Half };
    struct Lanes {
        double most = 0;  // transfers that get through in the time of one
        int times = 0;
    };
    double rate(std::size_t from, std::size_t to) const;
    bool areLinked(std::size_t a, std::size_t b) const { return rate(a, b) > 0 && rate(b, a) > 0; }
    using Directed = std::vector<std::pair<std::size_t, std::size_t>>;
    /// None: next() asks for it.
    std::optional<double> lanes(const Directed &transfers);
    std::optional<double> bothWays(std::size_t a, std::size_t b);
    bool isAnyFull() const { return std::ranges::count(m_cards, Card::Full) > 0; }
    /// That the two share the air, and so need no test.
    bool ringTells(std::size_t a, std::size_t b) const;
    /// False, all of these: next() asks for more.
    bool decide();
    bool judgeRing();
    bool findFullCard();
    bool judgeCards();
    bool findAirs();
    using Airs = std::vector<std::vector<std::size_t>>;  // of devices that share one
    bool takeAir(std::size_t device, Airs &airs);
    void tell(const Airs &airs);
    /// Without the one on a cable, where there is one: its links are twice as fast as those that cross the air twice.
    std::vector<std::size_t> onAir(const std::vector<std::size_t> &devices) const;

    QStringList m_devices;
    std::vector<LinkProfile::Pair> m_pairs;
    std::vector<double> m_alone;  // by from and to
    std::map<Directed, Lanes> m_measured;
    Directed m_asked;
    Transfers m_next;
    bool m_isBroken = false;
    // What is known of them in the course of decide().
    std::vector<Card> m_cards;
    std::vector<std::size_t> m_slow;  // those with no fast link, and with any
    bool m_isOneAir = false;          // all neighbours in the ring of the slow ones share it
    LinkProfile m_found;
};

}  // namespace hearth
