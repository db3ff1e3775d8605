// What a network's samples went through, kept beside what it learnt.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace hearth {

/// Of rows and texts that are registered under `name`: writes their "hearth-data/1" file as data.json into `folder`,
/// which exists, and the files of their tokenizer into a folder "tokenizer" in it; "tokenizer" of data.json names that.
/// Of other data nothing. Errors: those of files. Any thread; blocks.
Result<void> savePreparation(const QString &name, const QString &folder);

}  // namespace hearth
