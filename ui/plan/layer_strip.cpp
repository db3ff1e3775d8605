#include "ui/plan/layer_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QVariantAnimation>
#include <algorithm>
#include <utility>

#include "ui/base/widgets.h"
#include "ui/words/codec_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

/// Beside the bytes of a cut: " · bfp8", " · bf16/bfp8"; nothing where they cross as they are.
QString shortText(const CutCodec &codec) {
    if (codec == CutCodec())
        return {};
    const QString forward = codecText(*codec.forward), backward = codecText(*codec.backward);
    return QStringLiteral(" · ") + (forward == backward ? forward : forward + QLatin1Char('/') + backward);
}

}  // namespace

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

void LayerStrip::setModel(const Model &model, DType type, const std::vector<double> &seconds) {
    const LayerRow::Change change = m_row.setModel(model, type, seconds);
    if (change == LayerRow::Change::None)
        return;
    if (change == LayerRow::Change::Network)
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
    const auto layers = std::min(m_row.count(), LayerBlock::mostParts);
    return {static_cast<int>(LayerRow::narrowest) * layers, sizeHint().height()};
}

void LayerStrip::layOutLayers() {
    m_bars.clear();
    m_boxes.clear();
    m_pressed = nullptr;
    m_row.layOut(width());
    qint64 mostBytes = 1;
    for (int i = 1; i < m_row.count(); ++i)
        mostBytes = std::max(mostBytes, bytesOf(m_row.crossing(i)));
    const double top = headerHeight + gap + layerHeight + gap;
    // Nothing crosses behind the last layer.
    for (int i = 1; i < m_row.count(); ++i) {
        const double size = static_cast<double>(bytesOf(m_row.crossing(i))) / static_cast<double>(mostBytes);
        m_bars.push_back(
            {QRectF(m_row.leftOf(i) - gap / 2 - 4, top, 8, std::max(2.0, barRoom * size)), true, false, {}, {}});
    }
    for (const LayerBlock *block : m_row.shown()) {
        if (const auto behind = static_cast<std::size_t>(block->last); behind <= m_bars.size())
            m_bars[behind - 1].inBlock = false;
    }
    layOutStages();
    refreshFocusPolicy();
    update();
}

LayerStrip::Box LayerStrip::makeBox(const LayerBlock &block, double left, double right) const {
    const QFontMetricsF metrics(smallFont());
    Box box{QRectF(left, headerHeight + gap, right - left - gap, layerHeight), {}, false, !block.isLayer(), -1};
    const double high = layerHeight - (box.block ? stackHeight : 0);
    box.upright = metrics.horizontalAdvance(block.name) > box.rect.width() - 6;
    const double room = box.upright ? high : box.rect.width();
    // Of a name that has no room even upright nothing could be read.
    if (box.upright && box.rect.width() < metrics.ascent())
        return box;
    // Neighbours begin alike: what tells them apart stands at the end.
    const bool parted = block.name.contains(QLatin1Char('.')) || block.name.contains(QLatin1Char('/'));
    box.text = metrics.elidedText(block.name, parted ? Qt::ElideLeft : Qt::ElideRight, room - 6);
    // No half words, where a whole one is left.
    if (const qsizetype whole = box.text.indexOf(QLatin1Char('.')) + 1; box.text != block.name && whole > 1 && parted)
        box.text = box.text.left(1) + box.text.mid(whole);
    const QString layers = tr("%n layer(s)", nullptr, block.layers());
    const bool hasRoom = (box.upright ? box.rect.width() >= 2 * metrics.height() : true) &&
                         metrics.horizontalAdvance(layers) <= room - 6;
    if (box.block && hasRoom)
        box.text += QLatin1Char('\n') + layers;
    return box;
}

/// What is shown, parted where stages meet.
std::vector<LayerStrip::Box> LayerStrip::boxes() const {
    std::vector<Box> result;
    std::size_t stage = 0;
    for (const LayerBlock *block : m_row.shown()) {
        for (int first = block->first; first < block->last;) {
            while (stage < m_stages.size() && m_stages[stage].lastLayer <= first)
                ++stage;
            const int last = stage < m_stages.size() ? std::min(block->last, m_stages[stage].lastLayer) : block->last;
            Box box = makeBox(*block, m_row.leftOf(first), m_row.leftOf(last));
            box.stage = stage < m_stages.size() ? static_cast<int>(stage) : -1;
            result.push_back(std::move(box));
            first = last;
        }
    }
    return result;
}

