// Where every tensor's bytes come from: counted, limited, and kept for the next round.
#pragma once

#include <QtGlobal>
#include <exception>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/protocol/memory_shortage.h"

namespace hearth {

/// Bytes held by LibTorch tensors of this process (not the libraries' own scratch memory). Counted exactly, without the
/// headers of the heap.
struct TensorMemory {
    qint64 held = 0;
    qint64 peak = 0;   // highest `held` since the last resetTensorPeak()
    qint64 limit = 0;  // 0 = none
};

/// Makes LibTorch allocate through this module, and the heap keep what it got: no mapping and unmapping of large
/// blocks, whose page faults cost a third of a training step. Call once in main(), before the first tensor; later calls
/// do nothing. Process-wide.
void installTensorMemory();
/// Any thread.
TensorMemory tensorMemory();
void resetTensorPeak();
/// An allocation beyond the limit throws MemoryRefused.
void setTensorMemoryLimit(qint64 bytes);

/// What this thread did with tensors happens before another thread frees them. LibTorch's own counters order it
/// already, but inside a library that ThreadSanitizer cannot see into.
void publishTensorUse();

/// Thrown by a tensor allocation that the limit (or the heap) refuses; ends at the executor's edge as an Error.
class MemoryRefused : public std::exception {
  public:
    MemoryRefused(qint64 requestedBytes, qint64 heldBytes, qint64 limitBytes);
    const char *what() const noexcept override { return m_text.c_str(); }
    /// "worker.out-of-memory", with the bytes.
    Error error() const;

  private:
    qint64 m_requested, m_held, m_limit;
    std::string m_text;
};

/// Of the last tensor that was refused in this process, the libraries included; nothing before the first. Any thread.
std::optional<MemoryShortage> lastMemoryShortage();
/// A tensor was refused in a memory of which the libraries take `runtime`; what a device throws may say so in words
/// alone. Any thread.
MemoryRefused noteRefusal(qint64 requestedBytes, qint64 heldBytes, qint64 limitBytes, qint64 runtime);
/// The last of these.
Error lastRefusal();

/// What the process uses besides tensors: measured once, after the compute thread was warmed up, while no layers are
/// held. 0 before that.
void measureRuntimeBytes();
qint64 runtimeBytes();

/// Resident bytes of this process (/proc/self/statm); 0 where unknown.
qint64 residentBytes();

}  // namespace hearth
