// Takes down what the executor does and what arrives, where the deployment asks for a trace.
#pragma once

#include <chrono>
#include <map>

#include "core/protocol/round_trace.h"
#include "core/wire/tensor_frame.h"

namespace hearth {

/// Lives on the compute thread. Switched off, every call is one branch.
class RoundRecorder {
  public:
    using Clock = std::chrono::steady_clock;
    /// Of the clock that traces are in.
    static qint64 nanoseconds(Clock::time_point when) {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count();
    }
    static qint64 now() { return nanoseconds(Clock::now()); }

    /// `stage`: of the deployment, whose work is taken down.
    void setActive(bool active, int stage = -1) {
        m_active = active;
        m_stage = stage;
        m_current = {};
        m_ahead.clear();
        m_received.clear();
    }
    bool isActive() const { return m_active; }

    void span(Activity activity, int microBatch, Clock::time_point start, Clock::time_point end) {
        if (m_active)
            addSpan({activity, microBatch, nanoseconds(start), nanoseconds(end), isWait(activity) ? -1 : m_stage});
    }
    /// The one under way, to begin with.
    void setRound(quint32 round) { m_round = round; }
    /// Of the round under way, or of one ahead of it.
    void sent(const QString &peer, const TensorHeader &header, qint64 bytes, qint64 at) {
        if (m_active)
            addFrame(header.round > m_round ? m_ahead[header.round] : m_current, peer, header, bytes, at);
    }
    /// Of whatever round the tensor belongs to: neighbours may be ahead.
    void received(const QString &peer, const TensorHeader &header, qint64 bytes, qint64 at) {
        if (m_active)
            addFrame(m_received[header.round], peer, header, bytes, at);
    }
    /// All that belongs to `round`; what comes next belongs to the one after.
    RoundTrace finish(quint32 round, quint32 term);

  private:
    /// Each of the two halves of a trace has half of its room.
    struct Half {
        QMap<QString, std::vector<TraceFrame>> frames;
        std::vector<TraceSpan> spans;
        qsizetype entries = 0;
        bool cut = false;
    };
    static bool hasRoom(Half &half);
    static void addFrame(Half &half, const QString &peer, const TensorHeader &header, qint64 bytes, qint64 at);
    void addSpan(const TraceSpan &span);

    bool m_active = false;
    int m_stage = -1;
    quint32 m_round = 0;
    Half m_current;                   // spans, and what was sent
    std::map<quint32, Half> m_ahead;  // what was sent
    std::map<quint32, Half> m_received;
};

}  // namespace hearth