/// The bars with the plan's cuts: each says as much of what crosses as there is room up to the next bar, if anything
/// can be read there; its tool tip says all.
std::vector<LayerStrip::Bar> LayerStrip::cutBars() const {
    std::vector<Bar> bars = m_bars;
    std::vector<std::size_t> cuts;
    for (Bar &bar : bars) {
        bar.cut = false;
        bar.label.clear();
        bar.labelRect = {};
    }
    std::vector<QString> codecs;
    for (const PlanStage &stage : m_stages) {
        if (const auto cut = static_cast<std::size_t>(stage.lastLayer); cut >= 1 && cut <= bars.size()) {
            cuts.push_back(cut - 1);
            codecs.push_back(shortText(stage.codec));
        }
    }
    const QFontMetricsF metrics(smallFont());
    for (const std::size_t cut : cuts)
        bars[cut].cut = true;
    constexpr double least = 40;  // of less nothing could be read
    double taken = 0;             // to the left of it are other bars and what they say
    std::size_t before = 0;       // of the bars up to here `taken` knows
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        Bar &bar = bars[cuts[i]];
        for (; before < cuts[i]; ++before) {
            if (bars[before].isDrawn())
                taken = std::max(taken, bars[before].rect.right() + grid);
        }
        const std::vector<NamedSlot> &slots = m_row.crossing(static_cast<int>(cuts[i]) + 1);
        const QString bytes = tr("%1 per sample").arg(formatBytes(bytesOf(slots))) + codecs[i];
        const QString shapes = formatSlots(slots);
        const double wanted = std::max(metrics.horizontalAdvance(bytes), metrics.horizontalAdvance(shapes)) + 2;
        const auto next = std::find_if(bars.begin() + static_cast<std::ptrdiff_t>(cuts[i]) + 1, bars.end(),
                                       [](const Bar &other) { return other.isDrawn(); });
        const double end = next != bars.end() ? next->rect.left() : width();
        const double right = end - grid - (bar.rect.right() + grid), left = bar.rect.left() - grid - taken;
        const bool toTheLeft = right < wanted && left > right;
        const double room = std::min(wanted, toTheLeft ? left : right);
        if (room < least)
            continue;
        bar.label = metrics.elidedText(bytes, Qt::ElideRight, room) + QLatin1Char('\n') +
                    metrics.elidedText(shapes, Qt::ElideRight, room);
        const QRectF below(toTheLeft ? bar.rect.left() - grid - room : bar.rect.right() + grid, bar.rect.top(), room,
                           2 * metrics.height() + 2);
        bar.labelRect = below.toAlignedRect();
        taken = std::max(taken, bar.labelRect.right() + grid);
    }
    return bars;
}

std::vector<LayerStrip::Box> LayerStrip::headers() const {
    const QFontMetricsF metrics(smallFont());
    std::vector<Box> result;
    for (std::size_t s = 0; s < m_stages.size(); ++s) {
        const int first = m_stages[s].firstLayer, last = std::min(m_stages[s].lastLayer, m_row.count());
        if (first >= last)
            continue;
        const double left = m_row.leftOf(first);
        const QRectF band(left, 0, m_row.leftOf(last) - left - gap, headerHeight);
        const QString layers = tr("%n layer(s)", nullptr, last - first);
        QString text = tr("Stage %1 · %2").arg(s + 1).arg(layers);
        // The locks of both borders lie over its ends.
        if (metrics.horizontalAdvance(text) > band.width() - 3 * grid)
            text = tr("Stage %1").arg(s + 1);
        result.push_back(
            {band, metrics.elidedText(text, Qt::ElideRight, band.width()), false, false, static_cast<int>(s)});
    }
    return result;
}

