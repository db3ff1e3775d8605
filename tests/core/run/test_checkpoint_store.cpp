#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <random>

#include "core/base/generator.h"
#include "core/model/layer_state.h"
#include "core/model/safetensors.h"
#include "core/run/checkpoint_task.h"
#include "core/run/file_digest.h"

using namespace hearth;

namespace {

/// Two layers with parameters, one of them with running statistics, and one without any state.
Model smallModel() {
    const QByteArray text =
        R"({"format": "hearth-model/1", "name": "small", "input": [1, 8, 8], "classes": 3, "layers": [
        {"name": "conv", "kind": "sequence", "ops": [
            {"kind": "convolution", "channels": 4, "kernel": 3, "padding": 1}, {"kind": "batch-norm"}, {"kind": "relu"}]},
        {"name": "pool", "kind": "sequence", "ops": [{"kind": "global-average-pool"}, {"kind": "flatten"}]},
        {"name": "head", "kind": "sequence", "ops": [{"kind": "linear", "features": 3}]}]})";
    auto model = Model::fromJson(QJsonDocument::fromJson(text).object(), QStringLiteral("small"));
    if (!model)
        qFatal("%s", qPrintable(model.error().toString()));
    return *model;
}

CheckpointStore::Subject subjectOf(Precision precision = Precision::Float32, int buffers = 1) {
    return {QStringLiteral("run-1"), {{QStringLiteral("batch"), 16}}, smallModel(), precision, buffers};
}

/// Any bits: those of no number too must come back.
LayerStates statesOf(const CheckpointStore::Subject &subject, quint32 seed) {
    std::mt19937 random(seed);
    LayerStates states;
    for (const Layer &layer : subject.model.layers) {
        const auto layout = LayerStateLayout::of(layer, dtypeOf(subject.precision), subject.optimizerBuffers);
        auto state = Buffer::allocate(layout.bytes);
        for (std::byte &byte : state->bytes())
            byte = static_cast<std::byte>(random());
        states.push_back(std::move(state));
    }
    return states;
}

bool sameStates(const LayerStates &a, const LayerStates &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto &x, const auto &y) {
        return x->size() == y->size() && std::memcmp(x->data(), y->data(), static_cast<std::size_t>(x->size())) == 0;
    });
}

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

QStringList everythingIn(const QString &folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString &path, const QByteArray &content) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(content) != content.size())
        qFatal("%s", qPrintable(file.errorString()));
}

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

Q_DECLARE_METATYPE(Damage)

/// States on disk: whole or not there, and bit-equal when they come back.
class TestCheckpointStore : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void statesComeBackBitByBit_data();
    void statesComeBackBitByBit();
    void filesAreNamedAsTheModelNamesThem();
    void theNewestAreKept();
    void theOneJustWrittenIsAlwaysKept();
    void aDamagedOneIsSkipped_data();
    void aDamagedOneIsSkipped();
    void allDamagedIsNoCheckpoint();
    void aDamagedOneOfTheSameVersionIsReplaced();
    void aWholeOneOfTheSameVersionStays();
    void leftoversOfACrashAreRemoved();
    void aFullDiskLeavesNothingBehind_data();
    void aFullDiskLeavesNothingBehind();
    void statesOfAnotherModelAreRefused();
    void aFolderThatCannotBeMadeIsSaid();
    void aKilledWriterLeavesWholeCheckpoints();
    void aThreadOfItsOwnWritesAndReads();
    void aTaskThatIsDroppedEndsWhatItBegan();
    void digestsAgreeWithQt();
    void manifestsAreStrict_data();
    void manifestsAreStrict();
};

void TestCheckpointStore::statesComeBackBitByBit_data() {
    QTest::addColumn<bool>("isDouble");
    QTest::addColumn<int>("buffers");
    QTest::newRow("plain SGD") << false << 0;
    QTest::newRow("momentum") << false << 1;
    QTest::newRow("Adam") << false << 2;
    QTest::newRow("momentum in double precision") << true << 1;
}

void TestCheckpointStore::statesComeBackBitByBit() {
    QFETCH(bool, isDouble);
    QFETCH(int, buffers);
    QTemporaryDir run;
    const auto subject = subjectOf(isDouble ? Precision::Float64 : Precision::Float32, buffers);
    const CheckpointStore store(run.path(), subject);
    QVERIFY(!store.readNewest().checkpoint);
    const LayerStates states = statesOf(subject, 7);
    const auto written = store.write(100, 100, states);
    QVERIFY2(written, qPrintable(written ? QString() : written.error().toString()));
    const auto found = store.readNewest();
    QVERIFY(found.checkpoint);
    QVERIFY(found.skipped.empty());
    QVERIFY(sameStates(found.checkpoint->states, states));
    QCOMPARE(found.checkpoint->manifest, *written);
    QCOMPARE(written->version, quint64(100));
    QCOMPARE(written->round, 100);
    QCOMPARE(written->run, QStringLiteral("run-1"));
    QCOMPARE(written->job, subject.job);
    QCOMPARE(written->files.size(), std::size_t(buffers > 0 ? 2 : 1));
    qint64 bytes = 0;
    for (const auto &state : states)
        bytes += state->size();
    QVERIFY(written->bytes() > bytes);
}

