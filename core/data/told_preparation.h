// What became of rows and texts, as one device tells it to another: without where they lie.
#pragma once

#include <memory>

#include "core/data/dataset.h"

namespace hearth {

/// Dataset::preparation() with an empty path and without files that were left out; a tokenizer stands there as the
/// digest of its files ("sha256:…") unless it has none. Empty where the data are neither rows nor texts. What was told
/// is told as it is. Errors: those of reading the tokenizer. Any thread, all of these; blocks.
Result<QJsonObject> preparationToTell(const Dataset &data);
/// Whether a tokenizer of such a preparation is named by its digest alone: its files are elsewhere.
bool isTokenizerElsewhere(const QJsonObject &preparation);
/// Whether a peer's word names a file, which would be taken for one of this device.
bool namesFiles(const QJsonObject &told);
/// Without names and classes: two sets with the same here see their samples alike.
QJsonObject comparablePreparation(QJsonObject told);

/// How the rows of a run's table became samples, as told, of the folder in which the run keeps it; empty where it keeps
/// nothing, or of other data. Errors: those of JSON. Any thread.
Result<QJsonObject> keptTable(const QString &runFolder);

/// A table prepared as another one was, of which `told` tells: its columns, with their means and categories, and the
/// unit of what is learnt; classes stay its own. Other data as they are. Errors: those of tableOf(), as where it lacks
/// a column; "data.join": one has classes and the other quantities. Blocks: where it differs, its rows are found again.
Result<std::shared_ptr<const Dataset>> preparedAs(std::shared_ptr<const Dataset> data, const QJsonObject &told);

}  // namespace hearth
