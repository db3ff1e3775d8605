#include "tests/core/train/test_devices.h"

#include <QtGlobal>
#include <cstdio>
#include <cstdlib>

#include "tests/core/train/played_device.h"
#ifdef HEARTH_CUDA
#include "core/train/cuda_device.h"
#endif

namespace hearth {
namespace {

[[noreturn]] void skip(const QString &cause) {
    std::printf("SKIP: %s\n", qPrintable(cause));
    std::fflush(stdout);
    std::_Exit(skippedStatus);
}

std::shared_ptr<ComputeDevice> firstCard() {
#ifdef HEARTH_CUDA
    if (const CudaCards found = findCudaCards(); found.cards.empty())
        skip(found.cause);
    auto device = cudaDevice(0);
    if (!device)
        qFatal("%s", qPrintable(device.error().toString()));
    return *device;
#else
    skip(QStringLiteral("This was built without CUDA."));
#endif
}

QByteArray wantedDevices() {
    return qgetenv("HEARTH_TEST_DEVICES");
}

}  // namespace

bool bitsRepeat() {
    return wantedDevices() != "cuda" && wantedDevices() != "mixed";
}

std::shared_ptr<ComputeDevice> testDevice(int device) {
    const QByteArray wanted = wantedDevices();
    if (wanted == "played")
        return std::make_shared<PlayedDevice>();
    if (wanted == "cuda" || (wanted == "mixed" && device % 2 == 0))
        return firstCard();
    return processor();
}

}  // namespace hearth
