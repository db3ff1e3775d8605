// What a stage holds of the rounds and the evaluation that are under way. Internal to core/train.
#pragma once

#include <optional>
#include <vector>

#include "core/protocol/evaluation_order.h"
#include "core/protocol/round_report.h"
#include "core/train/cut_assembly.h"
#include "core/train/gradient_norm.h"
#include "core/train/sum_state.h"

namespace hearth {

/// The coordinator keeps inputs at most two rounds ahead; neighbours are at most one round ahead, in asynchronous
/// training two.
constexpr quint32 roundsAhead = 4;
struct MicroBatchState {
    quint64 version = 0;      // of the weights that its passes see, once its forward pass began
    ArrivingSamples samples;  // of the first stage, which decodes them; all others have ...
    CutAssembly input;        // ... this
    CutAssembly gradient;
    Assembly labels;
    Tensors ahead;  // the stage's inputs, on the device before their pass began
    Tensors x;      // the stage's inputs, leaves
    Tensors y;      // its outputs, or the loss
};

/// Of a round that is checked: its first micro-batch goes through the pipeline once more, forward only, with cuts that
/// lose nothing. After all else of the round, when the fewest tensors are held.
struct CheckState {
    CutAssembly input;              // of all stages but the first, which has no more to do
    at::Tensor labels;              // of the last
    at::Tensor codedLoss, rawLoss;  // likewise
    bool isDone = false;
};

struct RoundState {
    std::vector<MicroBatchState> microBatches;
    std::optional<CheckState> check;
    int forwards = 0;
    int inputGradients = 0;
    int weightGradients = 0;
    double normaliser = 0;                    // 0 = not here yet
    at::Tensor lossSum;                       // float64, on the device; undefined before the first
    std::vector<std::vector<RoundSum>> sums;  // by update of the round and group
    bool summing = false;                     // the update that is next
    NormSum norm;
    RoundReport report;  // so far, where another round is the current one
};

struct EvaluationState {
    EvaluationOrder order;
    int microBatches = 0;
    int done = 0;
    struct Part {
        Interval own;
        ArrivingSamples samples;  // of the first stage
        CutAssembly input;        // of all others
        Assembly labels;          // of the last, where answers are judged
    };
    std::vector<Part> parts;
};

}  // namespace hearth
