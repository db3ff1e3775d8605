// The data of a job, loaded as its network takes them.
#pragma once

#include <QJsonObject>
#include <map>
#include <memory>
#include <vector>

#include "core/data/dataset.h"
#include "core/model/model.h"
#include "core/run/job.h"
#include "core/run/kept_data.h"

namespace hearth {

struct CountedSamples;

/// The data as the job's network takes them, with `input` of inputFor(): pictures resized and augmented, a validation
/// set apart. `place` as in DataPlace. Errors: "job.augment", "job.validation". Any thread.
Result<std::shared_ptr<const Dataset>> dataFor(const Job &job, const Model &model, const InputTransform &input,
                                               std::shared_ptr<const Dataset> data, int place = 0);

/// Plain value.
struct JobData {
    InputTransform input;  // of inputFor()
    std::shared_ptr<const Dataset> data;
};

/// One of the sets that a job joins. Plain value.
struct DataPlace {
    QString name;             // as loadDataset() takes it
    int place = 0;            // in the job's list: what is random in its training samples is seeded by it
    QJsonObject preparation;  // of the first one (preparationToTell()), where rows have one; empty: its own
    QStringList classes{};    // of the run, where this is all of its data: numberedAs()
};
/// Loads a set as a job's network takes it: withoutGone(), its parts, texts of its length, and what dataFor() does; its
/// validation set is a part of its own training samples, chosen by the job's seed. Errors: those of loadDataset() and
/// of the above. Any thread; blocks.
Result<JobData> dataOf(const Job &job, const Model &model, const DataPlace &place);

/// Of the job's samples, those that evaluations during a run judge.
Split evaluatedSplit(const Job &job);

/// Of a set as loadDataset() gives it, what a run of the job alone on it counts: texts of the model's length, a
/// validation set apart. Nothing where a run could not take it so. Any thread.
CountedSamples countedIn(const Job &job, const Model &model, const std::shared_ptr<const Dataset> &data);

/// By their place in the job, those that are there already.
using ReadyData = std::map<int, JobData>;
/// The data of a job: those that are ready, and the others, all of which are here, loaded; joined where it names
/// several; as the run that goes on has kept them. Errors: as above; "data.join"; "data.one-class" where all samples
/// are in one; "job.data" where a set that is not here is not ready, or is told of as the job does not take it, or the
/// tokenizer of all texts is elsewhere; those of numberedAs(). Any thread; blocks.
Result<JobData> dataOf(const Job &job, const Model &model, ReadyData ready = {}, const KeptData &kept = {});

/// From now on this program keeps decoded pictures on the disk where that pays (PictureCache); where it cannot, they
/// are decoded each time. Before any are read; blocks.
void keepDecodedPictures();

}  // namespace hearth
