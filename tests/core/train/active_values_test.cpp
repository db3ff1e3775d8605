#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/train/active_values.h"

using namespace hearth;

namespace {

template <class Number>
std::span<const std::byte> bytesOf(const std::vector<Number> &values) {
    return std::as_bytes(std::span(values));
}

template <class Number>
std::vector<Number> valuesOf(const Buffer &buffer) {
    std::vector<Number> values(static_cast<std::size_t>(buffer.size()) / sizeof(Number));
    if (!values.empty())
        std::memcpy(values.data(), buffer.data(), values.size() * sizeof(Number));
    return values;
}

/// There and back: zeros where the rectifier gave none, all else as it was.
template <class Number>
bool comeBack(DType type, std::size_t count) {
    std::mt19937 random(static_cast<unsigned>(count));
    std::normal_distribution<Number> next;
    std::vector<Number> activations(count), gradient(count), wanted(count);
    for (std::size_t i = 0; i < count; ++i) {
        activations[i] = std::max(next(random), Number{0});
        gradient[i] = next(random);
        wanted[i] = activations[i] > 0 ? gradient[i] : 0;
    }
    const auto active = activeValues(type, bytesOf(activations), bytesOf(gradient));
    const auto back = withZeros(type, bytesOf(activations), std::as_const(*active).bytes());
    return back && valuesOf<Number>(*back) == wanted;
}

}  // namespace

/// Gradients without the values that come to nothing.
class ActiveValuesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void allThatCountsComesBack() {
        for (const std::size_t count : {0, 1, 2, 63, 1000}) {
            QVERIFY(comeBack<float>(DType::Float32, count));
            QVERIFY(comeBack<double>(DType::Float64, count));
        }
    }

    void whatIsNoNumberIsKept() {
        const std::vector<float> activations{0, std::numeric_limits<float>::quiet_NaN(), -0.F, 1};
        const std::vector<float> gradient{1, 2, std::numeric_limits<float>::infinity(), 4};
        const auto active = activeValues(DType::Float32, bytesOf(activations), bytesOf(gradient));
        QCOMPARE(valuesOf<float>(*active), (std::vector<float>{2, 4}));
        const auto back = withZeros(DType::Float32, bytesOf(activations), std::as_const(*active).bytes());
        QCOMPARE(valuesOf<float>(*back), (std::vector<float>{0, 2, 0, 4}));
    }

    void anotherNumberOfValuesIsRefused() {
        const std::vector<float> activations{0, 1, 2};
        for (const std::size_t count : {0, 1, 3, 4}) {
            const std::vector<float> active(count);
            QVERIFY(!withZeros(DType::Float32, bytesOf(activations), bytesOf(active)));
        }
    }
};

QTEST_GUILESS_MAIN(ActiveValuesTest)
#include "active_values_test.moc"
