// Whether a network and a data set were made for each other.
#pragma once

#include <optional>

#include "core/model/model.h"
#include "core/run/job.h"

namespace hearth {

/// Samples of a data set, as far as a network cares; plain value.
struct DataShape {
    Shape sample;  // {channels, height, width}
    int classes = 0;

    bool operator==(const DataShape &) const = default;
};

/// The input of the job for these data. Errors, with which no run can start: "job.classes", "job.input". Any thread.
Result<InputTransform> inputFor(const Job &job, const Model &model, const DataShape &data);

/// That error; or what a run would start with, and nobody is likely to mean: pictures that are mostly the border added
/// to them, or outputs that no sample has ("job.misfit"). Nothing where the two fit. Any thread.
std::optional<Error> misfitOf(const Job &job, const Model &model, const DataShape &data);

}  // namespace hearth
