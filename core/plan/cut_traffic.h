// What crosses a cut between two stages.
#pragma once

#include "core/base/codec.h"
#include "core/profile/model_profile.h"

namespace hearth {

/// Of one sample. Plain value, any thread.
struct CutTraffic {
    struct Way {
        double bytes = 0;        // as the codec writes them
        double packedBytes = 0;  // packed without loss behind it, ...
        double packedBelow = 0;  // ... as they are over slower links than this, in bytes per second
        double rawBytes = 0;     // of the tensor: what its sender encodes and its receiver decodes
        const Codec *codec = &noCodec();

        /// What goes over a link of that rate. Pieces that are too small to be packed count like others, and nothing
        /// counts what packing takes of the processors.
        double over(double bytesPerSecond) const { return bytesPerSecond < packedBelow ? packedBytes : bytes; }
    };
    Way forward;   // activations
    Way backward;  // their gradients

    CutTraffic() = default;
    /// Behind that layer. Where the stage in front computes its activations again (`recomputes`), it cannot tell which
    /// values of a gradient come to nothing.
    CutTraffic(const LayerFacts &layer, const CutCodec &codec, bool recomputes = false);
};

}  // namespace hearth
