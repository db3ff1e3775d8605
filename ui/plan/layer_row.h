// The layers of a network side by side: which of them are shown, where each lies, and what a person is told of them.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/base/codec.h"
#include "core/model/model.h"
#include "ui/plan/layer_blocks.h"
#include "ui/words/slots.h"

namespace hearth {

struct PlanningProblem;

/// What each layer of a problem takes for a sample, forward and backward, at the largest batch that each device has
/// times for: the mean of the devices, in seconds. Empty where nobody knows it of some layer.
std::vector<double> meanLayerSeconds(const PlanningProblem &problem);

/// Widths follow the time of each layer, or its operations per sample where no times are known. Where there are more
/// layers than can be read, neighbours whose names begin alike are folded into blocks. Blocks that it gives out live as
/// long as the network stays. GUI thread.
class LayerRow {
  public:
    static constexpr double narrowest = 22;   // an upright name fits
    static constexpr double blockWidth = 36;  // what each has at least, once some are folded

    enum class Change { None, Times, Network };
    /// `seconds` are meanLayerSeconds(), or none. After a change places are to be found anew.
    Change setModel(const Model &model, DType type, const std::vector<double> &seconds);
    void layOut(double width);

    int count() const { return static_cast<int>(m_layers.size()); }
    const std::vector<const LayerBlock *> &shown() const { return m_shown; }
    QStringList names() const;
    /// By layer, and the end of the last; empty before the first layOut().
    const std::vector<double> &lefts() const { return m_lefts; }
    double leftOf(int layer) const { return m_lefts[static_cast<std::size_t>(layer)]; }
    /// The border between layers that is nearest: so many lie before it.
    int borderNear(double x) const;
    /// Null: none.
    const LayerBlock *blockAt(double x) const;
    const LayerBlock *blockOf(int layer) const;
    /// What crosses behind so many layers.
    const std::vector<NamedSlot> &crossing(int layers) const { return m_slots[static_cast<std::size_t>(layers)]; }

    /// What a click on a shown block would fold or unfold; null: nothing.
    const LayerBlock *foldedBy(const LayerBlock *shown) const;
    bool hasBlocks() const;
    // Places are to be found anew after these; where they say so, only if they did anything.
    void choose(const LayerBlock &block, bool unfolded);
    /// Blocks beside the border behind so many layers; without one the largest.
    bool unfoldBeside(std::optional<int> border);
    bool foldAgain();

    QString describe(const LayerBlock &block) const;
    QString describeCut(int layers, const CutCodec &codec) const;

  private:
    struct LayerData {
        QString name;
        QString kind;
        double operations = 0;  // per sample
        qint64 parameters = 0;
        bool operator==(const LayerData &) const = default;
    };
    /// What widths follow, of layers [first, last).
    double workOf(int first, int last) const;
    std::vector<double> widths() const;

    std::vector<LayerData> m_layers;
    std::vector<double> m_seconds;                // of each layer; empty: not known
    std::vector<std::vector<NamedSlot>> m_slots;  // by cut, before the first layer first
    LayerBlock m_root;
    BlockChoices m_choices;
    double m_width = 0;
    std::vector<const LayerBlock *> m_shown;
    std::vector<double> m_lefts;
};

}  // namespace hearth
