// A worker's memory as the system counts it, and the limit on what it may take.
#pragma once

#include "core/base/error.h"
#include "core/train/compute_device.h"

namespace hearth {

/// Resident bytes of this process at their highest since resetResidentPeak() or the start (/proc/self/status); 0 where
/// unknown. Any thread.
qint64 residentPeakBytes();
void resetResidentPeak();

/// Of this machine.
qint64 physicalBytes();

/// All of `bytes` but what the device took before its first tensor (runtimeBytes()) is for tensors and, on the host,
/// for Buffers; 0 stands for all that the device has. On the compute thread.
void limitMemory(ComputeDevice &device, qint64 bytes);

/// Whether so many bytes more would be within the limit, before anything of them is taken: "worker.out-of-memory",
/// which lastMemoryShortage() then tells of.
Result<void> checkRoom(ComputeDevice &device, qint64 bytes);

}  // namespace hearth
