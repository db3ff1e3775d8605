#include "tests/core/cuda/kernel_case.h"

#include <algorithm>
#include <limits>

namespace hearth {

std::mt19937_64 random64;

namespace {

template <class T>
Bytes numbers(qint64 count) {
    Bytes bytes(static_cast<std::size_t>(count) * sizeof(T));
    for (qint64 i = 0; i < count; ++i) {
        const quint64 word = random64();
        T value = static_cast<T>(static_cast<double>(word >> 11) * 0x1p-53 - 0.5);
        switch (word % 64) {
            case 0:
                value = 0;
                break;
            case 1:
                value = -T(0);
                break;
            case 2:
                value *= std::numeric_limits<T>::min();
                break;
            case 3:
                value *= std::numeric_limits<T>::denorm_min() * T(1000);
                break;
            case 4:
                value *= static_cast<T>(1e15);
                break;
            default:
                break;
        }
        std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
    }
    return bytes;
}

}  // namespace

Bytes numbers(DType type, qint64 count) {
    return type == DType::Float64 ? numbers<double>(count) : numbers<float>(count);
}

QString difference(const Bytes &card, const Bytes &processor) {
    if (card.size() != processor.size())
        return QStringLiteral("%1 bytes instead of %2").arg(card.size()).arg(processor.size());
    if (card.empty() || std::memcmp(card.data(), processor.data(), card.size()) == 0)
        return {};
    const auto [mine, theirs] = std::ranges::mismatch(card, processor);
    qsizetype others = 0;
    for (std::size_t i = 0; i < card.size(); ++i)
        others += card[i] != processor[i];
    return QStringLiteral("byte %1 of %2 is %3 instead of %4, and %5 in all are other ones")
        .arg(mine - card.begin())
        .arg(card.size())
        .arg(int(*mine), 2, 16, QLatin1Char('0'))
        .arg(int(*theirs), 2, 16, QLatin1Char('0'))
        .arg(others);
}

void addTypes() {
    QTest::addColumn<DType>("type");
    QTest::newRow("32 bits") << DType::Float32;
    QTest::newRow("64 bits") << DType::Float64;
}

QString placeOf(qint64 count, std::size_t one, std::size_t other) {
    return QStringLiteral("%1 values at %2 and %3").arg(count).arg(one).arg(other);
}

CardStream::CardStream() {
    const quint64 seed = std::random_device{}();
    qInfo("Seed %llu", seed);
    random64.seed(seed);
    if (cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking) != cudaSuccess)
        qFatal("The card gives no stream.");
}

CardStream::~CardStream() {
    cudaStreamDestroy(m_stream);
}

}  // namespace hearth
