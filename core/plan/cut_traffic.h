// What crosses a cut between two stages.
#pragma once

#include "core/base/codec.h"
#include "core/profile/model_profile.h"

namespace hearth {

/// Of one sample. Plain value, any thread.
struct CutTraffic {
    struct Way {
        double bytes = 0;     // on the wire
        double rawBytes = 0;  // of the tensor: what its sender encodes and its receiver decodes
        const Codec *codec = &noCodec();
    };
    Way forward;   // activations
    Way backward;  // their gradients

    CutTraffic() = default;
    /// Behind that layer.
    CutTraffic(const LayerFacts &layer, const CutCodec &codec);
};

}  // namespace hearth
