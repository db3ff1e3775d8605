// Rows and texts that a network never saw.
#pragma once

#include "core/inference/asked_run.h"

namespace hearth {

/// Of files, one after the other; columns() are those of the first. Errors: those of RowReader, of any of them. Blocks.
Result<std::shared_ptr<SampleSource>> rowSource(const AskedRun &run, const QStringList &paths);
/// Of one row: as many fields as AskedRun::columns(), in their order.
std::shared_ptr<SampleSource> typedSource(const AskedRun &run, const QStringList &fields);

}  // namespace hearth
