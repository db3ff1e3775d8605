// The calls by which a coordinator has a worker's device measured. Internal to core/train.
#pragma once

#include <QCborMap>
#include <QString>
#include <atomic>
#include <memory>
#include <utility>

#include "core/train/compute_thread.h"
#include "core/train/layer_profiler.h"
#include "core/train/mailbox.h"
#include "core/train/worker_compute.h"
#include "core/wire/rpc.h"

namespace hearth {

class CoordinatorLine;
struct WorkerOptions;

/// `profile` and `profile.units`, with notes `profile.progress`. Lives in the I/O thread, measures on the compute
/// thread, which ends before it. Layers may be deployed meanwhile: between rounds, which then go on as if nothing had
/// been measured.
class ProfileCalls {
  public:
    /// `self`: the device's id.
    ProfileCalls(const WorkerOptions &options, const QString &self, ComputeThread &thread,
                 std::shared_ptr<WorkerCompute> compute, Mailbox &io, CoordinatorLine &line)
        : m_options(options), m_self(self), m_thread(thread), m_compute(std::move(compute)), m_io(io), m_line(line) {}

    /// All layers at some batch sizes.
    void whole(const QCborMap &args, const Reply &reply);
    /// Single layers at one number of samples each.
    void units(const QCborMap &args, const Reply &reply);
    /// Nobody waits any more for what is measured: it ends soon.
    void end() { ++m_ended; }

  private:
    ProfileProgress progress();

    const WorkerOptions &m_options;
    QString m_self;
    ComputeThread &m_thread;
    std::shared_ptr<WorkerCompute> m_compute;
    Mailbox &m_io;
    CoordinatorLine &m_line;
    std::atomic<quint32> m_ended{0};  // so often: a call that is waiting goes by the number at its beginning
};

}  // namespace hearth
