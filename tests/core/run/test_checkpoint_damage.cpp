#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QCryptographicHash>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <functional>

#include "checkpoint_home.h"
#include "core/model/safetensors.h"

using namespace hearth;
using namespace hearth::test;

namespace {

/// No file may grow beyond `bytes` while this lives: what a full disk looks like to write().
struct FullDisk {
    rlimit before{};
    explicit FullDisk(rlim_t bytes) {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit limit{bytes, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before); }
};

using Damage = std::function<void(const QString &folder)>;

/// Changes a manifest by hand.
Damage manifestWith(const QString &key, const QJsonValue &value) {
    return [key, value](const QString &folder) {
        const QString path = folder + QStringLiteral("/manifest.json");
        QJsonObject object = QJsonDocument::fromJson(contentOf(path)).object();
        object[key] = value;
        put(path, QJsonDocument(object).toJson());
    };
}

/// Other weights, with a manifest that vouches for them.
Damage weightsWith(const std::function<void(std::vector<NamedTensor> *)> &change) {
    return [change](const QString &folder) {
        const QString path = folder + QStringLiteral("/weights.safetensors");
        auto tensors = readSafetensors(path);
        change(&*tensors);
        if (!writeSafetensors(path, *tensors))
            qFatal("not written");
        const QByteArray content = contentOf(path);
        const QString manifest = folder + QStringLiteral("/manifest.json");
        QJsonObject object = QJsonDocument::fromJson(contentOf(manifest)).object();
        QJsonArray files = object[QStringLiteral("files")].toArray();
        files[0] =
            QJsonObject{{QStringLiteral("name"), QStringLiteral("weights.safetensors")},
                        {QStringLiteral("bytes"), content.size()},
                        {QStringLiteral("sha256"),
                         QString::fromLatin1(QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex())}};
        object[QStringLiteral("files")] = files;
        put(manifest, QJsonDocument(object).toJson());
    };
}

}  // namespace

/// Whole or not there: full disks, crashes and altered files.
class TestCheckpointDamage : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aDamagedOneIsSkipped_data();
    void aDamagedOneIsSkipped();
    void allDamagedIsNoCheckpoint();
    void aDamagedOneOfTheSameVersionIsReplaced();
    void leftoversOfACrashAreRemoved();
    void aFullDiskLeavesNothingBehind_data();
    void aFullDiskLeavesNothingBehind();
    void aKilledWriterLeavesWholeCheckpoints();
};

void TestCheckpointDamage::aDamagedOneIsSkipped_data() {
    QTest::addColumn<Damage>("damage");
    QTest::addColumn<QString>("cause");
    const auto row = [](const char *name, const Damage &damage, const char *cause) {
        QTest::newRow(name) << damage << QString::fromLatin1(cause);
    };
    const auto file = [](const char *name) { return QLatin1Char('/') + QString::fromLatin1(name); };
    row(
        "a file cut short", [=](const QString &folder) { QFile::resize(folder + file("optimizer.safetensors"), 100); },
        "cut short");
    row(
        "a bit altered",
        [=](const QString &folder) {
            QByteArray content = contentOf(folder + file("weights.safetensors"));
            content[content.size() - 1] = static_cast<char>(content.back() ^ 1);
            put(folder + file("weights.safetensors"), content);
        },
        "SHA-256");
    row(
        "a file missing", [=](const QString &folder) { QFile::remove(folder + file("weights.safetensors")); },
        "missing");
    row(
        "no manifest", [=](const QString &folder) { QFile::remove(folder + file("manifest.json")); },
        "could not be read");
    row(
        "half a manifest", [=](const QString &folder) { QFile::resize(folder + file("manifest.json"), 90); }, "JSON");
    row(
        "an empty folder",
        [](const QString &folder) {
            QDir(folder).removeRecursively();
            QDir().mkdir(folder);
        },
        "could not be read");
    row("a folder under another's name", manifestWith(QStringLiteral("version"), 19), "version 19");
    row("another run", manifestWith(QStringLiteral("run"), QStringLiteral("run-2")), "another run (run-2)");
    row("another model", manifestWith(QStringLiteral("model_sha256"), QString(64, QLatin1Char('0'))), "another model");
    row("another precision", manifestWith(QStringLiteral("precision"), QStringLiteral("float64")), "another precision");
    row("a later format", manifestWith(QStringLiteral("format"), QStringLiteral("hearth-checkpoint/2")), "format");
    row("a tensor missing", weightsWith([](auto *tensors) { tensors->pop_back(); }), "is missing");
    row("a tensor too many", weightsWith([](auto *tensors) {
            tensors->push_back(tensors->front());
            tensors->back().spec.name = QStringLiteral("extra");
        }),
        "\"extra\" is not part");
    row("another shape", weightsWith([](auto *tensors) { tensors->front().spec.shape = {2, 2}; }), "is 2");
    row("another type", weightsWith([](auto *tensors) { tensors->front().dtype = DType::Int32; }), "type I32");
}

