// AllReduce by another library's process group: what Hearth asks of it. No LibTorch: plain memory.
#pragma once

#include <QByteArray>
#include <QString>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/error.h"

namespace hearth {

/// One member's place in a trusted fabric. Plain value.
struct FabricPlace {
    int self = 0;
    int members = 1;
    QString address;  // of this member, as the others reach it: the backend listens there and nowhere else
    std::chrono::milliseconds connectDeadline{15'000};
    std::chrono::milliseconds sumDeadline{60'000};
};

/// For errors that are not the user's doing.
inline Sentence fabricAdvice() {
    return sentence(
        "Train without --trusted-fabric, or check that nothing filters connections between the members of the group.");
}

/// Where members of a group put what others need to reach them. Entries travel over the run's own links, so a fabric
/// needs no further server and nobody outside the run can add any. Any thread.
class Rendezvous {
  public:
    struct Entry {
        QByteArray key, value;
    };
    static constexpr qsizetype keyBytes = 256, valueBytes = 1 << 16, entries = 4096;

    /// `wake` is called, in the caller's thread, when there are entries to take.
    explicit Rendezvous(std::function<void()> wake) : m_wake(std::move(wake)) {}
    /// This member's own.
    void publish(const Entry &entry);
    /// Published since the last call: for the other members.
    std::vector<Entry> takePublished();
    /// Another member's. "worker.bad-frame" beyond the bounds.
    Result<void> learn(const Entry &entry);
    bool has(const QByteArray &key) const;
    /// Waits for the entry; "fabric.timeout" after `deadline`, "fabric.closed" after close().
    Result<QByteArray> get(const QByteArray &key, std::chrono::milliseconds deadline) const;
    qsizetype size() const;
    /// Nobody waits any more.
    void close();

  private:
    std::function<void()> m_wake;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    std::map<QByteArray, QByteArray> m_values;
    std::vector<Entry> m_published;
    bool m_closed = false;
};

/// A process group of one library. Used by one thread, which it may block; destroyed in that thread.
class FabricBackend {
  public:
    virtual ~FabricBackend() = default;
    /// Joins the group; all members do at about the same time.
    virtual Result<void> connect(const FabricPlace &place, const std::shared_ptr<Rendezvous> &rendezvous) = 0;
    /// Sums `values` over all members, in place, with the same bits for all of them. After an error it is not used
    /// again, and the values are undefined.
    virtual Result<void> allReduce(std::byte *values, qint64 elements, DType dtype) = 0;
};

/// By the name that a deployment uses. Errors: "fabric.unavailable", when this worker's library has none of that name.
/// "gloo": LibTorch's c10d. NCCL would join here; it sums memory of cards alone, where groups mix them with processors.
Result<std::unique_ptr<FabricBackend>> makeFabricBackend(const QString &name);
using FabricFactory = std::function<Result<std::unique_ptr<FabricBackend>>(const QString &name)>;

}  // namespace hearth
