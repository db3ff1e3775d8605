// Internal to core/data: which samples train a network and which test it, where a name or nobody says so.
#pragma once

#include <QStringList>
#include <optional>
#include <set>

#include "core/data/dataset.h"

namespace hearth {

/// What a folder or file of this name holds: "train", "val", "dev", "test" and what else people write.
std::optional<Split> splitOf(const QString &name);
/// What the name of a file promises: an object in each line; that, or CSV or TSV.
bool areJsonLines(const QString &path);
bool areRows(const QString &path);
/// The table of a folder whose name says that; empty where there is none.
QString tableIn(const QString &folder, Split split);
/// Of what nobody divided, a fifth tests: copies stay together, and nothing changes sides when others come.
quint64 contentHash(const QByteArray &content);
/// The same, by the SHA-256 of the content.
quint64 hashOfDigest(const QByteArray &digest);
bool isForTest(quint64 contentHash);
/// Names in order; numbers in the order of numbers: labels of tables are often 0, 1, … 10.
QStringList classesOf(const std::set<QString> &names);
/// The column that one of these words names, in small letters; -1: none.
qsizetype columnOf(const QStringList &header, const QStringList &words);

}  // namespace hearth
