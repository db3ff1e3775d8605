#include <QJsonArray>
#include <QTest>

#include "core/run/checkpoint_manifest.h"

using namespace hearth;

/// What a manifest may say.
class TestCheckpointManifest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void manifestsAreStrict_data();
    void manifestsAreStrict();
};

void TestCheckpointManifest::manifestsAreStrict_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QJsonValue>("value");
    const auto row = [](const char *name, const char *key, const QJsonValue &value) {
        QTest::newRow(name) << QString::fromLatin1(key) << value;
    };
    const QString hash(64, QLatin1Char('a'));
    const auto file = [&](const char *name, const QJsonValue &bytes, const QString &sha256) {
        return QJsonObject{{QStringLiteral("name"), QString::fromLatin1(name)},
                           {QStringLiteral("bytes"), bytes},
                           {QStringLiteral("sha256"), sha256}};
    };
    const QJsonObject weights = file("weights.safetensors", 10, hash),
                      optimizer = file("optimizer.safetensors", 10, hash);
    row("an unknown key", "extra", 1);
    row("no version", "version", QJsonValue::Null);
    row("a negative version", "version", -1);
    row("a version that is no integer", "version", 1.5);
    row("a version beyond every run", "version", 1e12);
    row("a round that is text", "round", QStringLiteral("1"));
    row("a term beyond every run", "term", 1e12);
    row("a job that is a list", "job", QJsonArray());
    row("a short hash", "model_sha256", QStringLiteral("abc"));
    row("a hash that is none", "model_sha256", QString(64, QLatin1Char('g')));
    row("an unknown precision", "precision", QStringLiteral("float8"));
    row("too many buffers", "optimizer_buffers", 1000);
    row("buffers without a file", "optimizer_buffers", 0);
    row("no files", "files", QJsonArray());
    row("files that are one object", "files", weights);
    row("only the weights", "files", QJsonArray{weights});
    row("the weights twice", "files", QJsonArray{weights, weights});
    row("another order", "files", QJsonArray{optimizer, weights});
    row("a path", "files", QJsonArray{file("../weights.safetensors", 10, hash), optimizer});
    row("a negative size", "files", QJsonArray{file("weights.safetensors", -1, hash), optimizer});
    row("a file without hash", "files", QJsonArray{weights, file("optimizer.safetensors", 1, QString())});
    row("files that are numbers", "files", QJsonArray{1, 2});
}

void TestCheckpointManifest::manifestsAreStrict() {
    QFETCH(QString, key);
    QFETCH(QJsonValue, value);
    CheckpointManifest manifest;
    manifest.run = QStringLiteral("run-1");
    manifest.version = 4'000'000'000;
    manifest.round = 17;
    manifest.term = 4'000'000'001;
    manifest.job = {{QStringLiteral("batch"), 16}};
    manifest.modelSha256 = QByteArray(64, 'b');
    manifest.precision = Precision::Float64;
    manifest.optimizerBuffers = 1;
    manifest.files = {{CheckpointManifest::weightsFile(), 10, QByteArray(64, 'c')},
                      {CheckpointManifest::optimizerFile(), qint64{1} << 41, QByteArray(64, 'd')}};
    QJsonObject object = manifest.toJson();
    QCOMPARE(CheckpointManifest::fromJson(object, QStringLiteral("m")).value(), manifest);
    object[key] = value;
    const auto read = CheckpointManifest::fromJson(object, QStringLiteral("m"));
    QVERIFY(!read);
    QVERIFY2(read.error().what.contains(QStringLiteral("m:")) || read.error().what.contains(QStringLiteral("m ")),
             qPrintable(read.error().what));
}

QTEST_APPLESS_MAIN(TestCheckpointManifest)
#include "test_checkpoint_manifest.moc"
