// Blocks of layers, folded and unfolded, and what a person is told of them and of the cuts.
#include <algorithm>
#include <cmath>

#include "ui/plan/layer_strip.h"
#include "ui/words/codec_words.h"
#include "ui/words/format.h"

namespace hearth {

const LayerBlock *LayerStrip::blockAt(const QPointF &at) const {
    const double top = headerHeight + gap;
    if (at.y() < top || at.y() >= top + layerHeight)
        return nullptr;
    const auto found = std::ranges::find_if(m_shown, [&](const LayerBlock *block) {
        return at.x() >= m_left[static_cast<std::size_t>(block->first)] &&
               at.x() < m_left[static_cast<std::size_t>(block->last)];
    });
    return found != m_shown.end() ? *found : nullptr;
}

const LayerBlock *LayerStrip::foldedBy(const LayerBlock *shown) const {
    if (shown == nullptr)
        return nullptr;
    if (!shown->isLayer())
        return shown;
    // What always fits needs no folding; the whole network is never folded into one.
    const LayerBlock *around = blockAround(m_root, *shown);
    const bool folds = around != nullptr && around != &m_root &&
                       static_cast<double>(m_layers.size()) * narrowest > static_cast<double>(width());
    return folds ? around : nullptr;
}

void LayerStrip::choose(const LayerBlock &block, bool unfolded) {
    // What was chosen of its parts is over with it.
    const int first = block.first, last = block.last;
    if (!unfolded) {
        m_choices.removeIf([&](const std::pair<const std::pair<int, int> &, bool &> each) {
            return each.first.first >= first && each.first.second <= last;
        });
    }
    m_choices[{first, last}] = unfolded;
    layOutLayers();
}

void LayerStrip::unfoldBesideBorder() {
    std::vector<std::pair<int, int>> wanted;
    if (m_chosen < borderCount()) {
        const int border = m_stages[static_cast<std::size_t>(m_chosen)].lastLayer;
        for (const LayerBlock *block : m_shown) {
            if (!block->isLayer() && block->first <= border && border <= block->last)
                wanted.emplace_back(block->first, block->last);
        }
    } else {
        const auto most = std::ranges::max_element(
            m_shown, {}, [](const LayerBlock *block) { return block->isLayer() ? 0 : block->layers(); });
        if (most != m_shown.end() && !(*most)->isLayer())
            wanted.emplace_back((*most)->first, (*most)->last);
    }
    for (const std::pair<int, int> &block : wanted)
        m_choices[block] = true;
    if (!wanted.empty())
        layOutLayers();
}

void LayerStrip::foldAgain() {
    if (m_choices.isEmpty())
        return;
    m_choices.clear();
    layOutLayers();
}

void LayerStrip::refreshFocusPolicy() {
    const bool hasBlocks =
        !m_choices.isEmpty() || std::ranges::any_of(m_shown, [](const LayerBlock *block) { return !block->isLayer(); });
    setFocusPolicy((m_editable && borderCount() > 0) || hasBlocks ? Qt::StrongFocus : Qt::NoFocus);
}

QStringList LayerStrip::shownNames() const {
    QStringList names;
    for (const LayerBlock *block : m_shown)
        names << block->name;
    return names;
}

QPoint LayerStrip::placeOfLayer(int layer) const {
    const auto found = std::ranges::find_if(
        m_shown, [layer](const LayerBlock *block) { return block->first <= layer && layer < block->last; });
    if (found == m_shown.end())
        return {};
    const double left = m_left[static_cast<std::size_t>((*found)->first)];
    const double right = m_left[static_cast<std::size_t>((*found)->last)];
    return {static_cast<int>((left + right) / 2), static_cast<int>(headerHeight + layerHeight / 4)};
}

QString LayerStrip::describe(const LayerBlock &block) const {
    double operations = 0;
    qint64 parameters = 0;
    for (int i = block.first; i < block.last; ++i) {
        operations += m_layers[static_cast<std::size_t>(i)].operations;
        parameters += m_layers[static_cast<std::size_t>(i)].parameters;
    }
    const QString million = formatNumber(operations / 1e6), count = formatCount(parameters);
    const LayerData &first = m_layers[static_cast<std::size_t>(block.first)];
    QString text = block.isLayer() ? tr("Layer %1: %2 (%3)\n%4 million operations per sample\n%5 parameters")
                                         .arg(block.first + 1)
                                         .arg(first.name, first.kind, million, count)
                                   : tr("Layers %1 to %2: %3\n%4 million operations per sample\n%5 parameters")
                                         .arg(block.first + 1)
                                         .arg(block.last)
                                         .arg(block.name, million, count);
    if (!m_seconds.empty())
        text += QLatin1Char('\n') + tr("%1 per sample, forward and backward: the mean of the devices")
                                        .arg(formatSeconds(workOf(block.first, block.last)));
    const std::vector<NamedSlot> &slots = m_slots[static_cast<std::size_t>(block.last)];
    text += QLatin1Char('\n') + tr("%1 per sample to the next layer").arg(formatBytes(bytesOf(slots)));
    if (!block.isLayer())
        text += QLatin1Char('\n') + tr("Click to unfold");
    else if (const LayerBlock *around = foldedBy(&block))
        text += QLatin1Char('\n') + tr("Click to fold %1").arg(around->name);
    return text;
}

QString LayerStrip::describeCut(std::size_t layer) const {
    const std::vector<NamedSlot> &slots = m_slots[layer + 1];
    QString text = tr("Crosses behind layer %1, of each sample %2:").arg(layer + 1).arg(formatBytes(bytesOf(slots)));
    text += QLatin1Char('\n') + describeSlots(slots);
    const auto stage = std::ranges::find(m_stages, static_cast<int>(layer) + 1, &PlanStage::lastLayer);
    if (stage != m_stages.end() && stage->codec != CutCodec()) {
        text +=
            QLatin1Char('\n') +
            tr("Sent as %1, gradients as %2").arg(codecText(*stage->codec.forward), codecText(*stage->codec.backward));
    }
    return text;
}

QString LayerStrip::toolTipAt(const QPointF &at) const {
    if (const LayerBlock *block = blockAt(at))
        return describe(*block);
    constexpr double reach = 3;
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const Bar &bar = m_bars[i];
        const QRectF column(bar.rect.left() - reach, bar.rect.top(), bar.rect.width() + 2 * reach, barRoom);
        if ((!bar.inBlock || bar.cut) && (column.contains(at) || bar.labelRect.contains(at)))
            return describeCut(i);
    }
    return {};
}

}  // namespace hearth
