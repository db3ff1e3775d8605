// Initial weights: equal bits wherever and by whomever they are made.
#include <QTest>
#include <cmath>
#include <cstring>

#include "core/model/catalogue.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"

using namespace hearth;

namespace {

template <class T>
std::vector<T> values(const NamedTensor &tensor) {
    std::vector<T> out(static_cast<std::size_t>(tensor.spec.elements()));
    std::memcpy(out.data(), tensor.data->data(), out.size() * sizeof(T));
    return out;
}

}  // namespace

class InitTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void bitsNeverChange();
    void bothPrecisionsStartEqual();
    void aLayerAloneIsAsAmongAll();
    void seedsAndLayersDiffer();
    void valuesFillTheirBounds();
    void normalisationStartsAsIdentity();
};

// The hash and the values were computed by an independent implementation in Python with NumPy.
void InitTest::bitsNeverChange() {
    const auto model = loadModel(QStringLiteral("fashion-cnn"));
    QVERIFY(model);
    const auto weights = initialise(*model, 1, DType::Float32);
    QCOMPARE(weightsSha256(weights), QByteArray("b436217c98b99ee43b9af435c02c9c2ffea6d6ee3cf39d81ada8dfd0f421497f"));
    const auto first = values<float>(weights.front());
    QCOMPARE(first[0], 0x1.e29512p-2f);
    QCOMPARE(first[1], 0x1.035824p-1f);
    QCOMPARE(first[2], 0x1.3a6668p-4f);
}

void InitTest::bothPrecisionsStartEqual() {
    for (const QString &name : builtinModels()) {
        const auto model = loadModel(name);
        QVERIFY(model);
        if (model->parameterCount() > 30'000'000)
            continue;
        const auto narrow = initialise(*model, 5, DType::Float32), wide = initialise(*model, 5, DType::Float64);
        QCOMPARE(narrow.size(), wide.size());
        for (std::size_t i = 0; i < narrow.size(); ++i) {
            const auto a = values<float>(narrow[i]);
            const auto b = values<double>(wide[i]);
            QVERIFY(std::equal(a.begin(), a.end(), b.begin(), [](float x, double y) { return double{x} == y; }));
        }
    }
}

void InitTest::aLayerAloneIsAsAmongAll() {
    const auto model = loadModel(QStringLiteral("mobilenetv2"));
    QVERIFY(model);
    const auto all = initialise(*model, 9, DType::Float32);
    std::size_t next = 0;
    for (std::size_t i = 0; i < model->layers.size(); ++i) {
        for (const NamedTensor &tensor : initialise(*model, static_cast<int>(i), 9, DType::Float32)) {
            QCOMPARE(tensor.spec, all[next].spec);
            QVERIFY(std::memcmp(tensor.data->data(), all[next].data->data(),
                                static_cast<std::size_t>(tensor.data->size())) == 0);
            ++next;
        }
    }
    QCOMPARE(next, all.size());
}

void InitTest::seedsAndLayersDiffer() {
    const auto model = loadModel(QStringLiteral("mobilenetv2"));
    QVERIFY(model);
    QVERIFY(weightsSha256(initialise(*model, 1, DType::Float32)) !=
            weightsSha256(initialise(*model, 2, DType::Float32)));
    // Two layers of the same shape: block5 and block6.
    const auto a = values<float>(initialise(*model, 5, 1, DType::Float32).front());
    const auto b = values<float>(initialise(*model, 6, 1, DType::Float32).front());
    QCOMPARE(a.size(), b.size());
    QVERIFY(a != b);
}

void InitTest::valuesFillTheirBounds() {
    const auto model = loadModel(QStringLiteral("fashion-cnn"));
    QVERIFY(model);
    for (const NamedTensor &tensor : initialise(*model, 1, DType::Float32)) {
        if (tensor.spec.init != InitKind::Uniform)
            continue;
        const bool last = tensor.spec.name.startsWith(QLatin1String("classifier"));
        const qint64 fanIn = tensor.spec.elements() / tensor.spec.shape[0];
        QCOMPARE(tensor.spec.bound,
                 last ? std::sqrt(3.0 / static_cast<double>(fanIn)) / 10 : std::sqrt(6.0 / static_cast<double>(fanIn)));
        double largest = 0, squares = 0;
        const auto all = values<float>(tensor);
        for (const float value : all) {
            largest = std::max(largest, std::abs(double{value}));
            squares += double{value} * value;
        }
        QVERIFY(largest < tensor.spec.bound && largest > 0.98 * tensor.spec.bound);
        const double variance = squares / static_cast<double>(all.size());
        const double expected = tensor.spec.bound * tensor.spec.bound / 3;
        QVERIFY2(std::abs(variance / expected - 1) < 0.2, qPrintable(tensor.spec.name));
    }
}

void InitTest::normalisationStartsAsIdentity() {
    const auto model = loadModel(QStringLiteral("mobilenetv2"));
    QVERIFY(model);
    for (const NamedTensor &tensor : initialise(*model, 0, 1, DType::Float32)) {
        if (tensor.spec.init == InitKind::Uniform)
            continue;
        const float expected = tensor.spec.name.endsWith(QLatin1String("1.weight")) ||
                                       tensor.spec.name.endsWith(QLatin1String("running_var"))
                                   ? 1.0f
                                   : 0.0f;
        for (const float value : values<float>(tensor))
            QCOMPARE(value, expected);
    }
}

QTEST_GUILESS_MAIN(InitTest)
#include "init_test.moc"
