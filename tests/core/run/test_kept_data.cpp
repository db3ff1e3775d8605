// What a run has learnt of its data holds where its network goes on with data that were changed.
#include <QJsonDocument>
#include <QTest>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/files.h"
#include "core/data/preparation.h"
#include "core/model/catalogue.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "core/run/run_request.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

QStringList letters(const char *each) {
    return text(each).split(QLatin1Char(' '));
}

}  // namespace

class TestKeptData : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(text("home")).toUtf8());
        m_request = RunRequest();
    }

    void classesInAnotherOrderKeepTheirNumbers_data() { waysToGoOn(); }
    void classesInAnotherOrderKeepTheirNumbers() {
        saveTable("one", letters("a b"));
        saveTable("two", letters("b c"));
        begin({path(text("one")), path(text("two"))});
        saveTable("one", letters("b c"));
        saveTable("two", letters("a b"));
        const auto anew = RunInputs::load(m_request);
        QVERIFY2(anew, anew ? "" : qPrintable(anew.error().toString()));
        QCOMPARE(anew->data->labelNames(), letters("b c a"));
        goOn();
        const auto inputs = RunInputs::load(m_request);
        QVERIFY2(inputs, inputs ? "" : qPrintable(inputs.error().toString()));
        QCOMPARE(inputs->data->labelNames(), letters("a b c"));
        QCOMPARE(inputs->described(m_request.job).classes, letters("a b c"));
        const qint64 first = 0;  // of the test set: it is "c"
        qint64 label = -1;
        QVERIFY(
            inputs->data->readLabels(Split::Test, std::span(&first, 1), std::as_writable_bytes(std::span(&label, 1))));
        QCOMPARE(label, qint64{2});
    }

    void otherClassesAreRefusedByName_data() {
        QTest::addColumn<QString>("way");
        QTest::addColumn<QStringList>("classes");
        QTest::addColumn<QString>("cause");
        const QString way = text("resume");
        QTest::newRow("one more than the network knows")
            << way << letters("ant cat dog emu") << text("New are: \"ant\".");
        QTest::newRow("one less") << way << letters("cat dog") << text("Gone are: \"emu\".");
        QTest::newRow("one of another name")
            << way << letters("cat dog moose") << text("Gone are: \"emu\". New are: \"moose\".");
        QTest::newRow("where a run is evaluated, too")
            << text("evaluate") << letters("cat dog") << text("Gone are: \"emu\".");
    }
    void otherClassesAreRefusedByName() {
        QFETCH(QStringList, classes);
        QFETCH(QString, cause);
        saveTable("pets", letters("cat dog emu"));
        begin({path(text("pets"))});
        saveTable("pets", classes);
        goOn();
        const auto refused = RunInputs::load(m_request);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, text("data.changed"));
        QCOMPARE(refused.error().cause.english(), cause);
        QVERIFY(!refused.error().advice.isEmpty());
    }

    void tablesArePreparedAsTheyWere_data() { waysToGoOn(); }
    void tablesArePreparedAsTheyWere() {
        saveTable("pets", letters("cat dog emu"));
        begin({path(text("pets"))});
        const float before = firstTestNumber();
        QVERIFY(std::isfinite(before));
        saveTable("pets", letters("cat dog emu"), 10);
        QVERIFY(firstTestNumber() != before);
        goOn();
        QCOMPARE(firstTestNumber(), before);
    }

    void aRunWhoseFolderSaysNothingTakesWhatThereIs() {
        saveTable("pets", letters("cat dog emu"));
        begin({path(text("pets"))});
        QVERIFY(QFile::remove(path(text("run/samples.json"))) && QFile::remove(path(text("run/data.json"))));
        saveTable("pets", letters("cat dog moose"));
        m_request.resume = true;
        const auto inputs = RunInputs::load(m_request);
        QVERIFY2(inputs, inputs ? "" : qPrintable(inputs.error().toString()));
        QCOMPARE(inputs->data->labelNames(), letters("cat dog moose"));
    }

  private:
    static void waysToGoOn() {
        QTest::addColumn<QString>("way");
        QTest::newRow("a run is resumed") << text("resume");
        QTest::newRow("its coordinator has died") << text("again");
        QTest::newRow("a run is evaluated") << text("evaluate");
    }

    /// Two rows of each class to learn from, and one of the last to test.
    void saveTable(const char *name, const QStringList &classes, int factor = 1) {
        QByteArray rows("width,kind\n");
        int row = 0;
        for (const QString &each : classes + classes) {
            rows += QByteArray::number(factor * row * row) + ',' + each.toUtf8() + '\n';
            ++row;
        }
        save(text(name) + text("/train.csv"), rows);
        save(text(name) + text("/test.csv"), "width,kind\n3," + classes.last().toUtf8() + '\n');
    }

    /// A run that has said in its folder what it learns from, and has weights.
    void begin(const QStringList &data) {
        m_request.job.model = text("mlp:features=1,classes=3");
        m_request.model = *loadModel(m_request.job.model);
        m_request.job.data = data;
        m_request.directory = path(text("run"));
        QVERIFY(QDir().mkpath(m_request.directory));
        const auto inputs = RunInputs::load(m_request);
        QVERIFY2(inputs, inputs ? "" : qPrintable(inputs.error().toString()));
        QVERIFY(saveFile(path(text("run/samples.json")),
                         QJsonDocument(inputs->described(m_request.job).toJson()).toJson()));
        QVERIFY(savePreparation(*inputs->data, m_request.directory));
        QVERIFY(
            writeSafetensors(path(text("run/weights.safetensors")), initialise(m_request.model, 5, DType::Float32)));
    }

    void goOn() {
        QFETCH(QString, way);
        m_request.resume = way == text("resume");
        m_request.again = way == text("again");
        if (way != text("evaluate"))
            return;
        m_request.kind = RunKind::Evaluate;
        m_request.weights = path(text("run/weights.safetensors"));
        m_request.directory = path(text("evaluation"));
    }

    float firstTestNumber() const {
        const auto inputs = RunInputs::load(m_request);
        const qint64 first = 0;
        float number = 0;
        const bool isRead = inputs && inputs->data->readSamples(Split::Test, 0, std::span(&first, 1),
                                                                std::as_writable_bytes(std::span(&number, 1)));
        return isRead ? number : std::numeric_limits<float>::quiet_NaN();
    }

    RunRequest m_request;
};

QTEST_GUILESS_MAIN(TestKeptData)
#include "test_kept_data.moc"
