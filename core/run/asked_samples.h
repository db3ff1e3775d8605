// Samples that nobody has labelled: what somebody asks a network about.
#pragma once

#include <QByteArray>
#include <memory>

#include "core/data/dataset.h"
#include "core/model/model.h"
#include "core/protocol/run_data.h"
#include "core/run/evaluation_pass.h"
#include "core/run/run_context.h"

namespace hearth {

/// All splits are the same `samples`, which are encoded as those that `model` was trained on: by input of the network,
/// its values of all samples, a whole number of them. Labels are zeros.
std::shared_ptr<const Dataset> askedSamples(const RunData &trained, const Model &model, const QByteArray &samples);
/// One sample of zeros.
std::shared_ptr<const Dataset> noSamples(const RunData &trained, const Model &model);

/// A pass that tells what the network of the run says of such samples, by this plan and after this round. The caller
/// owns and starts it.
EvaluationPass *passOf(const RunContext &run, const Deployment &deployment, qint64 round, const RunData &trained,
                       const QByteArray &samples, const AskedOutputs &outputs);

}  // namespace hearth
