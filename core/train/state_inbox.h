// Puts together the states of layers that come from other devices, chunk by chunk.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "core/protocol/deployment.h"
#include "core/train/buffer_pool.h"
#include "core/wire/state_chunks.h"

namespace hearth {

/// Chunks may come before the deployment that says what they are: those of a newer term wait for it. Lives on the
/// compute thread.
class StateInbox {
  public:
    /// What waits for its deployment at most; beyond, it is a mistake of the sender. Of members no more than all states
    /// that the deployment before had.
    static constexpr qint64 mostWaitingBytes = qint64{4} << 30;

    struct Expected {
        quint32 term = 0;
        quint64 version = 0;                      // of moves; copies are newer
        std::vector<qint64> stateBytes;           // of every layer of the model
        std::set<std::pair<QString, int>> moves;  // {from, layer}; empty: the coordinator
        std::vector<Deployment::Backup> copies;   // that this device keeps
    };
    /// `from` is empty for the coordinator.
    using Arrived =
        std::function<void(const QString &from, int layer, quint64 version, std::shared_ptr<const Buffer> state)>;

    StateInbox(std::shared_ptr<BufferPool> pool, Arrived arrived)
        : m_pool(std::move(pool)), m_arrived(std::move(arrived)) {}

    /// Drops what is of older terms.
    void beginTerm(quint32 term);
    /// From now on these are put together, what waited first. Errors as of add().
    Result<void> expect(Expected expected);
    /// Chunks of older terms and those that nobody expects are dropped. Errors: "wire.bad-state".
    Result<void> add(const QString &from, const TensorFrame &frame);
    qint64 waitingBytes() const { return m_waitingBytes; }

  private:
    struct Waiting {
        QString from;
        TensorFrame frame;
    };
    using Place = std::pair<QString, int>;  // {from, layer}
    qint64 mostWaiting(const QString &from) const;
    bool isExpected(const QString &from, const TensorHeader &header) const;
    Result<void> assemble(const QString &from, const TensorFrame &frame);

    std::shared_ptr<BufferPool> m_pool;
    Arrived m_arrived;
    quint32 m_term = 0;
    Expected m_expected;
    std::vector<Waiting> m_waiting;
    qint64 m_waitingBytes = 0;
    std::map<Place, StateAssembly> m_assemblies;
    std::map<Place, quint64> m_whole;  // the newest version that came whole
};

}  // namespace hearth
