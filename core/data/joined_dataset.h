// Several data sets as one: what a run learns from when its data lie in several places.
#pragma once

#include <memory>
#include <vector>

#include "core/data/dataset.h"

namespace hearth {

/// All samples of the first, then those of the second, and so on, in each split: an order over them is a function of
/// the counts alone. They have the same parts and labels; pictures of own sizes go with pictures of any. Classes are
/// joined by name, in order of first appearance, so that one may have classes that another lacks; where they have no
/// names the larger count counts. Each set is read by its own indices, so what varies from epoch to epoch in it
/// (readEpoch()) does so as it would alone. Rows and texts must be prepared alike (preparationToTell()); the
/// preparation told of is that of the first set whose tokenizer is here, with the classes of all. Files that were left
/// out are told with the name of their set before them.
///
/// `sets` are at least one. Error "data.join" names the two that differ, and in what. Any thread; blocks where texts
/// have a tokenizer.
Result<std::shared_ptr<const Dataset>> joinDatasets(std::vector<std::shared_ptr<const Dataset>> sets);

/// The same data, whose classes have names, with the numbers that these names have in `classes`, which has all of them.
/// Any thread.
std::shared_ptr<const Dataset> withClasses(std::shared_ptr<const Dataset> data, const QStringList &classes);

}  // namespace hearth