void TestCheckpointDamage::aDamagedOneIsSkipped() {
    QFETCH(Damage, damage);
    QFETCH(QString, cause);
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    const LayerStates older = statesOf(subject, 1);
    QVERIFY(store.write(10, 10, older));
    QVERIFY(store.write(20, 20, statesOf(subject, 2)));
    damage(store.folderOf(20));
    const auto found = store.readNewest();
    QVERIFY(found.checkpoint);
    QCOMPARE(found.checkpoint->manifest.version, quint64(10));
    QVERIFY(sameStates(found.checkpoint->states, older));
    QCOMPARE(found.skipped.size(), std::size_t(1));
    const Error &error = found.skipped.front();
    QCOMPARE(error.code, QStringLiteral("checkpoint.damaged"));
    QCOMPARE(error.what, QStringLiteral("The checkpoint of version 20 cannot be used."));
    QVERIFY2(error.cause.contains(cause), qPrintable(error.cause));
    QVERIFY(QDir(store.folderOf(20)).exists());  // to be looked at
}

void TestCheckpointDamage::allDamagedIsNoCheckpoint() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    for (const quint64 version : {1, 2})
        QVERIFY(store.write(version, 1, statesOf(subject, 1)));
    for (const quint64 version : {1, 2})
        put(store.folderOf(version) + QStringLiteral("/manifest.json"), "{}");
    const auto found = store.readNewest();
    QVERIFY(!found.checkpoint);
    QCOMPARE(found.skipped.size(), std::size_t(2));
    QVERIFY(found.skipped.front().what.contains(QStringLiteral("version 2")));
}

void TestCheckpointDamage::aDamagedOneOfTheSameVersionIsReplaced() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    QVERIFY(store.write(10, 10, statesOf(subject, 1)));
    put(store.folderOf(10) + QStringLiteral("/weights.safetensors"), "nothing");
    const LayerStates again = statesOf(subject, 2);
    QVERIFY(store.write(10, 10, again));
    QVERIFY(sameStates(store.readNewest().checkpoint->states, again));
}

void TestCheckpointDamage::leftoversOfACrashAreRemoved() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    QVERIFY(store.write(10, 10, statesOf(subject, 1)));
    const auto leave = [&] {
        const QString partial = store.folder() + QStringLiteral("/.0000000020.partial");
        QVERIFY(QDir().mkpath(partial));
        put(partial + QStringLiteral("/weights.safetensors"), "half of it");
        put(partial + QStringLiteral("/weights.safetensors.aBcDeF"), "a temporary file");
    };
    leave();
    QCOMPARE(store.readNewest().checkpoint->manifest.version, quint64(10));
    QCOMPARE(everythingIn(store.folder()), QStringList{QStringLiteral("0000000010")});
    leave();
    QVERIFY(store.write(20, 20, statesOf(subject, 2)));
    QCOMPARE(everythingIn(store.folderOf(20)).size(), 3);
    leave();
    QVERIFY(store.write(30, 30, statesOf(subject, 2)));
    QCOMPARE(everythingIn(store.folder()).size(), 3);
}

