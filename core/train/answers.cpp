#include "core/train/answers.h"

namespace hearth {

std::vector<double> answersOf(ComputeDevice &device, const at::Tensor &output, std::optional<qint64> row) {
    const at::Tensor wanted = row ? output.select(1, *row) : output;
    const at::Tensor flat = device.toHost(wanted).to(at::kDouble).contiguous();
    const double *first = flat.data_ptr<double>();
    return {first, first + flat.numel()};
}

}  // namespace hearth
