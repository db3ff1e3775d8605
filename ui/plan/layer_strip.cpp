#include "ui/plan/layer_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QVariantAnimation>
#include <algorithm>
#include <numeric>
#include <utility>

#include "ui/base/widgets.h"
#include "ui/words/format.h"

namespace hearth {

LayerStrip::LayerStrip(QWidget *parent) : QWidget(parent), m_back(new QVariantAnimation(this)) {
    setObjectName(QStringLiteral("layerStrip"));
    setAccessibleName(tr("Layers and stages"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    m_back->setDuration(slideMilliseconds);
    connect(m_back, &QVariantAnimation::valueChanged, this, [this](const QVariant &x) {
        if (m_drag)
            moveLine(x.toDouble());
    });
    connect(m_back, &QVariantAnimation::finished, this, [this] {
        endDrag();
        m_refused = false;
    });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void LayerStrip::setModel(const Model &model) {
    std::vector<LayerData> layers;
    for (const Layer &layer : model.layers) {
        layers.push_back({layer.name, layer.kind, static_cast<double>(layer.shape.flops),
                          layer.shape.outputBytes(DType::Float32), layer.shape.parameterCount()});
    }
    if (layers == m_layers)
        return;
    m_layers = std::move(layers);
    updateGeometry();
    layOutLayers();
}

void LayerStrip::setPlan(const Plan &plan) {
    if (m_stages == plan.stages)
        return;
    const int bordersBefore = borderCount();
    m_stages = plan.stages;
    m_chosen = std::clamp(m_chosen, 0, std::max(0, borderCount() - 1));
    QStringList spoken;
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        spoken << tr("Stage %1: layers %2 to %3").arg(i + 1).arg(m_stages[i].firstLayer + 1).arg(m_stages[i].lastLayer);
    }
    setAccessibleDescription(spoken.join(QLatin1String(", ")));
    layOutStages();
    if (borderCount() != bordersBefore)
        update();
}

QSize LayerStrip::sizeHint() const {
    return {80 * grid, static_cast<int>(headerHeight + gap + layerHeight + gap + barRoom)};
}

QSize LayerStrip::minimumSizeHint() const {
    return {static_cast<int>(narrowest) * static_cast<int>(m_layers.size()), sizeHint().height()};
}

std::vector<double> LayerStrip::widths(double room) const {
    const auto count = static_cast<double>(m_layers.size());
    const double total = std::accumulate(m_layers.begin(), m_layers.end(), 0.0,
                                         [](double sum, const LayerData &layer) { return sum + layer.work; });
    const double base = std::min(2 * narrowest, room / count);
    const double free = std::max(0.0, room - base * count);
    std::vector<double> result;
    for (const LayerData &layer : m_layers)
        result.push_back(base + (total > 0 ? free * layer.work / total : free / count));
    return result;
}

void LayerStrip::layOutLayers() {
    m_boxes.clear();
    m_bars.clear();
    m_left.assign(1, 0);
    const QFontMetricsF metrics(smallFont());
    const std::vector<double> sizes = widths(width());
    qint64 mostBytes = 1;
    for (const LayerData &layer : m_layers)
        mostBytes = std::max(mostBytes, layer.outputBytes);
    const double layersTop = headerHeight + gap;
    const double barsTop = layersTop + layerHeight + gap;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        Box box{QRectF(m_left.back(), layersTop, sizes[i] - gap, layerHeight), {}, false, -1};
        box.upright = metrics.horizontalAdvance(m_layers[i].name) > box.rect.width() - 6;
        const double room = box.upright ? box.rect.height() : box.rect.width();
        // Of a name that has no room even upright nothing could be read.
        if (!box.upright || box.rect.width() >= metrics.ascent())
            box.text = metrics.elidedText(m_layers[i].name, Qt::ElideRight, room - 6);
        m_boxes.push_back(box);
        m_left.push_back(m_left.back() + sizes[i]);
        if (i + 1 == m_layers.size())
            break;  // nothing crosses behind the last layer
        const double size = static_cast<double>(m_layers[i].outputBytes) / static_cast<double>(mostBytes);
        m_bars.push_back(
            {QRectF(m_left.back() - gap / 2 - 4, barsTop, 8, std::max(2.0, barRoom * size)), {}, QRectF()});
    }
    layOutStages();
    update();
}

std::vector<LayerStrip::Box> LayerStrip::headers() const {
    const QFontMetricsF metrics(smallFont());
    std::vector<Box> result;
    for (std::size_t s = 0; s < m_stages.size(); ++s) {
        const auto first = static_cast<std::size_t>(m_stages[s].firstLayer);
        const auto last = std::min(static_cast<std::size_t>(m_stages[s].lastLayer), m_layers.size());
        if (first >= last)
            continue;
        const QRectF band(m_left[first], 0, m_left[last] - m_left[first] - gap, headerHeight);
        const QString layers = tr("%n layer(s)", nullptr, static_cast<int>(last - first));
        QString text = tr("Stage %1 · %2").arg(s + 1).arg(layers);
        if (metrics.horizontalAdvance(text) > band.width() - grid)
            text = tr("Stage %1").arg(s + 1);
        result.push_back({band, metrics.elidedText(text, Qt::ElideRight, band.width()), false, static_cast<int>(s)});
    }
    return result;
}

void LayerStrip::markCut(std::size_t layer, bool cut, QRegion &changed) {
    if (layer >= m_bars.size() || m_bars[layer].isCut() == cut)
        return;
    Bar &bar = m_bars[layer];
    changed += (bar.rect | bar.labelRect).toAlignedRect();
    bar.label = cut ? tr("%1 per sample").arg(formatBytes(m_layers[layer].outputBytes)) : QString();
    bar.labelRect = QRectF();
    if (!cut)
        return;
    const QFontMetricsF metrics(smallFont());
    const double labelWidth = metrics.horizontalAdvance(bar.label) + 2;
    const bool rightFits = bar.rect.right() + grid + labelWidth <= width();
    bar.labelRect = QRectF(rightFits ? bar.rect.right() + grid : bar.rect.left() - grid - labelWidth,
                           bar.rect.top() + 2, labelWidth, metrics.height());
    changed += bar.labelRect.toAlignedRect();
}

/// A border that moves changes two bands, the layers between its old place and its new one, and two cuts.
void LayerStrip::layOutStages() {
    QRegion changed;
    std::vector<Box> bands = headers();
    for (std::size_t i = 0; i < std::max(bands.size(), m_headers.size()); ++i) {
        if (i < bands.size() && i < m_headers.size() && bands[i] == m_headers[i])
            continue;
        for (const std::vector<Box> *each : {&bands, &m_headers})
            changed += i < each->size() ? (*each)[i].rect.toAlignedRect() : QRect();
    }
    m_headers = std::move(bands);
    std::size_t layer = 0;
    for (std::size_t s = 0; s < m_stages.size(); ++s) {
        const auto last = std::min(static_cast<std::size_t>(m_stages[s].lastLayer), m_layers.size());
        for (; layer < last; ++layer) {
            markCut(layer, layer + 1 == last, changed);
            // Borders reach over what lies on either side.
            if (std::exchange(m_boxes[layer].stage, static_cast<int>(s)) != static_cast<int>(s))
                changed += m_boxes[layer].rect.toAlignedRect().adjusted(-borderReach, -height(), borderReach, 0);
        }
    }
    update(changed);
}

void LayerStrip::paintEvent(QPaintEvent *event) {
    const Theme &theme = ThemeManager::instance().theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(smallFont());
    const QRegion &seen = event->region();
    for (const Box &header : m_headers) {
        if (!seen.intersects(header.rect.toAlignedRect()))
            continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.stageFill(header.stage));
        painter.drawRoundedRect(header.rect, 6, 6);
        painter.setPen(theme.onStage());
        painter.drawText(header.rect, Qt::AlignCenter, header.text);
    }
    paintLayers(painter, seen);
    paintBars(painter, seen);
    paintBorders(painter, seen);
}

void LayerStrip::paintLayers(QPainter &painter, const QRegion &seen) const {
    const Theme &theme = ThemeManager::instance().theme();
    for (const Box &box : m_boxes) {
        if (box.stage < 0 || !seen.intersects(box.rect.toAlignedRect()))
            continue;
        QColor tint = theme.stageFill(box.stage);
        // Of hundreds of layers there is no room for outlines.
        if (box.text.isEmpty()) {
            tint.setAlphaF(0.4F);
            painter.fillRect(box.rect, tint);
            continue;
        }
        painter.setPen(QPen(tint, 1));
        tint.setAlphaF(0.14F);
        painter.setBrush(tint);
        painter.drawRoundedRect(box.rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setPen(theme.text);
        if (!box.upright) {
            painter.drawText(box.rect, Qt::AlignCenter, box.text);
            continue;
        }
        painter.save();
        painter.translate(box.rect.center());
        painter.rotate(-90);
        painter.drawText(QRectF(-box.rect.height() / 2, -box.rect.width() / 2, box.rect.height(), box.rect.width()),
                         Qt::AlignCenter, box.text);
        painter.restore();
    }
}

void LayerStrip::paintBars(QPainter &painter, const QRegion &seen) const {
    const Theme &theme = ThemeManager::instance().theme();
    for (const Bar &bar : m_bars) {
        if (!seen.intersects((bar.rect | bar.labelRect).toAlignedRect()))
            continue;
        painter.setPen(Qt::NoPen);
        if (bar.isCut() || m_bars.size() < crowd) {
            painter.setBrush(bar.isCut() ? theme.accent : theme.scroll);
            painter.drawRoundedRect(bar.rect, 2, 2);
        } else {
            painter.fillRect(bar.rect, theme.scroll);
        }
        if (bar.isCut()) {
            painter.setPen(theme.text);
            painter.drawText(bar.labelRect, Qt::AlignCenter, bar.label);
        }
    }
}

void LayerStrip::resizeEvent(QResizeEvent *) {
    layOutLayers();
}

bool LayerStrip::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        for (std::size_t i = 0; i < m_boxes.size(); ++i) {
            if (!m_boxes[i].rect.contains(help->pos())) {
                continue;
            }
            const LayerData &layer = m_layers[i];
            QToolTip::showText(help->globalPos(),
                               tr("Layer %1: %2 (%3)\n%4 million operations per sample\n%5 parameters\n"
                                  "%6 per sample to the next layer")
                                   .arg(i + 1)
                                   .arg(layer.name, layer.kind, formatNumber(layer.work / 1e6),
                                        formatCount(layer.parameters), formatBytes(layer.outputBytes)),
                               this);
            return true;
        }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

}  // namespace hearth
