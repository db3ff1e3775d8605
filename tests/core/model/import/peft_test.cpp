// What leaves for PEFT, and what cannot. That it computes the same: tests/integration/peft.py.
#include "core/model/import/peft.h"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/json_reader.h"
#include "core/model/adapters.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "tests/core/base/small_disk.h"

using namespace hearth;
using namespace Qt::StringLiterals;

namespace {

/// One block, tied words; the folder has no head.
const QByteArray bert = R"({"model_type": "bert", "hidden_size": 12, "num_hidden_layers": 1, "num_attention_heads": 3,
    "intermediate_size": 20, "vocab_size": 37, "max_position_embeddings": 16})";
const QByteArray distilbert = R"({"model_type": "distilbert", "dim": 12, "n_layers": 1, "n_heads": 3, "hidden_dim": 20,
    "vocab_size": 37, "max_position_embeddings": 16})";

}  // namespace

class PeftTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString path(const QString &name = {}) const { return m_folder->filePath(name); }
    /// The folder of a network without a head; the network with one.
    Model make(const QByteArray &config, TextHead head) {
        m_options.head = head;
        QFile file(path(u"config.json"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write(config) != config.size())
            qFatal("cannot write");
        const Model model = *modelFromConfig(*parseJsonObject(config, u"c"_s), u"m"_s, m_options, u"c"_s);
        std::vector<NamedTensor> kept = initialise(model, 1, DType::Float32);
        std::erase_if(kept, [](const NamedTensor &each) { return !each.spec.name.contains("bert."_L1); });
        std::map<QString, NamedTensor> once;
        for (NamedTensor &each : kept)
            once.insert({each.spec.name, std::move(each)});
        kept.clear();
        for (auto &[name, each] : once)
            kept.push_back(std::move(each));
        if (!writeSafetensors(path(u"model.safetensors"_s), std::move(kept)))
            qFatal("cannot write");
        return model;
    }
    static std::vector<NamedTensor> trained(const Model &model) {
        std::vector<NamedTensor> weights;
        QStringList done;
        for (NamedTensor &each : initialise(model, 7, DType::Float32)) {
            if (!done.contains(each.spec.name))
                weights.push_back(std::move(each)), done << weights.back().spec.name;
        }
        return weights;
    }

    HeadOptions m_options;

  private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void adaptersAndTheClassifierAreWritten_data() {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QStringList>("targets");
        QTest::addColumn<QStringList>("saved");
        QTest::newRow("BERT") << bert
                              << QStringList{u"bert.encoder.layer.0.attention.self.query"_s,
                                             u"bert.encoder.layer.0.attention.self.value"_s}
                              << QStringList{u"classifier"_s};
        // PEFT takes its classifier for the end of both names.
        QTest::newRow("DistilBERT") << distilbert
                                    << QStringList{u"distilbert.transformer.layer.0.attention.q_lin"_s,
                                                   u"distilbert.transformer.layer.0.attention.v_lin"_s}
                                    << QStringList{u"classifier"_s, u"pre_classifier"_s};
    }
    void adaptersAndTheClassifierAreWritten() {
        QFETCH(QByteArray, config);
        QFETCH(QStringList, targets);
        QFETCH(QStringList, saved);
        AdapterSpec lora;
        lora.rank = 3;
        lora.alpha = 16;  // no multiple of the rank
        lora.dropout = 0.1;
        // Also where nothing but adapters was trained.
        const auto model = withAdapters(make(config, TextHead::SequenceClassification), lora, {u"*"_s});
        QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
        const QString to = path(u"peft"_s);
        const auto written = exportPeft(path(), m_options, *model, trained(*model), to);
        QVERIFY2(written, written ? "" : qPrintable(written.error().toString()));
        const QJsonObject said = *readJsonFile(to + "/adapter_config.json"_L1);
        QCOMPARE(said["peft_type"_L1].toString(), u"LORA"_s);
        QCOMPARE(said["task_type"_L1].toString(), u"SEQ_CLS"_s);
        QCOMPARE(said["base_model_name_or_path"_L1].toString(), QDir(path()).absolutePath());
        QCOMPARE(said["r"_L1].toInt(), 3);
        QCOMPARE(said["lora_alpha"_L1].toDouble(), 16.0);
        QCOMPARE(said["lora_dropout"_L1].toDouble(), 0.1);
        QCOMPARE(said["target_modules"_L1].toArray(), QJsonArray::fromStringList(targets));
        QCOMPARE(said["modules_to_save"_L1].toArray(), QJsonArray::fromStringList(saved));
        QVERIFY(!said["fan_in_fan_out"_L1].toBool(true));
        QStringList expected, names;
        for (const QString &target : std::as_const(targets))
            expected << target + ".lora_A.weight"_L1 << target + ".lora_B.weight"_L1;
        for (const QString &module : std::as_const(saved))
            expected << module + ".weight"_L1 << module + ".bias"_L1;
        for (QString &name : expected)
            name.prepend("base_model.model."_L1);
        const auto tensors = readSafetensors(to + "/adapter_model.safetensors"_L1);
        QVERIFY(tensors);
        for (const NamedTensor &each : *tensors)
            names << each.spec.name;
        expected.sort();
        names.sort();
        QCOMPARE(names, expected);
    }

    void whatPeftCannotKeepIsSaid_data() {
        QTest::addColumn<TextHead>("head");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QStringList>("freeze");
        QTest::addColumn<QString>("code");
        const QStringList usual;
        QTest::newRow("bottlenecks") << TextHead::SequenceClassification << u"bottleneck"_s << usual
                                     << u"adapters.not-linear"_s;
        QTest::newRow("no adapters") << TextHead::SequenceClassification << QString() << usual << u"adapters.none"_s;
        QTest::newRow("a new head that shares the words")
            << TextHead::MaskedLanguage << u"lora"_s << usual << u"peft.module"_s;
        QTest::newRow("an op that was trained and has an adapter")
            << TextHead::SequenceClassification << u"lora"_s << QStringList{u"*"_s, u"!*.self.query"_s}
            << u"peft.module"_s;
    }
    void whatPeftCannotKeepIsSaid() {
        QFETCH(TextHead, head);
        QFETCH(QString, kind);
        QFETCH(QStringList, freeze);
        QFETCH(QString, code);
        const Model plain = make(bert, head);
        AdapterSpec spec;
        spec.kind = kind == "lora"_L1 ? AdapterSpec::Kind::Lora : AdapterSpec::Kind::Bottleneck;
        const Model model = kind.isEmpty() ? plain : *withAdapters(plain, spec, freeze);
        const QString to = path(u"peft"_s);
        const auto written = exportPeft(path(), m_options, model, trained(model), to);
        QVERIFY(!written);
        QCOMPARE(written.error().code, code);
        QVERIFY(!written.error().advice.isEmpty());
        QVERIFY(!QFile::exists(to));
    }

    void aFullDiskLeavesNoHalfFolder() {
        const auto model = withAdapters(make(bert, TextHead::SequenceClassification), AdapterSpec());
        QVERIFY(model);
        const QString to = path(u"peft"_s);
        {
            const SmallDisk disk(1024);
            const auto written = exportPeft(path(), m_options, *model, trained(*model), to);
            QVERIFY(!written);
            QCOMPARE(written.error().code, u"file.unwritable"_s);
            QVERIFY(!QFile::exists(to));
        }
        QVERIFY(exportPeft(path(), m_options, *model, trained(*model), to));
    }

    void weightsOfAnotherNetworkAreRefused() {
        const Model small = *withAdapters(make(bert, TextHead::SequenceClassification), AdapterSpec());
        make(QByteArray(bert).replace("\"hidden_size\": 12", "\"hidden_size\": 24"), TextHead::SequenceClassification);
        const auto written = exportPeft(path(), m_options, small, trained(small), path(u"peft"_s));
        QVERIFY(!written);
        QVERIFY2(written.error().code.startsWith("weights."_L1), qPrintable(written.error().toString()));
    }
};

QTEST_GUILESS_MAIN(PeftTest)
#include "peft_test.moc"
