// Whether a network and a data set were made for each other.
#pragma once

#include <optional>

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
    static DataShape of(const Dataset &data);
};

/// The input of the job for these data; one that does nothing where they are no pictures. Errors, with which no run can
/// start: "job.classes", "job.input", "job.labels". Any thread.
Result<InputTransform> inputFor(const Job &job, const Model &model, const DataShape &data);

/// The data as the job's network takes them, with `input` of inputFor(): pictures resized and augmented, a validation
/// set apart. Errors: "job.augment", "job.validation". Any thread.
Result<std::shared_ptr<const Dataset>> dataFor(const Job &job, const Model &model, const InputTransform &input,
                                               std::shared_ptr<const Dataset> data);

/// By input of the model, which part of the data it takes: that of its name, or the only one. Error: "job.input". Any
/// thread.
Result<std::vector<std::size_t>> partsFor(const Job &job, const Model &model, const DataShape &data);

/// Plain value.
struct JobData {
    InputTransform input;  // of inputFor()
    std::shared_ptr<const Dataset> data;
};

/// Loads the data of a job as its network takes them: its parts, texts of its length, and what dataFor() does. Errors:
/// those of loadDataset() and of the above. Any thread; blocks.
Result<JobData> dataOf(const Job &job, const Model &model);

/// From now on this program keeps decoded pictures on the disk where that pays (PictureCache); where it cannot, they
/// are decoded each time. Before any are read; blocks.
void keepDecodedPictures();

/// That error; or what a run would start with, and nobody is likely to mean: pictures that are mostly the border added
/// to them, or outputs that no sample has ("job.misfit"). Nothing where the two fit. Any thread.
std::optional<Error> misfitOf(const Job &job, const Model &model, const DataShape &data);

}  // namespace hearth
