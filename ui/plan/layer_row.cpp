#include "ui/plan/layer_row.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/plan/problem.h"
#include "ui/plan/layer_strip.h"
#include "ui/words/codec_words.h"
#include "ui/words/format.h"

namespace hearth {

std::vector<double> meanLayerSeconds(const PlanningProblem &problem) {
    std::vector<double> means;
    for (std::size_t layer = 0; layer < problem.layers.size(); ++layer) {
        double sum = 0;
        int devices = 0;
        for (const TimeTable &table : problem.times) {
            if (!table.isMeasured(layer))
                continue;
            sum += (table.forward[layer].back() + table.backward[layer].back()) / table.batch.back();
            ++devices;
        }
        if (devices == 0)
            return {};
        means.push_back(sum / devices);
    }
    return means;
}

LayerRow::Change LayerRow::setModel(const Model &model, DType type, const std::vector<double> &seconds) {
    std::vector<LayerData> layers;
    QStringList names;
    for (const Layer &layer : model.layers) {
        layers.push_back(
            {layer.name, layer.kind, static_cast<double>(layer.shape.flops), layer.shape.parameterCount()});
        names << layer.name;
    }
    std::vector<std::vector<NamedSlot>> slots = namedSlots(model, type);
    const bool isSameModel = layers == m_layers && slots == m_slots;
    const std::vector<double> times = seconds.size() == layers.size() ? seconds : std::vector<double>();
    if (isSameModel && times == m_seconds)
        return Change::None;
    m_seconds = times;
    if (isSameModel)
        return Change::Times;
    m_layers = std::move(layers);
    m_slots = std::move(slots);
    m_root = layerBlocks(names);
    m_choices.clear();
    return Change::Network;
}

void LayerRow::layOut(double width) {
    m_width = width;
    m_lefts.assign(1, 0);
    const bool allFit = count() * narrowest <= width;
    m_shown = shownBlocks(m_root, allFit ? count() : static_cast<int>(width / blockWidth), m_choices);
    if (m_layers.empty())
        m_shown.clear();
    const std::vector<double> sizes = widths();
    for (std::size_t s = 0; s < m_shown.size(); ++s) {
        // Within a block half of the room is for every layer alike, half follows their work.
        const LayerBlock &block = *m_shown[s];
        const double work = workOf(block.first, block.last);
        const double even = 1.0 / block.layers();
        for (int i = block.first; i < block.last; ++i) {
            const double part = work > 0 ? workOf(i, i + 1) / work : even;
            m_lefts.push_back(m_lefts.back() + sizes[s] * (even + part) / 2);
        }
    }
}

double LayerRow::workOf(int first, int last) const {
    double work = 0;
    for (int i = first; i < last; ++i)
        work += m_seconds.empty() ? m_layers[at(i)].operations : m_seconds[at(i)];
    return work;
}

/// Of what is shown.
std::vector<double> LayerRow::widths() const {
    const auto count = static_cast<double>(m_shown.size());
    const double total = workOf(m_root.first, m_root.last);
    const double base = std::min(2 * narrowest, m_width / count);
    const double free = std::max(0.0, m_width - base * count);
    std::vector<double> result;
    for (const LayerBlock *block : m_shown)
        result.push_back(base + (total > 0 ? free * workOf(block->first, block->last) / total : free / count));
    return result;
}

int LayerRow::borderNear(double x) const {
    const auto behind = std::lower_bound(m_lefts.begin(), m_lefts.end(), x);
    const auto index = static_cast<int>(behind - m_lefts.begin());
    if (index <= 0)
        return 0;
    if (index >= static_cast<int>(m_lefts.size()))
        return static_cast<int>(m_lefts.size()) - 1;
    const auto i = static_cast<std::size_t>(index);
    return x - m_lefts[i - 1] < m_lefts[i] - x ? index - 1 : index;
}

const LayerBlock *LayerRow::blockAt(double x) const {
    const auto found = std::ranges::find_if(
        m_shown, [&](const LayerBlock *block) { return x >= leftOf(block->first) && x < leftOf(block->last); });
    return found != m_shown.end() ? *found : nullptr;
}

const LayerBlock *LayerRow::blockOf(int layer) const {
    const auto found = std::ranges::find_if(
        m_shown, [layer](const LayerBlock *block) { return block->first <= layer && layer < block->last; });
    return found != m_shown.end() ? *found : nullptr;
}

const LayerBlock *LayerRow::foldedBy(const LayerBlock *shown) const {
    if (shown == nullptr)
        return nullptr;
    if (!shown->isLayer())
        return shown;
    // What always fits needs no folding; the whole network is never folded into one.
    const LayerBlock *around = blockAround(m_root, *shown);
    const bool folds = around != nullptr && around != &m_root && count() * narrowest > m_width;
    return folds ? around : nullptr;
}

void LayerRow::choose(const LayerBlock &block, bool unfolded) {
    // What was chosen of its parts is over with it.
    const int first = block.first, last = block.last;
    if (!unfolded) {
        m_choices.removeIf([&](const std::pair<const std::pair<int, int> &, bool &> each) {
            return each.first.first >= first && each.first.second <= last;
        });
    }
    m_choices[{first, last}] = unfolded;
}

bool LayerRow::unfoldBeside(std::optional<int> border) {
    std::vector<std::pair<int, int>> wanted;
    if (border) {
        for (const LayerBlock *block : m_shown) {
            if (!block->isLayer() && block->first <= *border && *border <= block->last)
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
    return !wanted.empty();
}

bool LayerRow::foldAgain() {
    const bool any = !m_choices.isEmpty();
    m_choices.clear();
    return any;
}

bool LayerRow::hasBlocks() const {
    return !m_choices.isEmpty() ||
           std::ranges::any_of(m_shown, [](const LayerBlock *block) { return !block->isLayer(); });
}

QStringList LayerRow::names() const {
    QStringList names;
    for (const LayerBlock *block : m_shown)
        names << block->name;
    return names;
}

QString LayerRow::describe(const LayerBlock &block) const {
    double operations = 0;
    qint64 parameters = 0;
    for (int i = block.first; i < block.last; ++i) {
        operations += m_layers[static_cast<std::size_t>(i)].operations;
        parameters += m_layers[static_cast<std::size_t>(i)].parameters;
    }
    const QString million = formatNumber(operations / 1e6), count = formatCount(parameters);
    const LayerData &first = m_layers[static_cast<std::size_t>(block.first)];
    QString text = block.isLayer()
                       ? LayerStrip::tr("Layer %1: %2 (%3)\n%4 million operations per sample\n%5 parameters")
                             .arg(block.first + 1)
                             .arg(first.name, first.kind, million, count)
                       : LayerStrip::tr("Layers %1 to %2: %3\n%4 million operations per sample\n%5 parameters")
                             .arg(block.first + 1)
                             .arg(block.last)
                             .arg(block.name, million, count);
    if (!m_seconds.empty())
        text += QLatin1Char('\n') + LayerStrip::tr("%1 per sample, forward and backward: the mean of the devices")
                                        .arg(formatSeconds(workOf(block.first, block.last)));
    text += QLatin1Char('\n') +
            LayerStrip::tr("%1 per sample to the next layer").arg(formatBytes(bytesOf(crossing(block.last))));
    if (!block.isLayer())
        text += QLatin1Char('\n') + LayerStrip::tr("Click to unfold");
    else if (const LayerBlock *around = foldedBy(&block))
        text += QLatin1Char('\n') + LayerStrip::tr("Click to fold %1").arg(around->name);
    return text;
}

QString LayerRow::describeCut(int layers, const CutCodec &codec) const {
    const std::vector<NamedSlot> &slots = crossing(layers);
    QString text =
        LayerStrip::tr("Crosses behind layer %1, of each sample %2:").arg(layers).arg(formatBytes(bytesOf(slots)));
    text += QLatin1Char('\n') + describeSlots(slots);
    if (codec != CutCodec()) {
        text +=
            QLatin1Char('\n') +
            LayerStrip::tr("Sent as %1, gradients as %2").arg(codecText(*codec.forward), codecText(*codec.backward));
    }
    return text;
}

}  // namespace hearth
