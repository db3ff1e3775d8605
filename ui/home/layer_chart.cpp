#include "ui/home/layer_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/base/widgets.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr int plotHeight = 10 * grid;
constexpr int focusMargin = 2;

double secondsOf(const MeasuredLayer &layer) {
    return layer.forwardS + layer.backwardS;
}

bool isPredicted(const MeasuredLayer &layer) {
    return layer.relativeError > 0;
}

double most(const std::vector<MeasuredLayer> &layers) {
    double seconds = 0;
    for (const MeasuredLayer &layer : layers)
        seconds = std::max(seconds, secondsOf(layer));
    return seconds;
}

}  // namespace

LayerChart::LayerChart(QWidget *parent) : QWidget(parent) {
    setObjectName(QStringLiteral("layerChart"));
    setAccessibleName(tr("Time of each layer"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void LayerChart::setTimes(std::vector<MeasuredLayer> layers, std::vector<MeasuredLayer> other) {
    m_layers = std::move(layers);
    // Another model has other layers; nothing of it can be compared.
    m_other = other.size() == m_layers.size() ? std::move(other) : std::vector<MeasuredLayer>();
    m_most = std::max(most(m_layers), most(m_other));
    if (m_chosen && *m_chosen >= m_layers.size())
        m_chosen.reset();
    tell();
    update();
}

QString LayerChart::text() const {
    if (m_layers.empty())
        return {};
    if (!m_chosen) {
        const auto longest = std::ranges::max_element(m_layers, {}, secondsOf);
        const QString all = tr("%n layer(s); longest: %1, %2", nullptr, static_cast<int>(m_layers.size()))
                                .arg(longest->name, formatSeconds(secondsOf(*longest)));
        const auto predicted = std::ranges::count_if(m_layers, isPredicted);
        return predicted == 0 ? all : tr("%1; %2 predicted (outlined)").arg(all, formatCount(predicted));
    }
    const MeasuredLayer &layer = m_layers[*m_chosen];
    QString own = tr("%1: forward %2, backward %3")
                      .arg(layer.name, formatSeconds(layer.forwardS), formatSeconds(layer.backwardS));
    if (isPredicted(layer))
        own = tr("%1, predicted, ± %2 %").arg(own, formatCount(std::lround(100 * layer.relativeError)));
    if (m_other.empty())
        return own;
    const MeasuredLayer &other = m_other[*m_chosen];
    return tr("%1 (this computer: %2, %3)").arg(own, formatSeconds(other.forwardS), formatSeconds(other.backwardS));
}

void LayerChart::tell() {
    setAccessibleDescription(text());
    setToolTip(text());
}

void LayerChart::choose(std::optional<std::size_t> layer) {
    if (layer == m_chosen)
        return;
    m_chosen = layer;
    tell();
    update();
}

QSize LayerChart::sizeHint() const {
    // Two lines are kept for the figures, so that nothing jumps.
    return {24 * grid, plotHeight + 2 * QFontMetrics(smallFont()).lineSpacing() + grid / 2 + 2 * focusMargin};
}

QRectF LayerChart::plot() const {
    return QRectF(focusMargin, focusMargin, width() - 2 * focusMargin, plotHeight);
}

double LayerChart::left(std::size_t layer) const {
    const QRectF area = plot();
    return area.left() + area.width() * static_cast<double>(layer) / static_cast<double>(m_layers.size());
}

void LayerChart::mouseMoveEvent(QMouseEvent *event) {
    const QRectF area = plot();
    if (m_layers.empty() || !area.contains(event->position()))
        return;
    const auto count = static_cast<double>(m_layers.size());
    const auto layer = static_cast<std::size_t>((event->position().x() - area.left()) / area.width() * count);
    choose(std::min(layer, m_layers.size() - 1));
}

void LayerChart::leaveEvent(QEvent *event) {
    QWidget::leaveEvent(event);
    if (!hasFocus())
        choose(std::nullopt);
}

void LayerChart::keyPressEvent(QKeyEvent *event) {
    if (m_layers.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::size_t last = m_layers.size() - 1;
    switch (event->key()) {
        case Qt::Key_Right:
            choose(m_chosen ? std::min(*m_chosen + 1, last) : 0);
            break;
        case Qt::Key_Left:
            choose(m_chosen && *m_chosen > 0 ? *m_chosen - 1 : 0);
            break;
        case Qt::Key_Home:
            choose(0);
            break;
        case Qt::Key_End:
            choose(last);
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

void LayerChart::focusInEvent(QFocusEvent *event) {
    QWidget::focusInEvent(event);
    update();
}

void LayerChart::focusOutEvent(QFocusEvent *event) {
    QWidget::focusOutEvent(event);
    choose(std::nullopt);
    update();
}

void LayerChart::paintEvent(QPaintEvent *) {
    const Theme &theme = ThemeManager::instance().theme();
    QPainter painter(this);
    const QRectF area = plot();
    painter.setPen(QPen(theme.controlBorder, 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    if (m_layers.empty() || m_most <= 0)
        return;
    const auto heightOf = [&](double seconds) { return seconds / m_most * (area.height() - 1); };
    const QColor fill = theme.stageFill(0);
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const double gap = left(i + 1) - left(i) > 4 ? 1 : 0;
        const double size = std::max(1.0, left(i + 1) - left(i) - gap);
        const double forward = heightOf(m_layers[i].forwardS), backward = heightOf(m_layers[i].backwardS);
        if (m_chosen == i)
            painter.fillRect(QRectF(left(i), area.top(), size, area.height()), theme.hover);
        const QRectF lower(left(i), area.bottom() - forward, size, forward);
        const QRectF upper(left(i), lower.top() - backward, size, backward);
        if (isPredicted(m_layers[i])) {
            painter.fillRect(upper, QBrush(fill, Qt::BDiagPattern));
            painter.setPen(QPen(fill, 1));
            for (const QRectF &part : {lower, upper})
                painter.drawRect(part.adjusted(0, 0, -1, 0));
            continue;
        }
        painter.fillRect(lower, fill);
        painter.fillRect(upper, fill);
        painter.fillRect(upper, QBrush(theme.onStage(), Qt::BDiagPattern));
    }
    if (!m_other.empty()) {
        painter.setPen(QPen(theme.text, 1.5));
        QPointF before;
        for (std::size_t i = 0; i < m_other.size(); ++i) {
            const double y = area.bottom() - heightOf(secondsOf(m_other[i]));
            if (i > 0)
                painter.drawLine(before, {left(i), y});
            painter.drawLine(QPointF(left(i), y), QPointF(left(i + 1), y));
            before = {left(i + 1), y};
        }
    }
    painter.setFont(smallFont());
    painter.setPen(m_chosen ? theme.text : theme.secondary);
    painter.drawText(QRectF(area.left(), area.bottom() + grid / 2.0, area.width(), height() - area.bottom()),
                     Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, text());
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.focus, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

}  // namespace hearth
