// Folders of Hugging Face networks: what is in them, what is refused, and back. What they compute: tests/core/train.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>

#include "core/base/json_reader.h"
#include "core/model/import/hugging_face.h"
#include "core/model/import/open_model.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "tests/core/base/small_disk.h"

using namespace hearth;

namespace {

QString text(const char *latin) {
    return QString::fromLatin1(latin);
}

const QByteArray bertConfig = R"({"model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": 12,
    "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 20, "vocab_size": 37,
    "max_position_embeddings": 16, "torch_dtype": "float32", "unheard_of": [1, 2]})";

const QByteArray vitConfig = R"({"model_type": "vit", "architectures": ["ViTForImageClassification"], "hidden_size": 12,
    "num_hidden_layers": 1, "num_attention_heads": 3, "intermediate_size": 20, "image_size": 8, "patch_size": 4,
    "label2id": {"tench": 0, "shark": 1, "ray": 2}, "id2label": {"0": "tench", "1": "shark", "2": "ray"}, "a": [1]})";

NamedTensor zeros(const QString &name, const Shape &shape) {
    NamedTensor tensor;
    tensor.spec.name = name;
    tensor.spec.shape = shape;
    tensor.data = Buffer::allocate(tensor.spec.bytes(tensor.dtype));
    std::memset(tensor.data->data(), 0, static_cast<std::size_t>(tensor.data->size()));
    return tensor;
}

}  // namespace

class HuggingFaceFolderTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString path(const QString &name = {}) const { return m_folder->filePath(name); }
    void write(const QString &name, const QByteArray &content) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write");
    }
    /// The tensors of the network that `config` describes, under the names that `rename` gives them.
    std::vector<NamedTensor> tensorsOf(const QByteArray &config, const HeadOptions &options,
                                       const std::function<QString(const QString &)> &rename) const {
        const Model model = *modelFromConfig(QJsonDocument::fromJson(config).object(), text("m"), options, text("c"));
        std::vector<NamedTensor> tensors;
        QStringList done;
        for (NamedTensor &tensor : initialise(model, 1, DType::Float32)) {
            const QString name = rename(tensor.spec.name);
            if (!name.isEmpty() && !done.contains(name)) {
                tensor.spec.name = name;
                done << name;
                tensors.push_back(std::move(tensor));
            }
        }
        return tensors;
    }
    static QString same(const QString &name) { return name; }
    QString notesOf(const ImportedModel &imported) const {
        QStringList notes;
        for (const Sentence &note : imported.notes)
            notes << note.english();
        return notes.join(QLatin1Char(' '));
    }

  private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aFolderIsANetworkWithItsWeights() {
        write(text("config.json"), bertConfig);
        QVERIFY(writeSafetensors(path(text("model.safetensors")), tensorsOf(bertConfig, {}, same)));
        const auto imported = openModel(path() + text(":sequence=7"));
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        QCOMPARE(imported->model.inputs[0].shape, Shape{7});
        QCOMPARE(imported->model.classes, 37);
        QCOMPARE(imported->notes.size(), std::size_t{1});
        for (const TensorSpec &spec : imported->model.tensors())
            QCOMPARE(imported->weights->read(spec.name)->spec.shape, spec.shape);
    }

    void aFolderWithoutAConfigurationSaysWhatIsMissing() {
        const auto missing = openModel(path());
        QVERIFY(!missing);
        QVERIFY2(missing.error().toString().contains(text("has no config.json")),
                 qPrintable(missing.error().toString()));
        QVERIFY(QDir(path()).mkpath(text("snapshot")));
        write(text("snapshot/config.json"), bertConfig);
        QCOMPARE(openModel(path()).error().advice.english(),
                 text("Choose the folder \"snapshot\" in it, which has one."));
    }

    void filesOfTheBareNetworkAndOldNamesAreUnderstood() {
        write(text("config.json"), bertConfig);
        HeadOptions options;
        options.head = TextHead::TokenClassification;
        options.classes = 5;
        // Of a network without a head, LayerNorm as TensorFlow called it, and a tensor that nobody uses.
        auto tensors = tensorsOf(bertConfig, options, [](QString name) {
            if (!name.startsWith(text("bert.")))
                return QString();
            name = name.mid(5);
            if (name.contains(text("LayerNorm")))
                name.replace(text(".weight"), text(".gamma")).replace(text(".bias"), text(".beta"));
            return name;
        });
        tensors.push_back(zeros(text("pooler.dense.weight"), {12, 12}));
        tensors.push_back(zeros(text("embeddings.position_ids"), {1, 16}));
        QVERIFY(writeSafetensors(path(text("model.safetensors")), tensors));
        const auto imported = importHuggingFace(path(), options);
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        const QString notes = notesOf(*imported);
        QVERIFY2(notes.contains(text("2 are new and begin at random: classifier.weight, classifier.bias")),
                 qPrintable(notes));
        QVERIFY2(notes.contains(text("1 of the file are not used: pooler.dense.weight")), qPrintable(notes));
        QVERIFY(imported->weights->find(text("bert.encoder.layer.1.output.LayerNorm.bias")));
        QVERIFY(!imported->weights->find(text("classifier.weight")));
    }

    void aHeadOfOtherClassesIsNew() {
        write(text("config.json"), bertConfig);
        HeadOptions five, three;
        five.head = three.head = TextHead::SequenceClassification;
        five.classes = 5;
        three.classes = 3;
        QVERIFY(writeSafetensors(path(text("model.safetensors")), tensorsOf(bertConfig, five, same)));
        const auto imported = importHuggingFace(path(), three);
        QVERIFY(imported);
        QVERIFY2(notesOf(*imported).contains(text("2 have another shape")), qPrintable(notesOf(*imported)));
    }

    void weightsMayLieInSeveralFiles() {
        write(text("config.json"), bertConfig);
        const auto all = tensorsOf(bertConfig, {}, same);
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
        QVERIFY(writeSafetensors(path(text("a.safetensors")), {all.begin(), middle}));
        QVERIFY(writeSafetensors(path(text("b.safetensors")), {middle, all.end()}));
        QJsonObject map;
        for (auto it = all.begin(); it != all.end(); ++it)
            map[it->spec.name] = text(it < middle ? "a.safetensors" : "b.safetensors");
        write(text("model.safetensors.index.json"), QJsonDocument(QJsonObject{{text("weight_map"), map}}).toJson());
        const auto imported = importHuggingFace(path());
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        QCOMPARE(imported->notes.size(), std::size_t{1});
        // One that is cut short later is an error when it is read.
        QVERIFY(QFile::resize(path(text("b.safetensors")), 100));
        const auto gone = imported->weights->read(all.back().spec.name);
        QVERIFY(!gone);
        QCOMPARE(gone.error().code, text("weights.changed"));
    }

    void whatCannotBeTrainedIsRefused_data() {
        QTest::addColumn<QByteArray>("change");
        QTest::addColumn<QString>("said");
        QTest::newRow("an unknown kind") << QByteArray(R"({"model_type": "mamba"})") << text("Known are bert,");
        QTest::newRow("no kind") << QByteArray(R"({"model_type": null})") << text("\"model_type\"");
        QTest::newRow("heads that do not divide")
            << QByteArray(R"({"num_attention_heads": 5})") << text("does not divide");
        QTest::newRow("a huge width") << QByteArray(R"({"hidden_size": 1e18})") << text("hidden_size");
        QTest::newRow("a negative width") << QByteArray(R"({"hidden_size": -3})") << text("hidden_size");
        QTest::newRow("a width that is a text") << QByteArray(R"({"hidden_size": "12"})") << text("whole number");
        QTest::newRow("millions of blocks")
            << QByteArray(R"({"num_hidden_layers": 1000000})") << text("num_hidden_layers");
        QTest::newRow("another activation") << QByteArray(R"({"hidden_act": "mish"})") << text("mish");
        QTest::newRow("relative positions")
            << QByteArray(R"({"position_embedding_type": "relative_key"})") << text("position_embedding_type");
        QTest::newRow("a head that it has not")
            << QByteArray(R"({"architectures": ["BertForCausalLM"]})") << text("masked-language");
        QTest::newRow("scaled rotary positions")
            << QByteArray(R"({"model_type": "llama", "rope_scaling": {"rope_type": "llama3", "factor": 8.0}})")
            << text("llama3");
    }

    void whatCannotBeTrainedIsRefused() {
        QFETCH(QByteArray, change);
        QJsonObject config = QJsonDocument::fromJson(bertConfig).object();
        const QJsonObject other = QJsonDocument::fromJson(change).object();
        for (auto it = other.begin(); it != other.end(); ++it)
            config[it.key()] = it.value();
        const auto model = modelFromConfig(config, text("m"), {}, text("config.json"));
        QVERIFY(!model);
        QFETCH(QString, said);
        QVERIFY2(model.error().toString().contains(said), qPrintable(model.error().toString()));
        QVERIFY(model.error().toString().contains(text("config.json")));
    }

    void foldersThatAreNotWholeAreRefused_data() {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("index");
        QTest::addColumn<QString>("code");
        QTest::newRow("no config") << QByteArray() << QByteArray() << text("model.no-config");
        QTest::newRow("no weights") << bertConfig << QByteArray() << text("model.no-weights");
        QTest::newRow("a file outside") << bertConfig << QByteArray(R"({"weight_map": {"a": "../a.safetensors"}})")
                                        << text("model.outside");
        QTest::newRow("an absolute path")
            << bertConfig << QByteArray(R"({"weight_map": {"a": "/etc/a.safetensors"}})") << text("model.outside");
        QTest::newRow("a file of another kind")
            << bertConfig << QByteArray(R"({"weight_map": {"a": "a.bin"}})") << text("model.outside");
        QTest::newRow("a file that is not there")
            << bertConfig << QByteArray(R"({"weight_map": {"a": "a.safetensors"}})") << text("file.unreadable");
        QTest::newRow("an index without a map") << bertConfig << QByteArray("{}") << text("model.index");
        QTest::newRow("brackets without end")
            << QByteArray("{\"a\": " + QByteArray(100'000, '[')) << QByteArray() << text("json.syntax");
    }

    void foldersThatAreNotWholeAreRefused() {
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, index);
        if (!config.isEmpty())
            write(text("config.json"), config);
        if (!index.isEmpty())
            write(text("model.safetensors.index.json"), index);
        const auto imported = importHuggingFace(path());
        QVERIFY(!imported);
        QTEST(imported.error().code, "code");
        QVERIFY(!imported.error().advice.isEmpty() || imported.error().code == text("json.syntax"));
    }

    void weightsOfAnotherNetworkAreRefused() {
        write(text("config.json"), bertConfig);
        QVERIFY(writeSafetensors(path(text("model.safetensors")), {zeros(text("a"), {2})}));
        const auto imported = importHuggingFace(path());
        QVERIFY(!imported);
        QCOMPARE(imported.error().code, text("weights.mismatch"));
    }

    void aFolderIsWrittenBackAsItCame() {
        write(text("config.json"), bertConfig);
        write(text("vocab.txt"), "[PAD]\n");
        HeadOptions options;
        options.head = TextHead::SequenceClassification;
        options.classes = 3;
        const auto bare = [](const QString &name) { return name.startsWith(text("bert.")) ? name.mid(5) : QString(); };
        QVERIFY(writeSafetensors(path(text("model.safetensors")), tensorsOf(bertConfig, options, bare)));
        const auto imported = importHuggingFace(path(), options);
        QVERIFY(imported);
        const std::vector<NamedTensor> trained = initialise(imported->model, 7, DType::Float32);
        QTemporaryDir other;
        const QString to = other.filePath(text("back"));
        const auto written = exportHuggingFace(path(), options, trained, to);
        QVERIFY2(written, written ? "" : qPrintable(written.error().toString()));
        QVERIFY(QFile::exists(to + text("/vocab.txt")));
        const QJsonObject config = *readJsonFile(to + text("/config.json"));
        QCOMPARE(config[QLatin1String("architectures")].toArray().at(0).toString(),
                 text("BertForSequenceClassification"));
        QCOMPARE(config[QLatin1String("id2label")].toObject().size(), 3);
        QVERIFY(config.contains(QLatin1String("unheard_of")));
        const auto again = importHuggingFace(to);
        QVERIFY(again);
        QCOMPARE(again->notes.size(), std::size_t{1});
        for (const NamedTensor &tensor : trained) {
            const auto read = again->weights->read(tensor.spec.name);
            QVERIFY(read);
            QVERIFY(std::ranges::equal(read->data->bytes(), tensor.data->bytes()));
        }
        const auto files = *readSafetensors(to + text("/model.safetensors"));
        QVERIFY(std::ranges::any_of(files, [](const NamedTensor &each) {
            return each.spec.name == text("embeddings.word_embeddings.weight");
        }));
        QVERIFY(!exportHuggingFace(path(), options, trained, to));  // not into what is there
    }

    void aFullDiskLeavesNoHalfFolder_data() {
        QTest::addColumn<bool>("isThere");
        QTest::newRow("a new folder") << false;
        QTest::newRow("an empty one that was there") << true;
    }
    void aFullDiskLeavesNoHalfFolder() {
        QFETCH(bool, isThere);
        write(text("config.json"), bertConfig);
        write(text("vocab.txt"), "[PAD]\n");
        HeadOptions options;
        options.head = TextHead::SequenceClassification;
        QVERIFY(writeSafetensors(path(text("model.safetensors")), tensorsOf(bertConfig, options, same)));
        const auto imported = importHuggingFace(path(), options);
        QVERIFY(imported);
        const std::vector<NamedTensor> trained = initialise(imported->model, 7, DType::Float32);
        const QTemporaryDir other;
        const QString to = other.filePath(text("back"));
        QVERIFY(!isThere || QDir().mkpath(to));
        {
            const SmallDisk disk(1024);  // the words fit it, the weights do not
            const auto written = exportHuggingFace(path(), options, trained, to);
            QVERIFY(!written);
            QCOMPARE(written.error().code, text("file.unwritable"));
        }
        QCOMPARE(QDir(to).exists(), isThere);
        QVERIFY(QDir(to).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty());
        QVERIFY(exportHuggingFace(path(), options, trained, to));
    }

    void aFolderThatIsWrittenSaysWhatWasTrained_data() {
        QTest::addColumn<bool>("normalised");
        QTest::newRow("pictures that were normalised") << true;
        QTest::newRow("pictures as they are") << false;
    }
    void aFolderThatIsWrittenSaysWhatWasTrained() {
        QFETCH(bool, normalised);
        write(text("config.json"), vitConfig);
        const QJsonObject before{{text("size"), 8},
                                 {text("do_normalize"), true},
                                 {text("image_mean"), QJsonArray{0.5, 0.5, 0.5}},
                                 {text("image_std"), QJsonArray{0.5, 0.5, 0.5}}};
        write(text("preprocessor_config.json"), QJsonDocument(before).toJson());
        const std::vector<NamedTensor> weights = tensorsOf(vitConfig, {}, same);
        QVERIFY(writeSafetensors(path(text("model.safetensors")), weights));
        InputTransform input;
        if (normalised) {
            input.mean = {0.1, 0.2, 0.3};
            input.deviation = {1, 2, 4};
        }
        QTemporaryDir other;
        const QString to = other.filePath(text("back"));
        const auto written =
            exportHuggingFace(path(), {}, weights, to, {QStringList({text("cat"), text("dog")}), input});
        QVERIFY2(written, written ? "" : qPrintable(written.error().toString()));
        // As many classes as before, and others: two that the data had, and one that they lacked.
        const QJsonObject config = *readJsonFile(to + text("/config.json"));
        QCOMPARE(config[QLatin1String("id2label")].toObject(),
                 QJsonObject({{text("0"), text("cat")}, {text("1"), text("dog")}, {text("2"), text("LABEL_2")}}));
        QCOMPARE(config[QLatin1String("label2id")].toObject(),
                 QJsonObject({{text("cat"), 0}, {text("dog"), 1}, {text("LABEL_2"), 2}}));
        const QJsonObject pictures = *readJsonFile(to + text("/preprocessor_config.json"));
        QCOMPARE(pictures[QLatin1String("size")].toInt(), 8);
        QCOMPARE(pictures[QLatin1String("do_rescale")].toBool(), true);
        QCOMPARE(pictures[QLatin1String("rescale_factor")].toDouble(), 1.0 / 255);
        QCOMPARE(pictures[QLatin1String("do_normalize")].toBool(), normalised);
        if (normalised) {
            QCOMPARE(pictures[QLatin1String("image_mean")].toArray(), QJsonArray({0.1, 0.2, 0.3}));
            QCOMPARE(pictures[QLatin1String("image_std")].toArray(), QJsonArray({1, 2, 4}));
        }
    }
};

QTEST_GUILESS_MAIN(HuggingFaceFolderTest)
#include "hugging_face_test.moc"
