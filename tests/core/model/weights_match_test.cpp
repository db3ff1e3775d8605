// Initial weights from a file that has a part of a model's tensors.
#include "core/model/weights_match.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "core/model/safetensors_source.h"

using namespace hearth;

namespace {

Model network() {
    return *Model::fromJson(QJsonDocument::fromJson(R"({"format":"hearth-model/1","name":"small",
        "inputs":[{"name":"x","shape":[3]}],"graph":[
        {"name":"body","kind":"linear","features":4},{"name":"act","kind":"relu"},
        {"name":"head","kind":"linear","features":2}]})")
                                .object(),
                            QStringLiteral("test"));
}

template <class T>
NamedTensor tensor(const char *name, const Shape &shape, DType type, const std::vector<T> &values) {
    NamedTensor result;
    result.spec.name = QLatin1String(name);
    result.spec.shape = shape;
    result.dtype = type;
    result.data = Buffer::allocate(static_cast<qsizetype>(values.size() * sizeof(T)));
    std::memcpy(result.data->data(), values.data(), values.size() * sizeof(T));
    return result;
}

double valueOf(const NamedTensor &tensor, std::size_t index) {
    double value = 0;
    std::memcpy(&value, tensor.data->data() + index * sizeof value, sizeof value);
    return value;
}

}  // namespace

class WeightsMatchTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_file = m_folder.filePath(QStringLiteral("part.safetensors"));
        const auto bits = [](float value) { return static_cast<quint16>(std::bit_cast<quint32>(value) >> 16); };
        QVERIFY(writeSafetensors(
            m_file, {tensor<float>("body.weight", {4, 3}, DType::Float32, std::vector<float>(12, 0.25F)),
                     tensor<quint16>("body.bias", {4}, DType::BFloat16, {bits(1), bits(-2), bits(0.5F), bits(0)}),
                     tensor<float>("head.weight", {3, 4}, DType::Float32, std::vector<float>(12)),
                     tensor<float>("pooler.bias", {4}, DType::Float32, std::vector<float>(4))}));
    }

    void whatMatchesIsToldByName() {
        const auto source = openSafetensors({m_file});
        QVERIFY(source);
        const WeightsMatch match = WeightsMatch::of(network(), **source);
        QCOMPARE(match.matched, (QStringList{QStringLiteral("body.weight"), QStringLiteral("body.bias")}));
        QCOMPARE(match.fresh, QStringList{QStringLiteral("head.bias")});
        QCOMPARE(match.reshaped.size(), std::size_t{1});
        QCOMPARE(match.unused, QStringList{QStringLiteral("pooler.bias")});
        QCOMPARE(match.toSentence().english(),
                 QString::fromUtf8("From the file: 2 of the model's 4 tensors. New: 1 (head.bias). Of another shape "
                                   "there: 1 (head.weight: 3×4 instead of 2×4). Of no use here: 1 (pooler.bias)."));
    }

    void theRestIsOfTheSeed() {
        const auto source = openSafetensors({m_file});
        QVERIFY(source);
        const Model model = network();
        const auto layers = matchingWeights(model, **source, DType::Float64, 7, m_file);
        QVERIFY2(layers, layers ? "" : qPrintable(layers.error().toString()));
        std::vector<NamedTensor> all;
        for (const auto &layer : *layers)
            all.insert(all.end(), layer.begin(), layer.end());
        const std::vector<NamedTensor> seeded = initialise(model, 7, DType::Float64);
        QCOMPARE(all.size(), seeded.size());
        QCOMPARE(valueOf(all[0], 11), 0.25);
        QCOMPARE(valueOf(all[1], 0), 1.0);
        QCOMPARE(valueOf(all[1], 1), -2.0);
        for (std::size_t i = 2; i < all.size(); ++i) {
            QCOMPARE(all[i].spec.name, seeded[i].spec.name);
            QVERIFY(std::ranges::equal(all[i].data->bytes(), seeded[i].data->bytes()));
        }
    }

    void aFileOfAnotherNetworkIsAnError() {
        const QString other = m_folder.filePath(QStringLiteral("other.safetensors"));
        QVERIFY(writeSafetensors(other, {tensor<float>("conv.weight", {1}, DType::Float32, {1})}));
        const auto source = openSafetensors({other});
        QVERIFY(source);
        const auto layers = matchingWeights(network(), **source, DType::Float32, 1, other);
        QVERIFY(!layers);
        QCOMPARE(layers.error().code, QStringLiteral("weights.mismatch"));
        QVERIFY(layers.error().toString().contains(QStringLiteral("other.safetensors has no weights")));
    }

  private:
    QTemporaryDir m_folder;
    QString m_file;
};

QTEST_GUILESS_MAIN(WeightsMatchTest)
#include "weights_match_test.moc"
