// Whether the device at the other end of a link is still there: a frozen or unplugged one closes no socket.
#pragma once

#include <QtGlobal>
#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>

namespace hearth {

/// The patience with one link, as values alone: the owner reads the clock and the kernel's figures and sends what it is
/// told to. Single thread.
///
/// Both ends send a beat every so often (Pace). After `suspectAfter` in which nothing came the other end is asked (a
/// probe, which it answers at once). What follows depends on what the network says, for on a slow link that others
/// fill, beats wait in queues for seconds:
/// - The other kernel has confirmed the probe. Whatever its process had sent before would have come with that, so the
///   process has `probePatience` left to answer.
/// - The probe is not confirmed, but something has come from that machine since the silence began, if only
///   confirmations over other connections between the same two addresses: the way is full. The link is kept as long as
///   that goes on, and then for as long again, up to `longestPatience`: TCP doubles its pauses between the attempts to
///   send what was lost.
/// - Nothing comes at all: it is unplugged, after `probePatience` and two round trips.
/// So a device that is gone is noticed within about two seconds, and one that stalls for a second stays. When this end
/// was late itself, nothing can be said about the other one, and the silence counts anew.
class LinkWatch {
  public:
    using Time = std::chrono::steady_clock::time_point;
    struct Pace {
        std::chrono::milliseconds beat;
        /// Beats are missing: from here on the other connections are looked at.
        std::chrono::milliseconds notice;
    };
    /// While a round waits for the other end.
    static constexpr Pace close{std::chrono::milliseconds(250), std::chrono::milliseconds(500)};
    /// For links that are there all day: an agent at rest wakes up half as often, and notices a loss as soon.
    static constexpr Pace calm{std::chrono::milliseconds(500), std::chrono::milliseconds(750)};
    /// How often to call check(); while the link isCalm(), once per beat is enough.
    static constexpr std::chrono::milliseconds tick{125};
    static constexpr std::chrono::milliseconds suspectAfter{1000};
    static constexpr std::chrono::milliseconds probePatience{600};
    static constexpr std::chrono::milliseconds longestPatience{10000};
    /// Of our own event loop; processes on a busy machine wait this long now and then.
    static constexpr std::chrono::milliseconds lateness{300};
    /// However slow the link is: somebody waits for the answer.
    static constexpr std::chrono::milliseconds longestRoundTrip{5000};

    enum class Order {
        Wait,
        Beat,   // send a sign of life
        Probe,  // ask for one
        Cut,    // the other end is gone
    };

    struct Signs {
        quint64 arrived = 0;       // over this link, ever: whatever is new counts as life
        bool allDelivered = true;  // the other kernel has confirmed all that was sent
        std::chrono::milliseconds roundTrip{0};
        /// What came from that machine over all connections between the same two addresses that are open now; asked
        /// only of a silent one, and only a rise means something. Nothing: unknown.
        std::function<std::optional<quint64>()> fromHost;
        std::chrono::milliseconds sinceArrival{0};  // how long ago the newest of `arrived` came
    };

    LinkWatch(Time now, Pace pace) : m_pace(pace), m_heard(now), m_beat(now), m_checked(now) {}

    /// At most one order at a time: beats go on while an answer is awaited. `interval`: for how long the owner meant to
    /// sleep since the last check.
    Order check(Time now, const Signs &signs, std::chrono::milliseconds interval = tick);
    /// Something has come between the last two checks: the next beat is soon enough for another look.
    bool isCalm() const { return m_calm; }
    /// Somebody else has reason to think that the other end is gone: it is asked at the next check.
    void doubt(Time now) { m_heard = std::min(m_heard, now - suspectAfter); }
    /// For how long nothing has come, as of the last check.
    std::chrono::milliseconds silence() const;
    bool isSuspect() const { return m_probed.has_value(); }

  private:
    void lookAtHost(Time now, const Signs &signs);
    bool isGone(Time now, const Signs &signs);

    Pace m_pace;
    Time m_heard;
    bool m_calm = false;
    Time m_beat;  // the last one sent
    Time m_checked;
    quint64 m_arrived = 0;
    // Of a silent link:
    std::optional<Time> m_probed;
    std::optional<Time> m_delivered;  // when the probe was seen confirmed
    bool m_looked = false;
    std::optional<quint64> m_fromHost;
    std::optional<Time> m_hostHeard;  // over another connection, since two beats are missing
};

}  // namespace hearth
