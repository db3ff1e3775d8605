// What a file in a run's folder says that people wrote on it.
#include <cstdlib>

#include "core/history/run_label.h"
#include "fuzz_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const auto label = readAs<RunLabel>(data, size);
    if (!label)
        return 0;
    if (label->name.contains(QLatin1Char('\n')) || label->name.contains(QChar(0x202e)))
        std::abort();
    const auto again = RunLabel::fromJson(label->toJson(), QStringLiteral("again"));
    if (!again || *again != *label)
        std::abort();
    return 0;
}
