// Internal to core/data: CIFAR-10 and CIFAR-100 in their binary form (Krizhevsky, 2009).
#pragma once

#include "core/data/dataset.h"

namespace hearth {

/// A folder, or a .tar or .tar.gz, that has such files: CIFAR-10's data_batch_1.bin … and test_batch.bin, CIFAR-100's
/// train.bin and test.bin with fine_label_names.txt. Of an archive only the name is looked at.
bool isCifar(const QString &path);

/// Pictures of {3, 32, 32} in memory (180 MB); of CIFAR-100 the fine labels. Names of classes are those of
/// batches.meta.txt or fine_label_names.txt, where they are there. Errors: "data.missing", "data.malformed" name the
/// file; "data.given-up".
Result<std::shared_ptr<const Dataset>> loadCifar(const QString &name, const QString &path,
                                                 const CheckProgress &progress = {});

/// Records of one file: `labels` bytes, of which the last counts, and a picture. Appends to `pictures` and `classes`.
/// Error: "data.malformed".
Result<void> readCifarRecords(const QByteArray &content, int labels, int classCount, const QString &source,
                              QByteArray &pictures, QByteArray &classes);

}  // namespace hearth
