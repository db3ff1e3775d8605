// Which part packing leaves of what crosses a cut: tried on the tensors of a pass. Internal to core/train.
#pragma once

#include <QMap>

#include "core/profile/model_profile.h"
#include "core/train/compute_device.h"

namespace hearth {

/// Of a tensor's values more say little more, and each takes a few nanoseconds.
inline constexpr qint64 enoughPacked = 128 << 10;

/// Adds up the slots of one cut, written as a stage writes them over a slow link (CutWriter), by each codec. On the
/// compute thread.
class PackedCut {
  public:
    /// Samples {n, …} and their gradient, undefined where nothing flows back; the first values are looked at.
    void add(DType type, const at::Tensor &values, const at::Tensor &gradient, bool isRectified, ComputeDevice &device);
    /// By the codec's name; of those that wrote too few bytes to be packed at all nothing.
    QMap<QString, PackedParts> parts() const;

  private:
    struct Bytes {
        double encoded = 0, packed = 0;
        double part() const { return encoded > 0 ? packed / encoded : 1; }
        Bytes &operator+=(const Bytes &more) { return encoded += more.encoded, packed += more.packed, *this; }
    };
    struct Ways {
        Bytes forward, backward, active;
    };
    QMap<QString, Ways> m_ways;
};

}  // namespace hearth
