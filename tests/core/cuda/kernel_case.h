// What the tests of kernels share: numbers, places, and the comparison with the processor's bytes.
#pragma once

#include <QTest>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "core/base/dtype.h"
#include "core/cuda/kernels.h"
#include "tests/core/cuda/on_card.h"

namespace hearth {

constexpr qint64 large = 2'000'003;
inline const std::vector<qint64> sizes{0, 1, 2, 3, 5, 31, 256, 1000, 1023, 1024, 1027, 4099, 70'001, large};
/// Of two arrays, in elements from a multiple of 256 bytes: alike to one another, or not.
inline const std::vector<std::pair<std::size_t, std::size_t>> offsets{{0, 0}, {1, 1}, {3, 3}, {0, 1}, {2, 3}};

extern std::mt19937_64 random64;

/// Of Float32 or Float64. All kinds of finite numbers: most of a size as in training, some zeros of both signs, tiny,
/// subnormal and large ones.
Bytes numbers(DType type, qint64 count);

inline cuda::Real realOf(DType type) {
    return static_cast<cuda::Real>(type);
}
inline std::size_t bytesOf(DType type, qint64 count) {
    return static_cast<std::size_t>(count * byteSize(type));
}

/// Where the card's bytes are other ones; empty: nowhere.
QString difference(const Bytes &card, const Bytes &processor);
QString placeOf(qint64 count, std::size_t one, std::size_t other);
/// Rows "32 bits" and "64 bits" of a column "type".
void addTypes();

/// A stream of the test's own, and numbers by a seed that is told. Once a card is there.
class CardStream {
  public:
    CardStream();
    ~CardStream();
    Q_DISABLE_COPY_MOVE(CardStream)
    operator cuda::Stream() const { return m_stream; }  // NOLINT(google-explicit-constructor)

  private:
    cudaStream_t m_stream = nullptr;
};

}  // namespace hearth

// What a kernel wrote, with nothing around it touched and nothing that CUDA complains about.
#define COMPARE_CARD(onCard, expected, where)                                                                \
    do {                                                                                                     \
        const QString apart = difference((onCard).get(), expected);                                          \
        QVERIFY2(apart.isEmpty(), qPrintable(QStringLiteral(#onCard ", %1: %2").arg(where, apart)));         \
        QVERIFY2((onCard).isFramed(), qPrintable(QStringLiteral("written beyond " #onCard ", ") + (where))); \
        const char *wrong = cuda::lastError();                                                               \
        QVERIFY2(!wrong, wrong);                                                                             \
    } while (false)
