// NVIDIA cards. Only where this is built against a LibTorch with CUDA (HEARTH_CUDA).
#pragma once

#include <QJsonObject>
#include <QString>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/train/compute_device.h"

namespace hearth {

/// Plain value.
struct CudaCard {
    int index = 0;
    QString name;  // as the driver gives it
    QString uuid;  // "GPU-…", as NVML has it
    qint64 memoryBytes = 0;
    int major = 0, minor = 0;  // its compute capability
};

/// What this program finds in the computer.
struct CudaCards {
    std::vector<CudaCard> cards;
    Sentence cause;  // why there is none

    /// {"format":"hearth-cards/1","cards":[{"index","name","uuid","memory","capability":"9.0"}]}, with the cause as
    /// insertSentence() writes it.
    QJsonObject toJson() const;
};
CudaCards findCudaCards();

/// A card by its index. Opens it, which takes a second and some hundred megabytes of its memory; one for each card of
/// the process. Errors: "cuda.no-card", "cuda.failed" with what the driver says.
Result<std::shared_ptr<ComputeDevice>> cudaDevice(int card);

}  // namespace hearth