void TestCheckpointStore::filesAreNamedAsTheModelNamesThem() {
    QTemporaryDir run;
    const auto subject = subjectOf(Precision::Float32, 2);
    const CheckpointStore store(run.path(), subject);
    const LayerStates states = statesOf(subject, 7);
    QVERIFY(store.write(42, 42, states));
    QCOMPARE(everythingIn(run.path()), QStringList{QStringLiteral("checkpoints")});
    QCOMPARE(everythingIn(store.folder()), QStringList{QStringLiteral("0000000042")});
    const QStringList files{QStringLiteral("manifest.json"), QStringLiteral("optimizer.safetensors"),
                            QStringLiteral("weights.safetensors")};
    QCOMPARE(everythingIn(store.folderOf(42)), files);
    // The weights are a file like any other.
    const QString path = store.folderOf(42) + QStringLiteral("/weights.safetensors");
    const auto weights = weightsForModel(subject.model, *readSafetensors(path), DType::Float32, path);
    QVERIFY(weights);
    const Buffer &kernel = *weights->front().front().data;
    QCOMPARE(std::memcmp(kernel.data(), states[0]->data(), static_cast<std::size_t>(kernel.size())), 0);
    QStringList names;
    const auto optimizer = readSafetensors(store.folderOf(42) + QStringLiteral("/optimizer.safetensors"));
    QVERIFY(optimizer);
    for (const NamedTensor &tensor : *optimizer)
        names << tensor.spec.name;
    QCOMPARE(names.size(), 12);  // two of each trainable tensor, none of the running statistics
    QVERIFY(names.contains(QStringLiteral("head.0.weight/optimizer.1")));
    QVERIFY(names.filter(QStringLiteral("running")).isEmpty());
}

void TestCheckpointStore::theNewestAreKept() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    for (quint64 version = 10; version <= 60; version += 10) {
        QVERIFY(store.write(version, static_cast<qint64>(version), statesOf(subject, static_cast<quint32>(version))));
        QVERIFY(store.versions().size() <= 3);
    }
    QCOMPARE(store.versions(), (std::vector<quint64>{60, 50, 40}));
    QCOMPARE(everythingIn(store.folder()).size(), 3);
    const CheckpointStore one(run.path(), subject, 0);
    QVERIFY(one.write(70, 70, statesOf(subject, 70)));
    QCOMPARE(one.versions(), std::vector<quint64>{70});
    // What is no checkpoint is nobody's business.
    QVERIFY(QDir(store.folder()).mkdir(QStringLiteral("notes")));
    QVERIFY(one.write(80, 80, statesOf(subject, 80)));
    QCOMPARE(everythingIn(store.folder()), (QStringList{QStringLiteral("0000000080"), QStringLiteral("notes")}));
}

void TestCheckpointStore::theOneJustWrittenIsAlwaysKept() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject, 2);
    for (const quint64 version : {10, 20, 30})
        QVERIFY(store.write(version, static_cast<qint64>(version), statesOf(subject, 1)));
    // The newest was altered, so the run went back to the one before, and is not as far again yet.
    put(store.folderOf(30) + QStringLiteral("/weights.safetensors"), "nothing");
    QCOMPARE(store.readNewest().checkpoint->manifest.version, quint64(20));
    QVERIFY(store.write(25, 25, statesOf(subject, 2)));
    QVERIFY(store.versions() == (std::vector<quint64>{30, 25}));
    const auto found = store.readNewest();
    QCOMPARE(found.checkpoint->manifest.version, quint64(25));
    QCOMPARE(found.skipped.size(), std::size_t(1));
    // Without a manifest it takes nobody's place.
    QVERIFY(QFile::remove(store.folderOf(30) + QStringLiteral("/manifest.json")));
    QVERIFY(store.write(26, 26, statesOf(subject, 3)));
    QCOMPARE(store.versions(), (std::vector<quint64>{26, 25}));
}

