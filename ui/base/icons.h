// Hearth's own icons, drawn from SVG in the theme's colours at any scale.
#pragma once

#include <QColor>
#include <QIcon>
#include <QImage>
#include <QPixmap>
#include <QString>

class QPainter;

namespace hearth {

/// An icon named after its file in resources/icons; sharp at every size and scale. `checked` colours the On state (a
/// checked rail button). GUI thread.
QIcon icon(const QString &name, const QColor &colour, const QColor &checked = {});

/// The same picture once, for painters; cached.
QPixmap iconPixmap(const QString &name, const QColor &colour, int size, qreal devicePixelRatio);

/// A picture in a square of this side, as sharp as the screen shows it; small ones are drawn larger, so that all stand
/// alike.
QPixmap thumbnail(const QImage &picture, int side, qreal devicePixelRatio);

}  // namespace hearth
