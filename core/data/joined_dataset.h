// Several data sets that are one to a network: those of a job whose data are in several places.
#pragma once

#include <QByteArray>
#include <memory>
#include <vector>

#include "core/data/dataset.h"

namespace hearth {

/// One of them. Plain value.
struct DataShare {
    QString title;  // what errors call it: "photos on nx0"
    std::shared_ptr<const Dataset> data;
    QByteArray coding = {};  // codingOf() (preparation.h)
};

/// Samples of each split one after the other, in the order of the shares. Classes are those of all, in the order in
/// which they come first, and labels are told in it; where they have no names, the greatest number of them. Error
/// "data.misfit": two differ in what a sample is, in their labels or in how they were prepared; names both. Any thread.
Result<std::shared_ptr<const Dataset>> joinDatasets(std::vector<DataShare> shares);

}  // namespace hearth
