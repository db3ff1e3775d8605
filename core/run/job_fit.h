// A job made to fit its data, and what a person does where it does not.
#pragma once

#include <QList>
#include <optional>

#include "core/run/data_fit.h"

namespace hearth {

/// Plain value.
struct FittedJob {
    Job job;
    QList<Sentence> changes;  // a sentence for each thing that is other in it
};

/// The job with as many classes, or numbers of a row, as the data have, by options of its own network, with a loss for
/// their labels, and without what is for pictures only where they are none. Nothing where that is no cure, where there
/// is nothing to change, or where the job joins several sets, of which `data` is one. Any thread.
std::optional<FittedJob> fittedTo(const Job &job, const Model &model, const DataShape &data);

/// checkedInput(), whose advice is to press the button that fits the job or to take a built-in network for such data,
/// in the words of window and job file, where one of them helps. Any thread.
Result<InputTransform> inputFor(const Job &job, const Model &model, const DataShape &data);

/// What to do so that the network tells as many classes apart as the data have; `fitted` is that of fittedTo(). Any
/// thread.
Sentence cureOfClasses(const Job &job, const Model &model, const DataShape &data,
                       const std::optional<FittedJob> &fitted);

/// Plain value.
struct Misfit {
    Error error;
    std::optional<FittedJob> fitted;  // of fittedTo()
};

/// Where the data can go into the network: what nobody is likely to mean, pictures that are mostly the border added to
/// them, or outputs that no sample has ("job.misfit"). A run starts with it. Nothing where the two fit. Any thread.
std::optional<Misfit> doubtOf(const Job &job, const Model &model, const DataShape &data);

/// The error of inputFor(), with which no run starts, or doubtOf(). Any thread.
std::optional<Misfit> misfitOf(const Job &job, const Model &model, const DataShape &data);

}  // namespace hearth
