// Names that come from strangers.
#pragma once

#include <QString>

namespace hearth {

/// One line of at most 64 printable characters: what could steer a terminal, turn the direction of text or hide is a
/// space or gone, runs of spaces are one. Markup stays as it is written and must be shown as plain text. Never empty.
QString plainName(const QString &told);

}  // namespace hearth
