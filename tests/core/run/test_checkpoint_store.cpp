#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

#include "checkpoint_home.h"
#include "core/model/safetensors.h"
#include "core/run/checkpoint_task.h"
#include "core/run/file_digest.h"
#include "tests/core/base/patience.h"

using namespace hearth;
using namespace hearth::test;

/// States on disk: bit-equal when they come back.
class TestCheckpointStore : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void statesComeBackBitByBit_data();
    void statesComeBackBitByBit();
    void filesAreNamedAsTheModelNamesThem();
    void theNewestAreKept();
    void theOneJustWrittenIsAlwaysKept();
    void aWholeOneOfTheSameVersionStays();
    void oneOfACourseThatWasGivenUpIsAsIfItWereNotThere();
    void statesOfAnotherModelAreRefused();
    void aFolderThatCannotBeMadeIsSaid();
    void aThreadOfItsOwnWritesAndReads();
    void aTaskThatIsDroppedEndsWhatItBegan();
    void digestsAgreeWithQt();
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

void TestCheckpointStore::aWholeOneOfTheSameVersionStays() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    const LayerStates first = statesOf(subject, 1);
    const auto manifest = store.write(10, 10, first);
    QCOMPARE(store.write(10, 10, statesOf(subject, 2)).value(), *manifest);
    QVERIFY(sameStates(store.readNewest().checkpoint->states, first));
}

/// Term 3 went on from version 18: of the terms before, newer ones are of weights that nobody has any more.
void TestCheckpointStore::oneOfACourseThatWasGivenUpIsAsIfItWereNotThere() {
    const QTemporaryDir folder;
    const CheckpointStore::Subject subject = subjectOf();
    CheckpointStore store(folder.path(), subject);
    TermOrigins origins;
    origins.begin(1, 0);
    store.setCourse(1, origins);
    for (const quint64 version : {10, 20, 30})
        QVERIFY(store.write(version, qint64(version), statesOf(subject, quint32(version))));
    QCOMPARE(store.newestVersion(), quint64(30));
    origins.begin(3, 18);
    store.setCourse(3, origins);
    QCOMPARE(store.newestVersion(), quint64(10));
    CheckpointSearch search = store.readNewest();
    QVERIFY(search.checkpoint);
    QVERIFY(search.skipped.empty());  // it is whole: nobody is warned of it
    QCOMPARE(search.checkpoint->manifest.version, quint64(10));
    QVERIFY(sameStates(search.checkpoint->states, statesOf(subject, 10)));
    const LayerStates others = statesOf(subject, 99);
    const auto written = store.write(20, 20, others);
    QVERIFY(written);
    QCOMPARE(written->term, quint32(3));
    search = store.readNewest();
    QCOMPARE(search.checkpoint->manifest.version, quint64(20));
    QVERIFY(sameStates(search.checkpoint->states, others));
    QCOMPARE(store.versions(), (std::vector<quint64>{20, 10}));
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
    writing.write(store, 5, 5, states, CheckpointTask::Manner::BesideRounds);
    QTRY_COMPARE_WITH_TIMEOUT(manifest.version, quint64(5), patience);
    QVERIFY(!writing.isRunning());
    CheckpointTask reading;
    bool same = false;
    connect(&reading, &CheckpointTask::searched, this,
            [&](const CheckpointSearch &search) { same = sameStates(search.checkpoint->states, states); });
    reading.readNewest(store);
    QTRY_VERIFY_WITH_TIMEOUT(same, patience);
    CheckpointTask failing;
    QString code;
    connect(&failing, &CheckpointTask::failed, this, [&](const Error &error) { code = error.code; });
    failing.write(store, 6, 6, {}, CheckpointTask::Manner::AtOnce);
    QTRY_COMPARE_WITH_TIMEOUT(code, QStringLiteral("checkpoint.states"), patience);
}

void TestCheckpointStore::aTaskThatIsDroppedEndsWhatItBegan() {
    QTemporaryDir run;
    const auto subject = subjectOf();
    const CheckpointStore store(run.path(), subject);
    {
        CheckpointTask writing;
        writing.write(store, 5, 5, statesOf(subject, 1), CheckpointTask::Manner::BesideRounds);
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

QTEST_GUILESS_MAIN(TestCheckpointStore)
#include "test_checkpoint_store.moc"
