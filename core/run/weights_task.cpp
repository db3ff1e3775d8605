#include "core/run/weights_task.h"

#include <QFileInfo>
#include <QStorageInfo>

#include "core/model/safetensors.h"

namespace hearth {
namespace {

bool lacksSpace(const QString &file, const std::vector<NamedTensor> &tensors) {
    qint64 needed = 0;
    for (const NamedTensor &tensor : tensors)
        needed += static_cast<qint64>(tensor.data->size());
    return QStorageInfo(QFileInfo(file).absolutePath()).bytesAvailable() < needed;
}

WeightsWritten written(const WeightsOrder &order) {
    WeightsWritten result;
    for (const QString &file : order.files) {
        if (const auto done = writeSafetensors(file, order.tensors, order.metadata); !done)
            result.failures.push_back({file, done.error(), lacksSpace(file, order.tensors)});
    }
    if (order.isHashed && (result.failures.empty() || result.failures.front().file != order.files.front()))
        result.sha256 = weightsSha256(order.tensors);
    return result;
}

}  // namespace

void WeightsTask::write(const WeightsOrder &order) {
    m_task.start<WeightsWritten>(
        this, [order]() -> Result<WeightsWritten> { return hearth::written(order); },
        [this](const WeightsWritten &result) { Q_EMIT written(result); }, [](const Error &) {});
}

}  // namespace hearth
