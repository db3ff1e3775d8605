// Internal to core/data: a data set made of four IDX files.
#pragma once

#include "core/data/dataset.h"

namespace hearth {

struct IdxFiles {
    QString images;
    QString labels;
};

struct IdxDescription {
    QString name;
    QStringList labelNames;
    IdxFiles train;
    IdxFiles test;
    QString package;  // the Debian package that brings the files; empty for one's own
};

/// A set of pictures in memory (memory_pictures.h). Errors name the file; "data.given-up".
Result<std::shared_ptr<const Dataset>> loadIdx(const IdxDescription &description, const CheckProgress &progress = {});

}  // namespace hearth
