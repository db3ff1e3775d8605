#include "core/train/loss.h"

namespace hearth {
namespace {

/// Of scores {n, …, classes} and class numbers {n, …}, as torch.nn.CrossEntropyLoss with reduction="sum".
class CrossEntropy final : public Loss {
  public:
    at::Tensor sum(const at::Tensor &output, const at::Tensor &labels) const override {
        return at::nll_loss(at::log_softmax(output, -1).flatten(0, -2), labels.flatten(), {}, at::Reduction::Sum,
                            ignoredLabel);
    }
    qint64 correct(const at::Tensor &output, const at::Tensor &labels) const override {
        return output.argmax(-1).eq(labels).sum().item<std::int64_t>();
    }
};

}  // namespace

const Loss *Loss::byName(const QString &name) {
    static const CrossEntropy crossEntropy;
    return name == QLatin1String("cross-entropy") ? &crossEntropy : nullptr;
}

}  // namespace hearth
