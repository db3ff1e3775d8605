// The borders between stages: drawn, grasped, dragged, moved by keys.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVariantAnimation>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/base/icons.h"
#include "ui/base/widgets.h"
#include "ui/plan/layer_strip.h"

namespace hearth {

void LayerStrip::paintBorders(QPainter &painter, const QRegion &seen) const {
    if (!m_editable || m_row.lefts().empty())
        return;
    const Theme &theme = ThemeManager::instance().theme();
    const double bottom = headerHeight + gap + layerHeight;
    for (int stage = 0; stage < borderCount(); ++stage) {
        const bool active = m_hovered == stage || (hasFocus() && m_chosen == stage);
        const double x = borderX(stage);
        if (!seen.intersects(placeOf(stage)))
            continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(hasFocus() && m_chosen == stage ? theme.focus : active ? theme.accent : theme.secondary);
        painter.drawRoundedRect(QRectF(x - 1.5, 0, 3, bottom), 1.5, 1.5);
        painter.drawRoundedRect(QRectF(x - 5, bottom / 2 - 12, 10, 24), 5, 5);
        const bool locked = m_locked.contains(m_stages[static_cast<std::size_t>(stage)].lastLayer);
        if (locked) {
            painter.setBrush(theme.surface);
            painter.drawEllipse(QPointF(x, headerHeight / 2), 11, 11);
            painter.drawPixmap(QPointF(x - 8, headerHeight / 2 - 8),
                               iconPixmap(QStringLiteral("lock"), theme.accentText, 16, devicePixelRatioF()));
        } else {
            painter.setPen(QPen(theme.surface, 1));
            for (const double dx : {-1.5, 1.5})
                painter.drawLine(QPointF(x + dx, bottom / 2 - 5), QPointF(x + dx, bottom / 2 + 5));
        }
    }
    if (m_drag) {
        painter.setPen(QPen(m_refused ? theme.bad : theme.accent, 2, m_refused ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(m_drag->x, 0), QPointF(m_drag->x, bottom));
    }
}

void LayerStrip::setEditable(bool editable) {
    const bool before = std::exchange(m_editable, editable);
    refreshFocusPolicy();
    if (before != editable)
        update();
}

void LayerStrip::setLockedBorders(const QSet<int> &layers) {
    if (m_locked == layers)
        return;
    m_locked = layers;
    update();
}

void LayerStrip::setRefused(bool refused) {
    m_refused = refused;
    updateLine();
}

void LayerStrip::moveLine(double x) {
    updateLine();
    m_drag->x = x;
    updateLine();
}

void LayerStrip::endDrag() {
    updateLine();
    m_drag.reset();
}

void LayerStrip::updateLine() {
    if (m_drag)
        update(QRect(static_cast<int>(m_drag->x) - 3, 0, 6, height()));
}

void LayerStrip::updateBorder(std::optional<int> stage) {
    if (stage && *stage < borderCount())
        update(placeOf(*stage));
}

QRect LayerStrip::placeOf(int border) const {
    return {static_cast<int>(borderX(border)) - borderReach, 0, 2 * borderReach, height()};
}

double LayerStrip::borderX(int stage) const {
    const int end = static_cast<int>(m_row.lefts().size()) - 1;
    return m_row.leftOf(std::min(m_stages[static_cast<std::size_t>(stage)].lastLayer, end)) - gap / 2;
}

QPoint LayerStrip::borderAt(int stage) const {
    return {static_cast<int>(borderX(stage)), static_cast<int>(headerHeight + layerHeight / 2)};
}

QPoint LayerStrip::placeBefore(int layer) const {
    return {static_cast<int>(m_row.leftOf(layer)), static_cast<int>(headerHeight + layerHeight / 2)};
}

std::optional<int> LayerStrip::borderNear(const QPointF &at) const {
    std::optional<int> nearest;
    double least = grasp;
    for (int stage = 0; m_editable && !m_row.lefts().empty() && stage < borderCount(); ++stage) {
        const double distance = std::abs(borderX(stage) - at.x());
        if (distance <= least) {
            least = distance;
            nearest = stage;
        }
    }
    return nearest;
}

void LayerStrip::mousePressEvent(QMouseEvent *event) {
    const std::optional<int> border = borderNear(event->position());
    m_pressed = nullptr;
    if (event->button() != Qt::LeftButton)
        return;
    if (!border) {
        m_pressed = blockAt(event->position());
        return;
    }
    m_back->stop();
    m_chosen = *border;
    m_refused = false;
    const int layer = m_stages[static_cast<std::size_t>(*border)].lastLayer;
    m_drag = Drag{*border, layer, layer, event->position().x()};
    speakBorder();
    update();
}

void LayerStrip::mouseMoveEvent(QMouseEvent *event) {
    if (!m_drag || (event->buttons() & Qt::LeftButton) == 0) {
        const std::optional<int> border = borderNear(event->position());
        if (border != m_hovered) {
            updateBorder(std::exchange(m_hovered, border));
            updateBorder(border);
        }
        const bool folds = m_row.foldedBy(blockAt(event->position())) != nullptr;
        const Qt::CursorShape shape = border ? Qt::SplitHCursor : folds ? Qt::PointingHandCursor : Qt::ArrowCursor;
        if (cursor().shape() != shape)
            setCursor(shape);
        return;
    }
    moveLine(std::clamp(event->position().x(), 0.0, static_cast<double>(width())));
    const int layer = m_row.borderNear(m_drag->x);
    if (layer != m_drag->layer) {
        m_drag->layer = layer;
        Q_EMIT borderDragged(m_drag->stage, layer);
    }
}

void LayerStrip::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return;
    const LayerBlock *pressed = std::exchange(m_pressed, nullptr);
    if (pressed != nullptr && pressed == blockAt(event->position())) {
        if (const LayerBlock *folded = m_row.foldedBy(pressed)) {
            m_row.choose(*folded, folded == pressed);
            layOutLayers();
        }
        return;
    }
    if (!m_drag)
        return;
    const Drag drag = *m_drag;
    // A click, or a drag back to where it began, changes nothing, and nothing can be wrong with that.
    if (drag.layer == drag.from) {
        endDrag();
        m_refused = false;
        Q_EMIT dragCancelled();
        return;
    }
    Q_EMIT borderDropped(drag.stage, drag.layer);
    if (m_refused && drag.stage < borderCount()) {
        m_back->setStartValue(drag.x);
        m_back->setEndValue(borderX(drag.stage));
        m_back->start();
        return;
    }
    endDrag();
}

void LayerStrip::mouseDoubleClickEvent(QMouseEvent *event) {
    endDrag();
    m_pressed = nullptr;
    if (const std::optional<int> border = borderNear(event->position()))
        Q_EMIT lockToggled(m_stages[static_cast<std::size_t>(*border)].lastLayer);
}

void LayerStrip::keyPressEvent(QKeyEvent *event) {
    const bool left = event->key() == Qt::Key_Left, right = event->key() == Qt::Key_Right;
    if (event->key() == Qt::Key_Escape && m_drag) {
        endDrag();
        m_refused = false;
        Q_EMIT dragCancelled();
    } else if (event->key() == Qt::Key_Down && !m_drag) {
        const bool hasBorder = m_chosen < borderCount();
        if (m_row.unfoldBeside(hasBorder ? std::optional(m_stages[static_cast<std::size_t>(m_chosen)].lastLayer)
                                         : std::nullopt))
            layOutLayers();
    } else if (event->key() == Qt::Key_Up && !m_drag) {
        if (m_row.foldAgain())
            layOutLayers();
    } else if (!m_editable || borderCount() == 0) {
        QWidget::keyPressEvent(event);
    } else if ((left || right) && event->modifiers() == Qt::ShiftModifier) {
        const int layer = m_stages[static_cast<std::size_t>(m_chosen)].lastLayer + (right ? 1 : -1);
        Q_EMIT borderDropped(m_chosen, layer);
        speakBorder();
    } else if (left || right) {
        updateBorder(m_chosen);
        m_chosen = std::clamp(m_chosen + (right ? 1 : -1), 0, borderCount() - 1);
        updateBorder(m_chosen);
        speakBorder();
    } else if (event->key() == Qt::Key_L) {
        Q_EMIT lockToggled(m_stages[static_cast<std::size_t>(m_chosen)].lastLayer);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void LayerStrip::speakBorder() {
    if (m_chosen < borderCount())
        setAccessibleName(tr("Layers and stages: border between stages %1 and %2, before layer %3")
                              .arg(m_chosen + 1)
                              .arg(m_chosen + 2)
                              .arg(m_stages[static_cast<std::size_t>(m_chosen)].lastLayer + 1));
}

void LayerStrip::leaveEvent(QEvent *event) {
    QWidget::leaveEvent(event);
    updateBorder(std::exchange(m_hovered, std::nullopt));
    setCursor(Qt::ArrowCursor);
}

}  // namespace hearth
