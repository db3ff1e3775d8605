#include "core/train/loss.h"

#include <initializer_list>
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

/// Of `losses` {n, terms} those that count, averaged. `answers` {n, 4} are label, answer, certainty and whether it is
/// wrong of each sample; undefined where a sample has several labels.
std::vector<JudgedSample> judgedOf(const at::Tensor &losses, const at::Tensor &counts, const at::Tensor &answers) {
    const at::Tensor terms = counts.sum(-1), sums = losses.to(at::kDouble).masked_fill(counts.logical_not(), 0).sum(-1);
    const at::Tensor means = (sums / terms).to(at::kCPU), counted = terms.to(at::kCPU);
    const at::Tensor table = answers.defined() ? answers.to(at::kCPU, at::kDouble).contiguous() : answers;
    std::vector<JudgedSample> samples;
    for (std::int64_t i = 0; i < means.size(0); ++i) {
        if (counted.data_ptr<std::int64_t>()[i] == 0)
            continue;
        JudgedSample one{i, means.data_ptr<double>()[i]};
        if (table.defined()) {
            const double *row = table.data_ptr<double>() + 4 * i;
            one.label = row[0];
            one.answer = row[1];
            one.certainty = row[2];
            one.isWrong = row[3] > 0;
        }
        samples.push_back(one);
    }
    return samples;
}

at::Tensor columns(std::initializer_list<at::Tensor> each) {
    std::vector<at::Tensor> doubles;
    for (const at::Tensor &column : each)
        doubles.push_back(column.to(at::kDouble));
    return at::stack(doubles, 1);
}

/// Of scores {n, …, classes} and class numbers {n, …}, as torch.nn.CrossEntropyLoss with reduction="sum"; of mixed
/// labels {n, 3} as of two labels, each as far as it counts.
class CrossEntropy final : public Loss {
  public:
    explicit CrossEntropy(double smoothing) : m_smoothing(smoothing) {}

    at::Tensor sum(const at::Tensor &output, const at::Tensor &labels) const override {
        const at::Tensor logs = at::log_softmax(output, -1).flatten(0, -2);
        if (!labels.is_floating_point())
            return reduced(logs, labels.flatten(), at::Reduction::Sum);
        const at::Tensor kept = labels.select(1, 2).to(logs.scalar_type()), classes = labels.to(at::kLong);
        const auto losses = [&](std::int64_t which) {
            return reduced(logs, classes.select(1, which), at::Reduction::None);
        };
        return (kept * losses(0) + (1 - kept) * losses(1)).sum();
    }

    Judgement judge(const at::Tensor &output, const at::Tensor &labels) const override {
        const std::int64_t classes = output.size(-1);
        const at::Tensor scores = output.flatten(0, -2), flat = labels.flatten(), counts = flat.ne(ignored);
        const at::Tensor logs = at::log_softmax(scores, -1);
        const at::Tensor losses = at::nll_loss(logs, flat, {}, at::Reduction::None, ignoredLabel);
        const at::Tensor answers = scores.argmax(-1), right = answers.eq(flat);
        at::Tensor told;
        if (labels.dim() == 1) {
            const at::Tensor certainty = logs.gather(-1, answers.unsqueeze(-1)).squeeze(-1).exp();
            told = columns({flat, answers, certainty, right.logical_not()});
        }
        Judgement judgement{{}, judgedOf(losses.view({labels.size(0), -1}), counts.view({labels.size(0), -1}), told)};
        EvaluationTally &tally = judgement.tally;
        tally.lossSum = losses.sum().item<double>();
        tally.correct = whole(right.sum());
        if (classes > likeliest) {
            const at::Tensor best = std::get<1>(scores.topk(likeliest, -1));
            tally.amongFive = whole(best.eq(flat.unsqueeze(-1)).any(-1).sum());
        }
        if (classes > EvaluationTally::mostClasses)
            return judgement;
        const std::vector<qint64> both = occurrences(flat.masked_select(right), classes),
                                  given = occurrences(answers.masked_select(counts), classes),
                                  wanted = occurrences(flat.masked_select(counts), classes);
        for (std::size_t c = 0; c < both.size(); ++c) {
            const EvaluationTally::OfClass each{both[c], given[c], wanted[c]};
            if (each.answered + each.labelled > 0)
                tally.classes[static_cast<int>(c)] = each;
        }
        return judgement;
    }

  private:
    at::Tensor reduced(const at::Tensor &logs, const at::Tensor &flat, std::int64_t reduction) const {
        const at::Tensor plain = at::nll_loss(logs, flat, {}, reduction, ignoredLabel);
        if (m_smoothing == 0)
            return plain;
        const at::Tensor each = -logs.sum(-1).masked_fill(flat.eq(ignored), 0);
        const at::Tensor spread = reduction == at::Reduction::Sum ? each.sum() : each;
        return plain * (1 - m_smoothing) + spread * (m_smoothing / static_cast<double>(logs.size(-1)));
    }

    double m_smoothing;
};

/// Of real numbers and as many labels; NaN counts for nothing.
class OfNumbers : public Loss {
  public:
    at::Tensor sum(const at::Tensor &output, const at::Tensor &labels) const final {
        return termsOf(output, labels).sum();
    }
    Judgement judge(const at::Tensor &output, const at::Tensor &labels) const final {
        const at::Tensor flat = labels.flatten(), counts = flat.isnan().logical_not();
        const at::Tensor losses = termsOf(output, labels).view({output.size(0), -1});
        const at::Tensor told =
            losses.size(1) == 1 ? columnsOf(output.flatten(), flat.to(output.scalar_type())) : at::Tensor();
        Judgement judgement{{}, judgedOf(losses, counts.view_as(losses), told)};
        judgement.tally.lossSum = losses.sum().item<double>();
        compare(output.flatten().masked_select(counts), flat.masked_select(counts).to(output.scalar_type()),
                judgement.tally);
        return judgement;
    }

  private:
    /// Zero where there is no label.
    at::Tensor termsOf(const at::Tensor &output, const at::Tensor &labels) const {
        const at::Tensor wanted = labels.to(output.scalar_type()).view_as(output), missing = wanted.isnan();
        return terms(output, wanted.masked_fill(missing, 0)).masked_fill(missing, 0);
    }
    /// As judgedOf() takes them, of samples with one number each.
    virtual at::Tensor columnsOf(const at::Tensor &answers, const at::Tensor &wanted) const = 0;
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
    at::Tensor columnsOf(const at::Tensor &answers, const at::Tensor &wanted) const override {
        return columns({wanted, answers, at::full_like(answers, JudgedSample::none), at::zeros_like(answers)});
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
    at::Tensor columnsOf(const at::Tensor &answers, const at::Tensor &wanted) const override {
        const at::Tensor yes = answers.gt(0), wantedYes = wanted.gt(0.5);
        return columns({wantedYes, yes, answers.abs().sigmoid(), yes.ne(wantedYes)});
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
