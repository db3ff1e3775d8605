// What was taken along says how it is used: the files for programs, the card for people.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include "core/base/files.h"
#include "core/history/network_use.h"
#include "core/history/usage_python.h"
#include "core/history/usage_section.h"
#include "core/history/weights_export.h"
#include "tests/core/inference/row_runs.h"

using namespace hearth;

namespace {

constexpr auto prices = "size,colour,price\n1,red,1.5\n3,,3.5\n";
constexpr auto pairs = "sentence1,sentence2,label\na,b,same\nabc,d,other\n\"x,y\",z,same\nlonger than it,may,other\n";

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class NetworkUseTest : public QObject {
    Q_OBJECT

    RowRuns m_runs;

    QString runOf(const QByteArray &kind) {
        const QString name = QStringLiteral("run");
        if (kind == "table")
            return m_runs.table(name, prices, prices).folder();
        if (kind == "texts")
            return m_runs.texts(name, pairs, pairs).folder();
        if (kind == "language")
            return m_runs.language(name).folder();
        return TrainedRun(m_runs.path(name)).folder();
    }
    static void write(const QString &folder, WeightsForm form, const QString &path) {
        const auto written =
            exportWeights({folder + QStringLiteral("/weights.safetensors"), folder, {}}, form, LoraUse::Beside, path);
        QVERIFY2(written, written ? "" : qPrintable(written.error().toString()));
    }

  private Q_SLOTS:
    void init() { QDir(m_runs.path(QStringLiteral("run"))).removeRecursively(); }

    void filesCarryWhatUsingThemNeeds_data() {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("wanted");
        QTest::newRow("pictures") << QByteArray("pictures") << QByteArray(R"({"hearth.classes":["cat","dog","fish"],
            "hearth.input":{"channels":3,"fit":"stretch","mean":[0,0,0],"pad":[0,0],"repeat_channels":1,
            "scale":0.00392156862745098,"size":[8,8],"std":[1,1,1]}})");
        QTest::newRow("a table") << QByteArray("table")
                                 << QByteArray(
                                        R"({"hearth.columns":[{"name":"size","mean":2,"deviation":1},
            {"name":"colour","categories":["red"],"lacks":true}],
            "hearth.quantity":{"column":"price","mean":2.5,"deviation":1}})");
        QTest::newRow("texts") << QByteArray("texts") << QByteArray(R"({"hearth.classes":["other","same"],
            "hearth.tokenizer":{"file":"bytes","length":8,"words":259,"padding":0,"end":1,
            "texts":["sentence1","sentence2"],"frame":[{"text":0,"segment":0},{"token":1,"segment":0},
            {"text":1,"segment":0},{"token":1,"segment":0}]}})");
        QTest::newRow("a language model") << QByteArray("language") << QByteArray(R"({
            "hearth.tokenizer":{"file":"bytes","length":8,"words":259,"padding":0,"end":1}})");
    }
    void filesCarryWhatUsingThemNeeds() {
        QFETCH(const QByteArray, kind);
        QFETCH(const QByteArray, wanted);
        const QString folder = runOf(kind);
        const QString weights = m_runs.path(QStringLiteral("out.safetensors")),
                      onnx = m_runs.path(QStringLiteral("out.onnx"));
        write(folder, WeightsForm::Safetensors, weights);
        write(folder, WeightsForm::Onnx, onnx);
        const auto told = readSafetensorsMetadata(weights);
        QVERIFY(told);
        QJsonObject found;
        for (const auto &[key, value] : *told) {
            const QJsonDocument json = QJsonDocument::fromJson(value.toUtf8());
            found[key] = json.isArray() ? QJsonValue(json.array()) : QJsonValue(json.object());
            QVERIFY2(contentOf(onnx).contains(value.toUtf8()), qPrintable(key));
        }
        QCOMPARE(QString::fromUtf8(QJsonDocument(found).toJson()),
                 QString::fromUtf8(QJsonDocument(QJsonDocument::fromJson(wanted).object()).toJson()));
    }

    void whereItIsNotThereWeightsAreWrittenWithoutIt_data() {
        QTest::addColumn<bool>("isDamaged");
        QTest::newRow("a run of an older version") << false;
        QTest::newRow("a damaged run") << true;
    }
    void whereItIsNotThereWeightsAreWrittenWithoutIt() {
        QFETCH(const bool, isDamaged);
        const TrainedRun run(m_runs.path(QStringLiteral("run")));
        run.remove(RunData::fileName());
        if (isDamaged)
            QVERIFY(saveFile(run.folder() + QLatin1Char('/') + RunData::fileName(), QByteArray("{")));
        const QString weights = m_runs.path(QStringLiteral("out.safetensors"));
        write(run.folder(), WeightsForm::Safetensors, weights);
        const auto told = readSafetensorsMetadata(weights);
        QVERIFY(told && told->empty());
        QVERIFY(usageSection(run.folder()).contains(QStringLiteral("does not say")));
    }

    void aCardTellsPeople_data() {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QString>("says");
        QTest::newRow("the numbers of classes") << QByteArray("pictures") << QStringLiteral("0 cat, 1 dog, 2 fish.");
        QTest::newRow("the size of pictures") << QByteArray("pictures") << QStringLiteral("8 pixels wide and 8 high");
        QTest::newRow("how pictures fit") << QByteArray("pictures") << QStringLiteral("stretched to it");
        QTest::newRow("a column of numbers") << QByteArray("table") << QStringLiteral("| size | (value − 2) / 1");
        QTest::newRow("a column with gaps") << QByteArray("table") << QStringLiteral("red; then 1 where it is missing");
        QTest::newRow("the unit of a quantity") << QByteArray("table") << QStringLiteral("plus 2.5, is \"price\"");
        QTest::newRow("how long texts are") << QByteArray("texts") << QStringLiteral("sees 8 tokens at once");
        QTest::newRow("what a language model answers")
            << QByteArray("language") << QStringLiteral("logits of the tokens");
    }
    void aCardTellsPeople() {
        QFETCH(const QByteArray, kind);
        QFETCH(const QString, says);
        const QString folder = runOf(kind), section = usageSection(folder);
        QVERIFY2(section.contains(says), qPrintable(section));
        QVERIFY(!section.contains(folder));
        for (const QString &part : usagePython(*NetworkUse::load(folder)))
            QVERIFY2(section.contains(part), qPrintable(part));
    }
};

QTEST_GUILESS_MAIN(NetworkUseTest)
#include "network_use_test.moc"
