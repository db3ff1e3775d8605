#include "core/train/ops/op_run.h"

#include <vector>

namespace hearth {
namespace {

std::vector<OpRun> collect() {
    std::vector<OpRun> all;
#define HEARTH_COLLECT(family)              \
    for (const OpRun &run : family##Runs()) \
        all.push_back(run);
    HEARTH_OP_FAMILIES(HEARTH_COLLECT)
#undef HEARTH_COLLECT
    return all;
}

}  // namespace

const OpRun &runOf(const QString &kind) {
    static const std::vector<OpRun> runs = collect();
    const auto found =
        std::find_if(runs.begin(), runs.end(), [&](const OpRun &run) { return kind == QLatin1String(run.kind); });
    if (found == runs.end())
        qFatal("core/train/ops has no \"%s\"", qPrintable(kind));  // core/model/ops has it: a programmer's mistake
    return *found;
}

}  // namespace hearth
