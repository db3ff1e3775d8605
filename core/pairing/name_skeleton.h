// What names look like.
#pragma once

#include <QString>
#include <QStringList>

namespace hearth {

/// The same for names that an eye takes for one another: Latin, Greek and Cyrillic letters of one shape, wide and
/// decorated letters, digits like letters, marks, and characters that show nothing. Compared, never shown.
QString nameSkeleton(const QString &name);

/// The name, with the first digits of the key beside it where it looks like one of `others`. `key`: as many digits in
/// hex as are known.
QString distinctName(const QString &name, const QString &key, const QStringList &others);

}  // namespace hearth
