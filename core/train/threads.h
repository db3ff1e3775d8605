// Settings of the threads that compute.
#pragma once

#include <QString>

#include "core/train/compute_device.h"

namespace hearth {

/// Call at the start of every compute thread, before its first tensor, and there for another number: number of threads
/// for LibTorch, OpenMP and OpenBLAS, and denormal numbers flushed to zero (they cost a hundredfold in dying
/// activations).
void prepareComputeThread(int threads);

/// "libtorch 1.13.1"
QString computeLibrary();

/// Runs a tiny training step, so that libraries are loaded and their scratch memory is taken: what the process uses
/// afterwards is what a worker takes before its first layer.
void warmUpComputeThread(ComputeDevice &device);

}  // namespace hearth
