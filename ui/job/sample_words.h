// What the sheet of samples shows, in words.
#pragma once

#include <QList>
#include <QStringList>

namespace hearth {

/// Fields of a row that there is room for, each on one line: the first ones and the last, which often is the label.
QStringList shownFields(const QStringList &row);
/// The first row are the names of the columns.
QString rowsInWords(const QList<QStringList> &rows);
/// The class of each picture.
QString picturesInWords(const QStringList &classes);

}  // namespace hearth
