#include "ui/plan/layer_blocks.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace hearth {

namespace {

/// Where a name may be parted: "encoder.block.3" into "encoder", ".block", ".3", and "conv12" into "conv", "12".
QStringList partsOf(const QString &name) {
    QStringList parts;
    QString part;
    for (const QChar letter : name) {
        const bool joint = letter == QLatin1Char('.') || letter == QLatin1Char('/');
        const bool number = !part.isEmpty() && letter.isDigit() && part.back().isLetter();
        if ((joint || number) && !part.isEmpty()) {
            parts << part;
            part.clear();
        }
        part += letter;
    }
    return parts << part;
}

bool isJoint(QChar letter) {
    return letter == QLatin1Char('.') || letter == QLatin1Char('/') || letter == QLatin1Char('_') ||
           letter == QLatin1Char('-');
}

class Folding {
  public:
    explicit Folding(const QStringList &names) : m_names(names) {
        for (const QString &name : names)
            m_parts.push_back(partsOf(name));
    }

    /// Layers that have the first `depth` parts of their names in common.
    LayerBlock fold(int first, int last, int depth) const {
        LayerBlock block{first, last, nameOf(first, depth), {}};
        if (last - first == 1) {
            block.name = m_names[first];
            return block;
        }
        std::vector<std::pair<int, int>> runs = runsOf(first, last, depth);
        while (runs.size() == 1 && depth < longest(first, last)) {
            ++depth;
            block.name = nameOf(first, depth);
            runs = runsOf(first, last, depth);
        }
        for (const auto &[from, to] : runs) {
            // Several of the same name: nothing tells them apart but their place.
            const bool alike = runs.size() == 1;
            if (alike) {
                for (int i = from; i < to; ++i)
                    block.parts.push_back({i, i + 1, m_names[i], {}});
            } else {
                block.parts.push_back(fold(from, to, depth + 1));
            }
        }
        return gathered(std::move(block));
    }

  private:
    QString part(int layer, int depth) const { return m_parts[static_cast<std::size_t>(layer)].value(depth); }

    int longest(int first, int last) const {
        qsizetype most = 0;
        for (int i = first; i < last; ++i)
            most = std::max(most, m_parts[static_cast<std::size_t>(i)].size());
        return static_cast<int>(most);
    }

    QString nameOf(int layer, int depth) const {
        QString name = m_parts[static_cast<std::size_t>(layer)].mid(0, depth).join(QString());
        while (!name.isEmpty() && isJoint(name.back()))
            name.chop(1);
        return name;
    }

    std::vector<std::pair<int, int>> runsOf(int first, int last, int depth) const {
        std::vector<std::pair<int, int>> runs;
        for (int i = first; i < last; ++i) {
            if (runs.empty() || part(i, depth) != part(runs.back().first, depth))
                runs.emplace_back(i, i);
            runs.back().second = i + 1;
        }
        return runs;
    }

    /// More parts than can be read at once are gathered into neighbours.
    static LayerBlock gathered(LayerBlock block) {
        const auto count = static_cast<int>(block.parts.size());
        if (count <= LayerBlock::mostParts)
            return block;
        constexpr int usual = 16;
        const int groups = std::min((count + usual - 1) / usual, LayerBlock::mostParts);
        std::vector<LayerBlock> parts = std::move(block.parts);
        block.parts.clear();
        for (int group = 0; group < groups; ++group) {
            const auto from = parts.begin() + count * group / groups, to = parts.begin() + count * (group + 1) / groups;
            LayerBlock some{from->first, (to - 1)->last, {}, {}};
            some.name = between(block.name, from->name, (to - 1)->name);
            some.parts.assign(std::move_iterator(from), std::move_iterator(to));
            block.parts.push_back(gathered(std::move(some)));
        }
        return block;
    }

    /// "features.0–15"
    static QString between(const QString &common, const QString &first, const QString &last) {
        QString tail = last.startsWith(common) ? last.mid(common.size()) : last;
        while (!common.isEmpty() && !tail.isEmpty() && isJoint(tail.front()))
            tail.remove(0, 1);
        return first + QChar(0x2013) + tail;
    }

    const QStringList &m_names;
    std::vector<QStringList> m_parts;
};

/// Chosen ones, and those above them.
bool isWanted(const LayerBlock &block, const BlockChoices &choices) {
    const auto chosen = choices.constFind({block.first, block.last});
    if (chosen != choices.constEnd())
        return *chosen;
    return std::ranges::any_of(block.parts,
                               [&](const LayerBlock &part) { return !part.isLayer() && isWanted(part, choices); });
}

}  // namespace

LayerBlock layerBlocks(const QStringList &names) {
    if (names.isEmpty())
        return {};
    return Folding(names).fold(0, static_cast<int>(names.size()), 0);
}

std::vector<const LayerBlock *> shownBlocks(const LayerBlock &root, int room, const BlockChoices &choices) {
    std::vector<const LayerBlock *> shown{&root};
    const auto unfold = [&shown](std::size_t at) {
        const LayerBlock &block = *shown[at];
        std::vector<const LayerBlock *> parts;
        for (const LayerBlock &part : block.parts)
            parts.push_back(&part);
        const auto place = shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(at));
        shown.insert(place, parts.begin(), parts.end());
    };
    // The whole network as one block would say nothing.
    if (!root.isLayer() && root.layers() > 0)
        unfold(0);
    for (std::size_t at = 0; at < shown.size();) {
        if (!shown[at]->isLayer() && isWanted(*shown[at], choices))
            unfold(at);
        else
            ++at;
    }
    while (true) {
        std::optional<std::size_t> next;
        for (std::size_t at = 0; at < shown.size(); ++at) {
            const LayerBlock &block = *shown[at];
            const bool fits = shown.size() - 1 + block.parts.size() <= static_cast<std::size_t>(std::max(0, room));
            if (!block.isLayer() && fits && !choices.contains({block.first, block.last}) &&
                (!next || block.layers() > shown[*next]->layers()))
                next = at;
        }
        if (!next)
            return shown;
        unfold(*next);
    }
}

const LayerBlock *blockAround(const LayerBlock &root, const LayerBlock &part) {
    if (root.isLayer() || !root.contains(part))
        return nullptr;
    for (const LayerBlock &each : root.parts) {
        if (&each == &part || (each.first == part.first && each.last == part.last))
            return &root;
        if (each.contains(part))
            return blockAround(each, part);
    }
    return nullptr;
}

}  // namespace hearth
