// The models that come with Hearth, and models from files.
#pragma once

#include <QStringList>

#include "core/model/model.h"

namespace hearth {

/// Names of the built-in models, sorted.
QStringList builtinModels();

/// A built-in name, or the path of a "hearth-model/1" file. Errors: unknown name (lists what there is), file not
/// readable, description not valid. Any thread.
Result<Model> loadModel(const QString &nameOrPath);

}  // namespace hearth
