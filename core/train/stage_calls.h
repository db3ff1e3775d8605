// The calls by which a coordinator steers a deployed stage and asks for what it holds. Internal to core/train.
#pragma once

#include <QCborMap>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "core/train/state_sender.h"
#include "core/train/worker_compute.h"
#include "core/wire/rpc.h"

namespace hearth {

class CoordinatorLine;

/// `codecs`, `evaluate`, `weights.get`, `state.get`, `keep`, `commit`, and the backups that a `keep` asks for. Lives in
/// the I/O thread; works on the compute thread, which ends before it.
class StageCalls {
  public:
    /// `term`: the newest, in the I/O thread.
    StageCalls(ComputeThread &thread, std::shared_ptr<WorkerCompute> compute, Mailbox &io, CoordinatorLine &line,
               StateSender &sender, std::function<quint32()> term)
        : m_thread(thread),
          m_compute(std::move(compute)),
          m_io(io),
          m_line(line),
          m_sender(sender),
          m_term(std::move(term)) {}

    void codecs(const QCborMap &args, const Reply &reply);
    void evaluate(const QCborMap &args, const Reply &reply);
    void sendWeights(const QCborMap &args, const Reply &reply);
    void sendStates(const QCborMap &args, const Reply &reply);
    void keep(const QCborMap &args);
    void sumExactly(const QCborMap &args);
    void commit(const QCborMap &args);
    /// After a round. On the compute thread.
    Result<void> keepStates(WorkerCompute &compute);

  private:
    void sendBackups(std::vector<StateParcel> parcels, quint32 term);

    ComputeThread &m_thread;
    std::shared_ptr<WorkerCompute> m_compute;
    Mailbox &m_io;
    CoordinatorLine &m_line;
    StateSender &m_sender;
    std::function<quint32()> m_term;
    std::chrono::milliseconds m_backupSpread{0};
};

}  // namespace hearth
