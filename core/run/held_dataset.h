// Samples that another device holds, as a data set.
#pragma once

#include <memory>

#include "core/data/dataset.h"
#include "core/run/data_facts.h"
#include "core/run/holder_reads.h"

namespace hearth {

/// Reads of `facts`, those of the set that the holder has opened at `place`, wait for the network: HolderReads. Its
/// pictures and columns are not read from here: nothing but samples as the network takes them leaves the holder.
/// Of its files so many are `gone`. Errors besides: "data.broken-label", "data.broken-sample": a class or an id that
/// the facts exclude, which would index what is not there.
std::shared_ptr<const Dataset> heldDataset(const DataFacts &facts, int place, std::shared_ptr<HolderReads> reads,
                                           qint64 gone = 0);

}  // namespace hearth
