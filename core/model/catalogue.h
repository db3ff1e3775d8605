// The models that come with Hearth, and models from files.
#pragma once

#include <QStringList>

#include "core/model/model.h"

namespace hearth {

/// Names of the built-in models, sorted.
QStringList builtinModels();
/// Whether it names one of them, with options or without. No file is opened.
bool isBuiltinModel(const QString &nameOrPath);

/// A built-in name, with options ("bert-small:sequence=64", families/builtin.h) or without, or the path of a
/// "hearth-model/1" file. Errors: unknown name (lists what there is), wrong options, file not readable, description not
/// valid. Any thread.
Result<Model> loadModel(const QString &nameOrPath);
/// Whether the options behind the name are some that the model takes: a built-in one, or that of a folder, which is one
/// of Hugging Face. No file is opened. Any thread.
bool takesOptions(const QString &nameOrPath);

/// A small network with work of each kind, by whose times devices are compared. None of the built-in models: nobody
/// trains it. Any thread.
const Model &benchmarkNetwork();

}  // namespace hearth
