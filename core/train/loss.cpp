#include "core/train/loss.h"

#include <vector>

namespace hearth {
namespace {

constexpr std::int64_t likeliest = 5, ignored = ignoredLabel;

qint64 whole(const at::Tensor &scalar) {
    return scalar.item<std::int64_t>();
}

/// How often each number below `classes` occurs.
std::vector<qint64> occurrences(const at::Tensor &numbers, std::int64_t classes) {
    const at::Tensor counts = at::bincount(numbers, {}, classes).to(at::kCPU);
    const auto *first = counts.data_ptr<std::int64_t>();
    return {first, first + classes};
}

/// Of scores {n, …, classes} and class numbers {n, …}, as torch.nn.CrossEntropyLoss with reduction="sum".
class CrossEntropy final : public Loss {
  public:
    explicit CrossEntropy(double smoothing) : m_smoothing(smoothing) {}

    at::Tensor sum(const at::Tensor &output, const at::Tensor &labels) const override {
        const at::Tensor logs = at::log_softmax(output, -1).flatten(0, -2), flat = labels.flatten();
        const at::Tensor plain = at::nll_loss(logs, flat, {}, at::Reduction::Sum, ignoredLabel);
        if (m_smoothing == 0)
            return plain;
        const at::Tensor spread = -logs.sum(-1).masked_fill(flat.eq(ignored), 0).sum();
        return plain * (1 - m_smoothing) + spread * (m_smoothing / static_cast<double>(output.size(-1)));
    }

    EvaluationTally judge(const at::Tensor &output, const at::Tensor &labels) const override {
        const std::int64_t classes = output.size(-1);
        EvaluationTally tally;
        tally.lossSum = CrossEntropy(0).sum(output, labels).item<double>();
        const at::Tensor scores = output.flatten(0, -2), flat = labels.flatten();
        const at::Tensor answers = scores.argmax(-1), right = answers.eq(flat);
        tally.correct = whole(right.sum());
        if (classes > likeliest) {
            const at::Tensor best = std::get<1>(scores.topk(likeliest, -1));
            tally.amongFive = whole(best.eq(flat.unsqueeze(-1)).any(-1).sum());
        }
        if (classes > EvaluationTally::mostClasses)
            return tally;
        const at::Tensor counts = flat.ne(ignored);
        const std::vector<qint64> both = occurrences(flat.masked_select(right), classes),
                                  given = occurrences(answers.masked_select(counts), classes),
                                  wanted = occurrences(flat.masked_select(counts), classes);
        for (std::size_t c = 0; c < both.size(); ++c) {
            const EvaluationTally::OfClass each{both[c], given[c], wanted[c]};
            if (each.answered + each.labelled > 0)
                tally.classes[static_cast<int>(c)] = each;
        }
        return tally;
    }

  private:
    double m_smoothing;
};

/// Of real numbers and as many labels; NaN counts for nothing.
class OfNumbers : public Loss {
  public:
    at::Tensor sum(const at::Tensor &output, const at::Tensor &labels) const final {
        const at::Tensor wanted = labels.to(output.scalar_type()).view_as(output), missing = wanted.isnan();
        return terms(output, wanted.masked_fill(missing, 0)).masked_fill(missing, 0).sum();
    }
    EvaluationTally judge(const at::Tensor &output, const at::Tensor &labels) const final {
        EvaluationTally tally;
        tally.lossSum = sum(output, labels).item<double>();
        const at::Tensor flat = labels.flatten(), counts = flat.isnan().logical_not();
        compare(output.flatten().masked_select(counts), flat.masked_select(counts).to(output.scalar_type()), tally);
        return tally;
    }

  private:
    /// Element by element.
    virtual at::Tensor terms(const at::Tensor &output, const at::Tensor &wanted) const = 0;
    virtual void compare(const at::Tensor &answers, const at::Tensor &wanted, EvaluationTally &tally) const = 0;
};

/// As torch.nn.MSELoss.
class MeanSquaredError final : public OfNumbers {
    at::Tensor terms(const at::Tensor &output, const at::Tensor &wanted) const override {
        return at::mse_loss(output, wanted, at::Reduction::None);
    }
    void compare(const at::Tensor &answers, const at::Tensor &wanted, EvaluationTally &tally) const override {
        tally.distances = at::sum((answers - wanted).abs(), at::kDouble).item<double>();
    }
};

/// As torch.nn.BCEWithLogitsLoss: labels are chances, and above one half a yes.
class BinaryCrossEntropy final : public OfNumbers {
    at::Tensor terms(const at::Tensor &output, const at::Tensor &wanted) const override {
        return at::binary_cross_entropy_with_logits(output, wanted, {}, {}, at::Reduction::None);
    }
    void compare(const at::Tensor &answers, const at::Tensor &wanted, EvaluationTally &tally) const override {
        const at::Tensor yes = answers.gt(0), wantedYes = wanted.gt(0.5);
        tally.correct = whole(yes.eq(wantedYes).sum());
        const EvaluationTally::OfClass ofYes{whole(yes.logical_and(wantedYes).sum()), whole(yes.sum()),
                                             whole(wantedYes.sum())};
        if (ofYes.answered + ofYes.labelled > 0)
            tally.classes[1] = ofYes;
    }
};

}  // namespace

std::unique_ptr<const Loss> Loss::make(const TrainingSpec &training) {
    if (training.loss == crossEntropyName())
        return std::make_unique<CrossEntropy>(training.labelSmoothing);
    if (training.loss == QLatin1String("binary-cross-entropy"))
        return std::make_unique<BinaryCrossEntropy>();
    if (training.loss == QLatin1String("mean-squared-error"))
        return std::make_unique<MeanSquaredError>();
    return nullptr;
}

}  // namespace hearth
