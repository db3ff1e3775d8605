// What another device says that it learned: what reads is a belief that predicts finite times.
#include <cmath>

#include "core/predict/knowledge.h"
#include "fuzz_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const auto knowledge = readAs<Knowledge>(data, size);
    if (!knowledge)
        return 0;
    Features features{};
    features.fill(1);
    for (const bool againstDevice : {false, true}) {
        const auto belief = knowledge->prior(againstDevice).forward.weights().at(features);
        if (!std::isfinite(belief.mean) || !std::isfinite(belief.variance))
            qFatal("A belief predicts no time.");
    }
    return 0;
}
