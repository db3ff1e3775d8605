// Hearth's own icons, drawn from SVG in the theme's colours at any scale.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

class QPainter;

namespace hearth {

/// An icon named after its file in resources/icons; sharp at every size and scale. `checked` colours the On state (a
/// checked rail button). GUI thread.
QIcon icon(const QString &name, const QColor &colour, const QColor &checked = {});

/// The same picture once, for painters; cached.
QPixmap iconPixmap(const QString &name, const QColor &colour, int size, qreal devicePixelRatio);

}  // namespace hearth
