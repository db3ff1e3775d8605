// What a job says of adapters and of what is frozen, and the networks that come of it. That they train as they should
// is shown in tests/core/train.
#include "core/model/adapters.h"

#include <QTest>

#include "core/base/json_reader.h"
#include "core/model/catalogue.h"
#include "core/model/families/bert.h"
#include "core/model/init.h"
#include "core/model/merge_adapters.h"

using namespace hearth;

namespace {

QString text(const char *latin1) {
    return QString::fromLatin1(latin1);
}

const Model &bert() {
    static const Model model = *loadModel(text("bert-small:sequence=8"));
    return model;
}

Model distilbert() {
    BertDimensions d;
    d.distilled = true;
    d.blocks = 1;
    d.width = d.inner = d.words = d.positions = 16;
    d.heads = 2;
    d.sequence = 4;
    return *Model::fromJson(bertDescription(text("distilbert"), d), text("test"));
}

QStringList trained(const Model &model) {
    QStringList names;
    for (const TensorSpec &spec : model.tensors()) {
        if (spec.isTrainable())
            names << spec.name;
    }
    return names;
}

}  // namespace

class AdaptersTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void specsSurviveJson_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("LoRA of everything usual") << QByteArray(R"({"kind":"lora"})");
        QTest::newRow("LoRA as it is wanted")
            << QByteArray(R"({"kind":"lora","rank":4,"alpha":8,"dropout":0.05,"targets":["*.query","*.value"]})");
        QTest::newRow("bottlenecks") << QByteArray(R"({"kind":"bottleneck","features":64})");
    }
    void specsSurviveJson() {
        QFETCH(QByteArray, json);
        const auto spec = AdapterSpec::fromJson(*parseJsonObject(json, text("t")), text("job.json"), text("/adapters"));
        QVERIFY2(spec, spec ? "" : qPrintable(spec.error().toString()));
        const auto again = AdapterSpec::fromJson(spec->toJson(), text("again"), {});
        QVERIFY(again);
        QCOMPARE(*again, *spec);
    }

    void wrongSpecsAreToldWithTheirPlace_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("tells");
        QTest::newRow("another kind") << QByteArray(R"({"kind":"lore"})") << text("Did you mean \"lora\"?");
        QTest::newRow("a rank of nothing") << QByteArray(R"({"kind":"lora","rank":0})") << text("/adapters/rank");
        QTest::newRow("features of LoRA") << QByteArray(R"({"kind":"lora","features":3})") << text("features");
        QTest::newRow("targets that are numbers") << QByteArray(R"({"kind":"lora","targets":[3]})") << text("*.query");
    }
    void wrongSpecsAreToldWithTheirPlace() {
        QFETCH(QByteArray, json);
        QFETCH(QString, tells);
        const auto spec = AdapterSpec::fromJson(*parseJsonObject(json, text("t")), text("job.json"), text("/adapters"));
        QVERIFY(!spec);
        QVERIFY2(spec.error().toString().contains(tells), qPrintable(spec.error().toString()));
    }

    void usualTargetsAreThoseOfTheFamily_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QStringList>("lora");
        QTest::newRow("an encoder") << text("bert-small") << QStringList{text("*.query"), text("*.value")};
        QTest::newRow("a decoder") << text("gpt2:sequence=16") << QStringList{text("*.attn.c_attn")};
        QTest::newRow("both") << text("t5-small") << QStringList{text("*Attention.q"), text("*Attention.v")};
        QTest::newRow("a network of layers") << text("fashion-cnn") << QStringList();
    }
    void usualTargetsAreThoseOfTheFamily() {
        QFETCH(QString, model);
        QFETCH(QStringList, lora);
        QCOMPARE(usualTargets(*loadModel(model), AdapterSpec::Kind::Lora), lora);
    }

    void targetsAndFreezeSayWhatIsTrained() {
        AdapterSpec lora;
        lora.targets = {text("*.0.attention.self.query")};
        const auto adapted = withAdapters(bert(), lora, {text("*"), text("!*.3.output.dense"), text("!classifier")});
        QVERIFY2(adapted, adapted ? "" : qPrintable(adapted.error().toString()));
        const QString block = text("bert.encoder.layer.");
        QCOMPARE(
            trained(*adapted),
            (QStringList{block + text("0.attention.self.query.lora_A.weight"),
                         block + text("0.attention.self.query.lora_B.weight"), block + text("3.output.dense.weight"),
                         block + text("3.output.dense.bias"), text("classifier.weight"), text("classifier.bias")}));
        QCOMPARE(adapted->elements(TensorRole::Frozen) + adapted->elements(TensorRole::Trainable),
                 bert().parameterCount() + 2 * lora.rank * 512);
    }

    /// LoRA beside an op makes no further place to cut: blocks are as whole as without.
    void layersStayAsTheyWere_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<double>("dropout");
        QTest::newRow("an encoder") << text("bert-small") << 0.0;
        QTest::newRow("an encoder, dropout in LoRA") << text("bert-small") << 0.1;
        QTest::newRow("a decoder") << text("gpt2:sequence=16") << 0.1;
        QTest::newRow("both") << text("t5-small") << 0.1;
        QTest::newRow("of pictures") << text("vit-tiny") << 0.0;
    }
    void layersStayAsTheyWere() {
        QFETCH(QString, model);
        QFETCH(double, dropout);
        const Model plain = *loadModel(model);
        for (const AdapterSpec::Kind kind : {AdapterSpec::Kind::Lora, AdapterSpec::Kind::Bottleneck}) {
            AdapterSpec spec;
            spec.kind = kind;
            spec.dropout = dropout;
            if (kind == AdapterSpec::Kind::Lora && model == text("vit-tiny"))
                spec.targets = {text("*.attention.query"), text("*.attention.value")};
            if (kind == AdapterSpec::Kind::Bottleneck && model == text("vit-tiny"))
                continue;
            const auto adapted = withAdapters(plain, spec);
            QVERIFY2(adapted, adapted ? "" : qPrintable(adapted.error().toString()));
            QStringList before, after;
            for (const Layer &layer : plain.layers)
                before << layer.name;
            for (const Layer &layer : adapted->layers)
                after << layer.name;
            QCOMPARE(after, before);
        }
    }

    void freezingNeedsNoAdapters() {
        const auto head = withFrozen(bert(), {text("*"), text("!classifier")});
        QVERIFY(head);
        QCOMPARE(trained(*head), (QStringList{text("classifier.weight"), text("classifier.bias")}));
        QCOMPARE(head->parameterCount(), bert().parameterCount());
        const Model layers = *loadModel(text("fashion-cnn"));
        const auto last = withFrozen(layers, {text("*"), QLatin1Char('!') + layers.layers.back().name});
        QVERIFY2(last, last ? "" : qPrintable(last.error().toString()));
        for (const QString &name : trained(*last))
            QVERIFY(name.startsWith(layers.layers.back().name));
        QVERIFY(!trained(*last).isEmpty());
    }

    void whatFitsNothingIsNamed_data() {
        QTest::addColumn<bool>("adapters");
        QTest::addColumn<QStringList>("targets");
        QTest::addColumn<QStringList>("freeze");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("tells");
        const QStringList none;
        QTest::newRow("a target") << true << QStringList{text("*.query"), text("*.qvery")} << none
                                  << text("adapters.no-match") << text("*.qvery");
        QTest::newRow("a target that is no linear op")
            << true << QStringList{text("*.LayerNorm")} << none << text("adapters.no-match") << text("*.LayerNorm");
        QTest::newRow("what is frozen") << true << none << QStringList{text("bart.*")} << text("adapters.no-match")
                                        << text("bart.*");
        QTest::newRow("what is taken back")
            << false << none << QStringList{text("*"), text("!head.*")} << text("adapters.no-match") << text("!head.*");
        QTest::newRow("nothing is left") << false << none << QStringList{text("*")} << text("adapters.all-frozen")
                                         << text("bert-small");
    }
    void whatFitsNothingIsNamed() {
        QFETCH(bool, adapters);
        QFETCH(QStringList, targets);
        QFETCH(QStringList, freeze);
        QFETCH(QString, code);
        QFETCH(QString, tells);
        AdapterSpec lora;
        lora.targets = targets;
        const auto model = adapters ? withAdapters(bert(), lora, freeze) : withFrozen(bert(), freeze);
        QVERIFY(!model);
        QCOMPARE(model.error().code, code);
        QVERIFY2(model.error().what.contains(tells), qPrintable(model.error().toString()));
    }

    void theUsualFreezeLeavesAllOfAClassifier() {
        const auto adapted = withAdapters(distilbert(), AdapterSpec());
        QVERIFY2(adapted, adapted ? "" : qPrintable(adapted.error().toString()));
        QStringList others = trained(*adapted);
        others.removeIf(isLoraTensor);
        QCOMPARE(others, (QStringList{text("pre_classifier.weight"), text("pre_classifier.bias"),
                                      text("classifier.weight"), text("classifier.bias")}));
    }

    void withoutLoraItIsTheNetworkThatItWas() {
        AdapterSpec lora;
        lora.dropout = 0.1;
        lora.targets = {text("*.query"), text("classifier")};  // the last of which gives what the network gives
        const auto adapted = withAdapters(bert(), lora, {text("classifier"), text("!*")});
        QVERIFY2(adapted, adapted ? "" : qPrintable(adapted.error().toString()));
        const auto places = loraOf(*adapted);
        QVERIFY(places);
        QCOMPARE(places->size(), std::size_t{5});
        QCOMPARE(places->front().rank(), lora.rank);
        QCOMPARE(places->front().dropout, lora.dropout);
        const auto without = withoutLora(*adapted);
        QVERIFY2(without, without ? "" : qPrintable(without.error().toString()));
        QCOMPARE(without->toJson(), bert().toJson());
    }

    void mergingRefusesWhatIsNotLora_data() {
        QTest::addColumn<QString>("which");
        QTest::addColumn<QString>("code");
        QTest::newRow("bottlenecks") << text("bottleneck") << text("adapters.not-linear");
        QTest::newRow("a network without adapters") << text("plain") << text("adapters.none");
        QTest::newRow("weights of another network") << text("lora") << text("weights.mismatch");
    }
    void mergingRefusesWhatIsNotLora() {
        QFETCH(QString, which);
        QFETCH(QString, code);
        AdapterSpec spec;
        spec.kind = which == text("bottleneck") ? AdapterSpec::Kind::Bottleneck : AdapterSpec::Kind::Lora;
        const Model model = which == text("plain") ? bert() : *withAdapters(bert(), spec);
        const auto merged = mergedWeights(model, initialise(bert(), 1, DType::Float32));
        QVERIFY(!merged);
        QCOMPARE(merged.error().code, code);
    }

    /// GPT-2 keeps inputs as rows.
    void transposedWeightsAreMergedAsTheyLie() {
        const auto adapted = withAdapters(*loadModel(text("gpt2:sequence=4")), AdapterSpec());
        QVERIFY(adapted);
        std::vector<NamedTensor> weights;
        for (const TensorSpec &spec : adapted->tensors()) {
            if (!spec.name.contains(text("h.0.attn.c_attn")))
                continue;
            NamedTensor tensor{spec, DType::Float32, Buffer::allocate(spec.bytes(DType::Float32))};
            std::fill_n(reinterpret_cast<float *>(tensor.data->data()), spec.elements(), 0.0F);
            auto *values = reinterpret_cast<float *>(tensor.data->data());
            if (spec.name.endsWith(text("lora_A.weight")))
                values[5] = 3;  // rank 0, input 5
            if (spec.name.endsWith(text("lora_B.weight")))
                values[qint64{7} * AdapterSpec().rank] = 2;  // output 7, rank 0
            weights.push_back(std::move(tensor));
        }
        std::vector<NamedTensor> others = initialise(*adapted, 1, DType::Float32);
        for (NamedTensor &tensor : others) {
            for (const NamedTensor &own : weights) {
                if (own.spec.name == tensor.spec.name)
                    tensor = own;
            }
        }
        const auto merged = mergedWeights(*adapted, others);
        QVERIFY2(merged, merged ? "" : qPrintable(merged.error().toString()));
        for (const NamedTensor &tensor : *merged) {
            if (!tensor.spec.name.endsWith(text("h.0.attn.c_attn.weight")))
                continue;
            const auto *values = reinterpret_cast<const float *>(tensor.data->data());
            for (qint64 i = 0; i < tensor.spec.elements(); ++i)
                QCOMPARE(values[i], i == 5 * 3 * 768 + 7 ? 12.0F : 0.0F);  // 16 / 8 · 2 · 3
            return;
        }
        QFAIL("there is no such weight");
    }
};

QTEST_GUILESS_MAIN(AdaptersTest)
#include "adapters_test.moc"
