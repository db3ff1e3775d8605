// QCustomPlot's header uses Qt's keyword macros, which Hearth turns off everywhere else. Include this instead of
// <qcustomplot.h>, and only in .cpp files: it is large.
#pragma once

#include <QPixmap>
#include <QtGlobal>

#include "ui/base/theme.h"

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit Q_EMIT
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef emit
#undef foreach

namespace hearth {

/// As it is in this size, with `scale` times as many pixels each way. toPixmap() alone does not say that they are
/// denser, and what it gives would be drawn larger.
inline QPixmap pictureOf(QCustomPlot &plot, QSize size, double scale) {
    QPixmap picture = plot.toPixmap(size.width(), size.height(), scale);
    picture.setDevicePixelRatio(scale);
    return picture;
}

/// Ticks, their labels and the grid; the line along the axis is its plot's.
inline void styleAxis(QCPAxis &axis, const Theme &theme) {
    axis.setTickPen(QPen(theme.border, 1));
    axis.setSubTickPen(Qt::NoPen);
    axis.setTickLabelColor(theme.secondary);
    axis.setTickLabelFont(smallFont());
    axis.setTickLength(0, 4);
    axis.grid()->setPen(QPen(theme.gridLine, 1));
    axis.grid()->setZeroLinePen(QPen(theme.border, 1));
}

}  // namespace hearth
