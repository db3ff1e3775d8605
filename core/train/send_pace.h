// How fast the copy of a state may go out without being in the way of a round.
#pragma once

#include <QtGlobal>
#include <chrono>
#include <optional>

namespace hearth {

/// As values alone, for one parcel on one link: the owner reads the clock and sends what it is told to.
///
/// While a round is under way chunks go one at a time, with rests between them where the link is slow: a tensor that
/// comes then seldom waits, and then for little more than one chunk. While there is none the link is idle, and a copy
/// takes all of it: as many chunks at a time as the link has shown to deliver within a few milliseconds, for so long
/// may the first tensor of the next round wait.
class SendPace {
  public:
    using Time = std::chrono::steady_clock::time_point;
    /// At most this much of what was sent is undelivered when a chunk follows.
    static constexpr qint64 quietBytes = 16 << 10;
    /// How often to ask at most.
    static constexpr std::chrono::milliseconds interval{2};
    /// How seldom at least: the round may have ended.
    static constexpr std::chrono::milliseconds longestWait{50};
    /// After a chunk was delivered the link belongs to the round for this many times as long as it took, as far as
    /// `interval` can tell: a fast link has no need of rests.
    static constexpr int restFactor = 3;
    /// What is sent at a time grows while it is delivered within this time, and shrinks when it takes twice as long.
    static constexpr std::chrono::milliseconds burstTime{6};
    static constexpr int mostAtOnce = 16;

    /// During a round chunks follow each other after this time at the soonest: what sending them costs the two devices
    /// is spread over many rounds, and none of them is longer for it.
    void setLeastPause(Time::duration pause) { m_leastPause = pause; }
    /// How many chunks to send now; all of them, then ask again.
    int chunks(Time now, qint64 undeliveredBytes, bool roundUnderWay);
    /// When chunks() may say something else: waking up costs the device more than many a chunk.
    Time::duration wait(Time now, bool roundUnderWay) const;

  private:
    std::optional<Time> m_sentAt;  // the last chunks, until they were delivered
    Time m_restsUntil{};
    Time::duration m_leastPause{0};
    int m_atOnce = 1;
};

}  // namespace hearth
