#include "core/train/answers.h"

namespace hearth {

Result<void> checkRow(const Shape &output, std::optional<qint64> row) {
    if (!row || (output.size() >= 2 && *row >= 0 && *row < output.front()))
        return {};
    return fail(QStringLiteral("answer.bad-row"), sentence("The network does not answer so."),
                sentence("Its output %1 has no row %2.").arg(shapeText(output)).arg(*row));
}

std::vector<double> answersOf(ComputeDevice &device, const at::Tensor &output, std::optional<qint64> row) {
    const at::Tensor wanted = row ? output.select(1, *row) : output;
    const at::Tensor flat = device.toHost(wanted).to(at::kDouble).contiguous();
    const double *first = flat.data_ptr<double>();
    return {first, first + flat.numel()};
}

}  // namespace hearth
