// Whether a network and a data set were made for each other.
#pragma once

#include <vector>

#include "core/data/dataset.h"
#include "core/model/model.h"
#include "core/run/job.h"

namespace hearth {

/// A data set, as far as a network cares; plain value.
struct DataShape {
    Shape sample;  // of its first part; of pictures {channels, height, width}
    int classes = 0;
    std::vector<DataPart> parts{};  // empty: pictures
    Slot label{DType::Int64, {}, false};
    bool ownSizes = false;  // pictures of any sizes; `sample` is a usual one

    bool operator==(const DataShape &) const = default;
    /// Their only part is bytes {channels, height, width}.
    bool arePictures() const;
    /// Their only part is so many real numbers: a table, or an array of rows.
    bool areRowsOfNumbers() const;
    static DataShape of(const Dataset &data);
};

/// The input of the job for these data; one that does nothing where they are no pictures. Errors, with which no run can
/// start: "job.classes", "job.input", "job.labels", "job.augment"; inputFor() knows better advice. Any thread.
Result<InputTransform> checkedInput(const Job &job, const Model &model, const DataShape &data);

/// By input of the model, which part of the data it takes: that of its name, or the only one. Error: "job.input". Any
/// thread.
Result<std::vector<std::size_t>> partsFor(const Job &job, const Model &model, const DataShape &data);

/// How such an error is told: with the network's own name, for that of a job may be a long path. Any thread.
tl::unexpected<Error> doesNotFit(const Job &job, const Model &model, const QString &code, const Sentence &cause,
                                 const Sentence &advice);
/// The advice where the classes are not as many and nobody knows better. Any thread.
Sentence asManyClasses();

}  // namespace hearth
