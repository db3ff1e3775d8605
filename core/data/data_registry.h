// Data sets by name: one "hearth-data/1" file each, in a folder of the user.
#pragma once

#include <QStringList>
#include <optional>

#include "core/base/error.h"
#include "core/data/data_choice.h"
#include "core/data/data_summary.h"
#include "core/data/picture_files.h"

namespace hearth {

/// Where the files are: "hearth/data" in the user's folder of data ($XDG_DATA_HOME). Any thread, all of these.
QString registryFolder();
/// Names that are registered, sorted.
QStringList registeredDatasets();
/// The absolute path that a registered name stands for, or that of a file or folder of this computer. Error
/// "data.unknown": it is neither; lists the names that there are, the built-in ones, too.
Result<QString> pathOfDataset(const QString &nameOrPath);

/// The name for data that are called so: what no name has is left out. Empty where nothing else is there.
QString nameForData(const QString &text);

/// What a person calls the data of a job: the name, where the path is that of a registered set; else as it is.
QString shownDataset(const QString &nameOrPath);
/// Of several, with commas.
QString shownDatasets(QStringList namesOrPaths);

/// What a path holds, as "kind" of a "hearth-data/1" file says it, by its names and the first row of a table alone:
/// "pictures", "table", "text", "cifar", "arrays"; empty where it is none of these. Blocks.
QString kindOfData(const QString &path, const CheckProgress &progress = {});

/// How data begin, before anybody has looked at all. Plain value.
struct DataBeginning {
    bool arePlainTexts = false;
    QStringList columns;      // none where the path holds no rows, or they cannot be read
    QString label;            // the column that is learnt, unless another is chosen
    QStringList texts;        // those that are texts, unless others are chosen
    QList<QStringList> rows;  // a few
};
/// Reads no more than the beginning of a file; nothing of it where somebody gives up. Blocks.
DataBeginning beginningOf(const QString &path, const CheckProgress &progress = {});

/// Says what lies at `path` and writes it down under `name`; nothing is copied. What was registered under it is
/// replaced only where `again`. `choice` is about rows. Gives what loadDataset() would; all is read once. Errors:
/// "data.bad-name", "data.taken", "data.no-choice", those of reading. Blocks.
Result<std::shared_ptr<const Dataset>> registerDataset(const QString &name, const QString &path, bool again,
                                                       const CheckProgress &progress = {},
                                                       const DataChoice &choice = {});
/// Reads again what a name stands for, as registerDataset() did; the file changes where the data did. The columns that
/// were chosen or found to be learnt and texts stay, and so does whether labels are classes.
Result<std::shared_ptr<const Dataset>> checkDataset(const QString &name, const CheckProgress &progress = {});
/// What was found when a name was given or checked last: from its description alone. Nothing: that is of a Hearth that
/// wrote down none. Errors: "data.unknown"; "data.missing": the data, where they are no list of pictures, are gone.
Result<std::optional<DataSummary>> summaryOf(const QString &name);
/// Forgets the name; the data stay. Errors: "data.unknown", "data.builtin".
Result<void> unregisterDataset(const QString &name);

/// Internal to core/data. Data of which nothing but their place is kept: "cifar", "arrays", or "described", by a file
/// that describes itself what it has.
Result<std::shared_ptr<const Dataset>> loadAsFound(const QString &kind, const QString &name, const QString &path,
                                                   const CheckProgress &progress);

}  // namespace hearth
