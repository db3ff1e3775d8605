// Names of devices, those that come from strangers among them.
#pragma once

#include <QString>

namespace hearth {

/// Characters; longer ones are refused where a person gives them, and cut where another device does.
constexpr qsizetype maximumDeviceName = 64;

/// Shows nothing where it stands: fillers, joiners, variation selectors (Unicode's Default_Ignorable_Code_Point), and
/// the blank of Braille.
bool isHidden(QChar character);

/// One line of at most so many printable characters: what could steer a terminal, turn the direction of text or hide is
/// a space or gone, runs of spaces are one. Markup stays as it is written and must be shown as plain text. Never empty.
QString plainName(const QString &told);

}  // namespace hearth
