// Bounds of what a profile or a problem from outside may say: far beyond any home, small enough that sums stay exact.
#pragma once

#include <QtGlobal>

namespace hearth {

struct ProfileLimits {
    static constexpr qint64 bytes = qint64{1} << 42;
    static constexpr double seconds = 1e9;
    static constexpr int relativeError = 1000;  // of a prediction
    static constexpr double bytesPerSecond = 1e15;
    static constexpr double leastBytesPerSecond = 1;  // of a link that was measured: slower ones are none
    static constexpr double latencySeconds = 3600;
    static constexpr double gain = 1e6;  // of one way to compute over another
    static constexpr int layers = 4096;
    static constexpr int devices = 1024;
    static constexpr int batch = 1 << 16;
    static constexpr int batchSizes = 64;
    static constexpr int tiedTensors = 4096;  // of one layer
    static constexpr int threads = 4096;
    static constexpr int idLength = 200;
    static constexpr int codecs = 64;
    static constexpr double leastPacked = 1e-3;  // what packing leaves of bytes
};

}  // namespace hearth
