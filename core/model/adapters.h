// Training a small part of a network: what is added to it, and what of it stays as it was.
#pragma once

#include <QStringList>

#include "core/model/model.h"

namespace hearth {

/// Patterns are globs over names of ops ("*.query").
struct AdapterSpec {
    enum class Kind { Lora, Bottleneck };

    Kind kind = Kind::Lora;
    /// LoRA (Hu et al., 2022): beside a linear op, alpha / rank · B · A of what it takes; B begins at zero.
    int rank = 8;
    double alpha = 16;
    double dropout = 0;  // of what A takes
    /// Bottleneck (Houlsby et al., 2019): behind a linear op, so many features and back, added; the way back begins at
    /// zero.
    int features = 64;
    /// Linear ops that get one. None: queries and values for LoRA, the last op of attention and of the feed-forward
    /// part for bottlenecks, as the families here call them.
    QStringList targets;
    /// What stays as it begins; "!" before a pattern takes back. None: all but classifiers and adapters.
    QStringList freeze;
};

/// The network with adapters, as a network that is one graph: its op "x" becomes "x" and "x.lora_A", "x.lora_B", or
/// "x.adapter_down", "x.adapter_up". Errors: it is described by layers; no linear op has such a name.
Result<Model> withAdapters(const Model &model, const AdapterSpec &spec);

}  // namespace hearth
