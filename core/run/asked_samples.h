// Samples that nobody has labelled: what somebody asks a network about.
#pragma once

#include <QByteArray>
#include <memory>

#include "core/data/dataset.h"
#include "core/model/model.h"
#include "core/protocol/run_data.h"

namespace hearth {

/// All splits are the same `samples`, which are encoded as those that `model` was trained on: by input of the network,
/// its values of all samples, a whole number of them. Labels are zeros.
std::shared_ptr<const Dataset> askedSamples(const RunData &trained, const Model &model, const QByteArray &samples);
/// One sample of zeros.
std::shared_ptr<const Dataset> noSamples(const RunData &trained, const Model &model);

}  // namespace hearth
