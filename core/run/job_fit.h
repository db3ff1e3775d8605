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

/// What to do, in the words of window and job file, so that network and data fit: fittedTo(), or else, where `other`,
/// to take a built-in network for such data. Empty: nobody knows. Any thread.
Sentence cureOf(const Job &job, const Model &model, const DataShape &data, bool other);

}  // namespace hearth
