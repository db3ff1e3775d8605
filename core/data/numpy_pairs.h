// Internal to core/data: NumPy arrays named as Keras names them, in an .npz or a folder.
#pragma once

#include "core/data/dataset.h"

namespace hearth {

/// An .npz, or a folder with x_train.npy.
bool isNumpyPair(const QString &path);

/// x_train, y_train, x_test and y_test. Bytes of {n, h, w}, {n, c, h, w} or {n, h, w, c}, with c 1 or 3, are pictures,
/// which are held in memory; their labels are whole numbers below 256, {n} or {n, 1}. All else is one input "x" as
/// arrays_dataset.h has it: on the disk where the files lie in a folder, in memory from an .npz. What is held in memory
/// has at most 8 GiB, whatever an archive says of its sizes. Errors name the array; "data.given-up".
Result<std::shared_ptr<const Dataset>> loadNumpyPair(const QString &name, const QString &path,
                                                     const CheckProgress &progress = {});

}  // namespace hearth
