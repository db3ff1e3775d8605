// Sweeps as files order them, and as files keep how far they are.
#include <cstdlib>

#include "core/sweep/sweep_order.h"
#include "fuzz_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const auto json = jsonOf(data, size);
    if (!json)
        return 0;
    if (const auto sweep = Sweep::fromJson(*json, QStringLiteral("fuzz")); sweep) {
        const auto again = Sweep::fromJson(sweep->toJson(), QStringLiteral("again"));
        if (!again || again->toJson() != sweep->toJson())
            std::abort();
    }
    // No file of this machine is read for it.
    if (json->value(QLatin1String("job")).isString())
        return 0;
    const auto order = SweepOrder::fromJson(*json, QStringLiteral("fuzz"), QString());
    if (!order)
        return 0;
    const auto sweep = order->begin();
    if (sweep && (sweep->trials.empty() || sweep->trials.size() > SweepSpace::mostTrials))
        std::abort();
    return 0;
}