void TestCheckpointStore::aDamagedOneIsSkipped_data() {
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

void TestCheckpointStore::aDamagedOneIsSkipped() {
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

void TestCheckpointStore::allDamagedIsNoCheckpoint() {
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

void TestCheckpointStore::aDamagedOneOfTheSameVersionIsReplaced() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    QVERIFY(store.write(10, 10, statesOf(subject, 1)));
    put(store.folderOf(10) + QStringLiteral("/weights.safetensors"), "nothing");
    const LayerStates again = statesOf(subject, 2);
    QVERIFY(store.write(10, 10, again));
    QVERIFY(sameStates(store.readNewest().checkpoint->states, again));
}

void TestCheckpointStore::aWholeOneOfTheSameVersionStays() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    const LayerStates first = statesOf(subject, 1);
    const auto manifest = store.write(10, 10, first);
    QCOMPARE(store.write(10, 10, statesOf(subject, 2)).value(), *manifest);
    QVERIFY(sameStates(store.readNewest().checkpoint->states, first));
}

void TestCheckpointStore::leftoversOfACrashAreRemoved() {
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

void TestCheckpointStore::aFullDiskLeavesNothingBehind_data() {
    QTest::addColumn<int>("bytes");
    QTest::newRow("not one byte") << 0;
    QTest::newRow("half of the weights") << 300;
    QTest::newRow("all but the optimizer") << 1100;
    QTest::newRow("all but the manifest") << -1;
}

void TestCheckpointStore::aFullDiskLeavesNothingBehind() {
    QFETCH(int, bytes);
    QTemporaryDir run;
    auto subject = subjectOf(Precision::Float32, 2);
    if (bytes < 0) {  // a manifest larger than the tensors
        subject.job[QStringLiteral("note")] = QString(100'000, QLatin1Char('x'));
        bytes = 50'000;
    }
    const CheckpointStore store(run.path(), subject);
    const LayerStates older = statesOf(subject, 1);
    QVERIFY(store.write(10, 10, older));
    Result<CheckpointManifest> written;
    {
        const FullDisk full(static_cast<rlim_t>(bytes));
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

void TestCheckpointStore::statesOfAnotherModelAreRefused() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    LayerStates states = statesOf(subject, 1);
    states.pop_back();
    QCOMPARE(store.write(1, 1, states).error().code, QStringLiteral("checkpoint.states"));
    states.push_back(nullptr);
    QCOMPARE(store.write(1, 1, states).error().code, QStringLiteral("checkpoint.states"));
    states.back() = Buffer::allocate(5);
    QCOMPARE(store.write(1, 1, states).error().code, QStringLiteral("checkpoint.states"));
    QVERIFY(everythingIn(run.path()).isEmpty());
}

void TestCheckpointStore::aFolderThatCannotBeMadeIsSaid() {
    QTemporaryDir run;
    put(run.filePath(QStringLiteral("checkpoints")), "a file");
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    const auto written = store.write(1, 1, statesOf(subject, 1));
    QVERIFY(!written);
    QCOMPARE(written.error().code, QStringLiteral("checkpoint.not-written"));
    QVERIFY(!store.readNewest().checkpoint);
    QVERIFY(store.versions().empty());
}

void TestCheckpointStore::aKilledWriterLeavesWholeCheckpoints() {
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

void TestCheckpointStore::aThreadOfItsOwnWritesAndReads() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    const LayerStates states = statesOf(subject, 1);
    CheckpointTask writing;
    CheckpointManifest manifest;
    connect(&writing, &CheckpointTask::written, this, [&](const CheckpointManifest &told) {
        QCOMPARE(QThread::currentThread(), thread());
        manifest = told;
    });
    QVERIFY(!writing.isRunning());
    writing.write(store, 5, 5, states);
    QTRY_COMPARE(manifest.version, quint64(5));
    QVERIFY(!writing.isRunning());
    CheckpointTask reading;
    bool same = false;
    connect(&reading, &CheckpointTask::searched, this,
            [&](const CheckpointSearch &search) { same = sameStates(search.checkpoint->states, states); });
    reading.readNewest(store);
    QTRY_VERIFY(same);
    CheckpointTask failing;
    QString code;
    connect(&failing, &CheckpointTask::failed, this, [&](const Error &error) { code = error.code; });
    failing.write(store, 6, 6, {});
    QTRY_COMPARE(code, QStringLiteral("checkpoint.states"));
}

void TestCheckpointStore::aTaskThatIsDroppedEndsWhatItBegan() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    {
        CheckpointTask writing;
        writing.write(store, 5, 5, statesOf(subject, 1));
    }
    QVERIFY(store.readNewest().checkpoint);
}

void TestCheckpointStore::digestsAgreeWithQt() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("file"));
    for (const qsizetype size : {0, 1, 1 << 20, (1 << 20) + 1, 3'000'000}) {
        const QByteArray content(size, static_cast<char>(size % 251));
        put(path, content);
        const auto digest = digestOf(path);
        QVERIFY(digest);
        QCOMPARE(digest->bytes, size);
        QCOMPARE(digest->sha256, QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex());
    }
    QCOMPARE(digestOf(folder.filePath(QStringLiteral("none"))).error().code, QStringLiteral("file.unreadable"));
    QCOMPARE(digestOf(folder.path()).error().code, QStringLiteral("file.unreadable"));
}

void TestCheckpointStore::manifestsAreStrict_data() {
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

void TestCheckpointStore::manifestsAreStrict() {
    QFETCH(QString, key);
    QFETCH(QJsonValue, value);
    CheckpointManifest manifest;
    manifest.run = QStringLiteral("run-1");
    manifest.version = 4'000'000'000;
    manifest.round = 17;
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

QTEST_GUILESS_MAIN(TestCheckpointStore)
#include "test_checkpoint_store.moc"