void TestCheckpointDamage::aFullDiskLeavesNothingBehind_data() {
    QTest::addColumn<double>("weights");  // the largest file that still fits, in sizes of the weights'
    QTest::addColumn<bool>("largeManifest");
    QTest::newRow("not one byte") << 0.0 << false;
    QTest::newRow("half of the weights") << 0.5 << false;
    QTest::newRow("all but the optimizer") << 1.0 << false;
    QTest::newRow("all but the manifest") << 4.0 << true;
}

void TestCheckpointDamage::aFullDiskLeavesNothingBehind() {
    QFETCH(double, weights);
    QFETCH(bool, largeManifest);
    QTemporaryDir run;
    auto subject = subjectOf(Precision::Float32, 2);
    if (largeManifest)
        subject.job[QStringLiteral("note")] = QString(100'000, QLatin1Char('x'));
    const CheckpointStore store(run.path(), subject);
    const LayerStates older = statesOf(subject, 1);
    const auto before = store.write(10, 10, older);
    QVERIFY(before);
    const qint64 weightsBytes = before->files[0].bytes, optimizerBytes = before->files[1].bytes;
    QVERIFY(weightsBytes < optimizerBytes && optimizerBytes < 4 * weightsBytes && 4 * weightsBytes < 100'000);
    Result<CheckpointManifest> written;
    {
        const FullDisk full(static_cast<rlim_t>(weights * static_cast<double>(weightsBytes)));
        written = store.write(20, 20, statesOf(subject, 2));
    }
    QVERIFY(!written);
    QCOMPARE(written.error().code, QStringLiteral("checkpoint.not-written"));
    QVERIFY(written.error().what.contains(QStringLiteral("version 20")));
    QVERIFY2(!written.error().cause.isEmpty(), "says why");
    QCOMPARE(everythingIn(store.folder()), QStringList{QStringLiteral("0000000010")});
    QVERIFY(sameStates(store.readNewest().checkpoint->states, older));
    QVERIFY(store.write(20, 20, statesOf(subject, 2)));  // as soon as there is room
}

void TestCheckpointDamage::aKilledWriterLeavesWholeCheckpoints() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    std::mt19937 random(5);
    quint64 last = 0;
    for (int i = 0; i < 25; ++i) {
        int told[2];
        QCOMPARE(::pipe(told), 0);
        const pid_t writer = ::fork();
        if (writer == 0) {
            for (quint64 version = last + 1;; ++version) {
                const bool ok = store.write(version, 1, statesOf(subject, static_cast<quint32>(version))).has_value();
                if (!ok || ::write(told[1], &version, sizeof version) != sizeof version)
                    ::_exit(1);
            }
        }
        ::close(told[1]);
        quint64 written = last;
        for (unsigned n = 1 + random() % 3; n > 0; --n)
            QCOMPARE(::read(told[0], &written, sizeof written), static_cast<ssize_t>(sizeof written));
        random.discard(random() % 2'000'000);  // until it is anywhere in the next one
        ::kill(writer, SIGKILL);
        int status = 0;
        ::waitpid(writer, &status, 0);
        ::close(told[0]);
        QVERIFY(WIFSIGNALED(status));
        const auto found = store.readNewest();
        QVERIFY(found.checkpoint);
        QVERIFY(found.skipped.empty());
        last = found.checkpoint->manifest.version;
        QVERIFY(last >= written);
        QVERIFY(sameStates(found.checkpoint->states, statesOf(subject, static_cast<quint32>(last))));
        QVERIFY(store.versions().size() <= 4);  // killed before the oldest was removed
    }
}

QTEST_APPLESS_MAIN(TestCheckpointDamage)
#include "test_checkpoint_damage.moc"
