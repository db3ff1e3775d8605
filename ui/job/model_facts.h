// What can be said of a network before anything of it is computed.
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/model/adapters.h"
#include "core/model/model.h"
#include "core/model/training_memory.h"

namespace hearth {

/// How much of a network is trained.
enum class TrainedPart { All, Lora, Bottleneck, Head };
constexpr std::array trainedParts{TrainedPart::All, TrainedPart::Lora, TrainedPart::Bottleneck, TrainedPart::Head};

struct Job;
/// What these settings of a job train; "head" is any part of the network as it is.
TrainedPart trainedPartOf(const Job &job);

/// Plain value.
struct ModelFacts {
    /// Trained as is usual for this network.
    struct Part {
        std::optional<AdapterSpec> adapters;  // what a job says for it
        QStringList freeze;
        QStringList targets;  // that none of the adapters' stand for
        qint64 trained = 0;   // parameters
        std::optional<TrainingMemory> memory;
        Error why;  // where there is none
    };

    QString name;                // as a job names it: built in, or a path
    std::optional<Error> error;  // why it cannot be trained; then the rest is not known
    bool isGone = false;         // for nothing is there
    std::optional<Model> model;
    std::vector<Sentence> notes;  // of what came from elsewhere
    std::array<Part, trainedParts.size()> parts;

    const Part &part(TrainedPart which) const { return parts[static_cast<std::size_t>(which)]; }
};

/// Reads files, and for seconds where they are large. Any thread.
ModelFacts readModelFacts(const QString &name, DType dtype);

/// What one device needs at least: worker, weights, gradients and optimizer, and what backward needs of one sample.
qint64 leastBytes(const TrainingMemory &memory, const OptimizerState &optimizer, qint64 runtimeBytes);

}  // namespace hearth