/// A border that moves changes two bands, the layers between its old place and its new one, and two cuts.
void LayerStrip::layOutStages() {
    QRegion changed;
    // Both are in order from left to right.
    const auto compare = [&changed](const std::vector<Box> &before, const std::vector<Box> &now, int reach, int up) {
        const auto mark = [&](const std::vector<Box> &these, const std::vector<Box> &others) {
            std::size_t other = 0;
            for (const Box &box : these) {
                while (other < others.size() && others[other].rect.left() < box.rect.left())
                    ++other;
                if (other == others.size() || others[other] != box)
                    changed += box.rect.toAlignedRect().adjusted(-reach, -up, reach, 0);
            }
        };
        mark(before, now);
        mark(now, before);
    };
    std::vector<Box> bands = headers();
    compare(m_headers, bands, 0, 0);
    m_headers = std::move(bands);
    std::vector<Box> parts = boxes();
    // Borders reach over what lies on either side.
    compare(m_boxes, parts, borderReach, height());
    m_boxes = std::move(parts);
    std::vector<Bar> bars = cutBars();
    for (std::size_t i = 0; i < bars.size(); ++i) {
        if (bars[i] == m_bars[i])
            continue;
        if (bars[i].cut != m_bars[i].cut)
            changed += bars[i].rect.toAlignedRect();
        for (const Bar &bar : {bars[i], m_bars[i]})
            changed += bar.labelRect.toAlignedRect();
    }
    m_bars = std::move(bars);
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
        QRectF face = box.rect;
        if (box.block) {
            face.setHeight(layerHeight - stackHeight);
            tint.setAlphaF(0.4F);
            for (const double below : {2.0, 5.0})
                painter.fillRect(QRectF(face.left() + below, face.bottom() + below - 1, face.width() - 2 * below, 2),
                                 tint);
            tint.setAlphaF(1);
        }
        // Of hundreds of layers there is no room for outlines.
        if (box.text.isEmpty()) {
            tint.setAlphaF(0.4F);
            painter.fillRect(face, tint);
            continue;
        }
        painter.setPen(QPen(tint, 1));
        tint.setAlphaF(box.block ? 0.26F : 0.14F);
        painter.setBrush(tint);
        painter.drawRoundedRect(face.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setPen(theme.text);
        if (!box.upright) {
            painter.drawText(face, Qt::AlignCenter, box.text);
            continue;
        }
        painter.save();
        painter.translate(face.center());
        painter.rotate(-90);
        painter.drawText(QRectF(-face.height() / 2, -face.width() / 2, face.height(), face.width()), Qt::AlignCenter,
                         box.text);
        painter.restore();
    }
}

void LayerStrip::paintBars(QPainter &painter, const QRegion &seen) const {
    const Theme &theme = ThemeManager::instance().theme();
    for (const Bar &bar : m_bars) {
        if (!bar.isDrawn() || !seen.intersects((bar.rect | bar.labelRect).toAlignedRect()))
            continue;
        painter.setPen(Qt::NoPen);
        if (bar.cut || m_bars.size() < crowd) {
            painter.setBrush(bar.cut ? theme.accent : theme.scroll);
            painter.drawRoundedRect(bar.rect, 2, 2);
        } else {
            painter.fillRect(bar.rect, theme.scroll);
        }
    }
    painter.setPen(theme.text);
    for (const Bar &bar : m_bars) {
        if (bar.label.isEmpty() || !seen.intersects(bar.labelRect.toAlignedRect()))
            continue;
        painter.drawText(bar.labelRect, Qt::AlignLeft | Qt::AlignBottom, bar.label);
    }
}

const LayerBlock *LayerStrip::blockAt(const QPointF &at) const {
    const double top = headerHeight + gap;
    return at.y() < top || at.y() >= top + layerHeight ? nullptr : m_row.blockAt(at.x());
}

void LayerStrip::refreshFocusPolicy() {
    setFocusPolicy((m_editable && borderCount() > 0) || m_row.hasBlocks() ? Qt::StrongFocus : Qt::NoFocus);
}

QPoint LayerStrip::placeOfLayer(int layer) const {
    const LayerBlock *block = m_row.blockOf(layer);
    if (block == nullptr)
        return {};
    const double middle = (m_row.leftOf(block->first) + m_row.leftOf(block->last)) / 2;
    return {static_cast<int>(middle), static_cast<int>(headerHeight + layerHeight / 4)};
}

QString LayerStrip::toolTipAt(const QPointF &at) const {
    if (const LayerBlock *block = blockAt(at))
        return m_row.describe(*block);
    constexpr double reach = 3;
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const Bar &bar = m_bars[i];
        const QRectF column(bar.rect.left() - reach, bar.rect.top(), bar.rect.width() + 2 * reach, barRoom);
        if (!bar.isDrawn() || !(column.contains(at) || bar.labelRect.contains(at)))
            continue;
        const int layers = static_cast<int>(i) + 1;
        const auto stage = std::ranges::find(m_stages, layers, &PlanStage::lastLayer);
        return m_row.describeCut(layers, stage != m_stages.end() ? stage->codec : CutCodec());
    }
    return {};
}

void LayerStrip::resizeEvent(QResizeEvent *) {
    layOutLayers();
}

bool LayerStrip::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);  // without a text it hides
    return true;
}

}  // namespace hearth
