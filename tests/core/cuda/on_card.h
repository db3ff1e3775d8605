// Memory of a graphics card for tests and benchmarks.
#pragma once

#include <cuda_runtime_api.h>

#include <QString>
#include <algorithm>
#include <cstddef>
#include <vector>

namespace hearth {

using Bytes = std::vector<std::byte>;

/// Bytes of the first card, `offset` beyond a multiple of 256, full of 0xa5 and with more of these on both sides. Owns
/// them.
class OnCard {
  public:
    explicit OnCard(std::size_t bytes, std::size_t offset = 0) : m_bytes(bytes), m_before(frame + offset) {
        if (cudaMalloc(&m_all, m_before + bytes + frame) != cudaSuccess)
            qFatal("The card has no %zu bytes.", bytes);
        cudaMemset(m_all, poison, m_before + bytes + frame);
        cudaDeviceSynchronize();  // streams of the tests' own do not wait for this one
    }
    OnCard(const Bytes &bytes, std::size_t offset) : OnCard(bytes.size(), offset) { put(bytes.data()); }
    ~OnCard() { cudaFree(m_all); }
    Q_DISABLE_COPY_MOVE(OnCard)

    template <class T = void>
    T *data() const {
        return reinterpret_cast<T *>(static_cast<std::byte *>(m_all) + m_before);
    }
    /// There when it returns: small pieces would still be on their way.
    void put(const void *bytes) {
        cudaMemcpy(data(), bytes, m_bytes, cudaMemcpyHostToDevice);
        cudaDeviceSynchronize();
    }

    /// Once all work is done; empty where that failed.
    Bytes get() const { return read(m_before, m_bytes); }
    /// Nobody wrote before or behind it.
    bool isFramed() const {
        const auto intact = [](const Bytes &bytes) {
            return !bytes.empty() &&
                   std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte(poison); });
        };
        return intact(read(0, m_before)) && intact(read(m_before + m_bytes, frame));
    }

  private:
    static constexpr int poison = 0xa5;
    static constexpr std::size_t frame = 256;

    Bytes read(std::size_t first, std::size_t bytes) const {
        Bytes values(bytes);
        if (cudaDeviceSynchronize() != cudaSuccess || cudaMemcpy(values.data(), static_cast<std::byte *>(m_all) + first,
                                                                 bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
            values.clear();
        return values;
    }

    std::size_t m_bytes, m_before;
    void *m_all = nullptr;
};

/// Why there is no card to work with; empty: there is one.
inline QString whyNoCard() {
    int cards = 0;
    const cudaError_t error = cudaGetDeviceCount(&cards);
    if (error != cudaSuccess)
        return QStringLiteral("CUDA finds no card: %1.").arg(QLatin1String(cudaGetErrorString(error)));
    return cards > 0 ? QString() : QStringLiteral("There is no card.");
}

}  // namespace hearth
