// Whether the device at the other end of a link is still there: a frozen or unplugged one closes no socket.
#pragma once

#include <QtGlobal>
#include <chrono>

namespace hearth {

/// The patience with one link, as values alone: the owner reads the clock, counts what arrived and sends what it is
/// told to. Single thread.
///
/// Both ends send a beat every `beatPause`. After `suspectAfter` without a byte the other end is asked (a probe, which
/// it answers at once), and `probePatience` and two round trips later the link is to be cut: a device that is gone is
/// noticed within about two seconds, one that stalls for a second is not even asked twice. When this end was late
/// itself, nothing can be said about the other one, and the silence counts anew.
class LinkWatch {
  public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::milliseconds tick{125};  // how often to call check()
    static constexpr std::chrono::milliseconds beatPause{250};
    static constexpr std::chrono::milliseconds suspectAfter{1000};
    static constexpr std::chrono::milliseconds probePatience{600};
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

    explicit LinkWatch(Time now) : m_heard(now), m_beat(now), m_checked(now) {}

    /// `bytesArrived` ever; any that are new count as life, whatever they mean. At most one order at a time: beats go
    /// on while an answer is awaited.
    Order check(Time now, quint64 bytesArrived, std::chrono::milliseconds roundTrip);
    /// For how long nothing has come, as of the last check.
    std::chrono::milliseconds silence() const;
    bool isSuspect() const { return m_asked; }

  private:
    Time m_heard;
    Time m_beat;  // the last one sent
    Time m_checked;
    Time m_probed;
    quint64 m_bytes = 0;
    bool m_asked = false;
};

}  // namespace hearth
