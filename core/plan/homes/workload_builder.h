// Internal to core/plan: counts one layer of a workload op by op, in float32.
#pragma once

#include "core/plan/homes/workloads.h"

namespace hearth::detail {

/// Elements are per sample. What backward keeps is what LibTorch keeps: every op its input, except as its function
/// says; tensors that several ops keep count once.
class LayerCounter {
  public:
    explicit LayerCounter(QString name);

    /// Any op: so many elements in and out, kept ones, FLOPs.
    LayerCounter &op(double flops, qint64 in, qint64 out, qint64 kept);
    LayerCounter &parameters(qint64 count, qint64 buffers = 0);
    LayerCounter &macs(qint64 count);
    /// The smallest share that it can train on.
    LayerCounter &minimumSamples(int samples);

    /// `outputElements` cross a cut after the layer, forward and backward.
    WorkloadLayer finish(qint64 outputElements);

  private:
    WorkloadLayer m_layer;
};

}  // namespace hearth::detail
