#include <sys/resource.h>

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "core/run/run_directory.h"

using namespace hearth;

class TestRunDirectory : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void appendsLinesWithoutGaps();
    void timeNeverGoesBackwards();
    void anotherRunsEventsAreNeverOverwritten();
    void aFullDiskTakesTheWholeLineBack();
    void resumesAfterTheLastLineThatCanBeRead_data();
    void resumesAfterTheLastLineThatCanBeRead();
    void savesJsonWholly();
};

namespace {
QByteArrayList linesOf(const RunDirectory &directory) {
    QFile file(directory.file(QStringLiteral("events.jsonl")));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArrayList lines = file.readAll().split('\n');
    lines.removeLast();  // behind the last newline
    return lines;
}
}  // namespace

void TestRunDirectory::appendsLinesWithoutGaps() {
    QTemporaryDir folder;
    auto directory = RunDirectory::create(folder.filePath(QStringLiteral("r")));
    QVERIFY(directory);
    for (quint64 seq = 1; seq <= 20; ++seq) {
        QCOMPARE((*directory)->append(event::State{QStringLiteral("training")}), seq);
        // Whoever is told now reads it from the file.
        QCOMPARE(linesOf(**directory).size(), qsizetype(seq));
    }
    for (const QByteArray &line : linesOf(**directory))
        QVERIFY(RunEvent::fromLine(line));
    QCOMPARE(QFileInfo(folder.filePath(QStringLiteral("r/events.jsonl"))).permissions() &
                 (QFile::ReadGroup | QFile::ReadOther),
             QFile::Permissions());
}

void TestRunDirectory::timeNeverGoesBackwards() {
    QTemporaryDir folder;
    double now = 5;
    auto directory = RunDirectory::create(folder.filePath(QStringLiteral("r")), [&now] { return now; });
    QVERIFY(directory);
    QVERIFY((*directory)->append(event::Suspect{}));
    now = 3;
    QVERIFY((*directory)->append(event::Suspect{}));
    QCOMPARE(RunEvent::fromLine(linesOf(**directory).at(1))->t, 5.0);
}

void TestRunDirectory::anotherRunsEventsAreNeverOverwritten() {
    QTemporaryDir folder;
    QVERIFY(RunDirectory::create(folder.path()));
    const auto again = RunDirectory::create(folder.path());
    QVERIFY(!again);
    QCOMPARE(again.error().code, QStringLiteral("run.not-written"));
}

void TestRunDirectory::aFullDiskTakesTheWholeLineBack() {
    QTemporaryDir folder;
    auto directory = RunDirectory::create(folder.filePath(QStringLiteral("r")));
    QVERIFY(directory);
    QVERIFY((*directory)->append(event::State{QStringLiteral("training")}));
    const qint64 before = QFileInfo((*directory)->file(QStringLiteral("events.jsonl"))).size();

    // A limit on the size of files stands for the full disk: the next line is written in part, then refused.
    const auto former = std::signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &old), 0);
    rlimit tight{static_cast<rlim_t>(before + 10), old.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    const auto refused = (*directory)->append(event::State{QStringLiteral("paused")});
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &old), 0);
    std::signal(SIGXFSZ, former);

    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("run.not-written"));
    QVERIFY(refused.error().what.contains(folder.path()));
    QCOMPARE(QFileInfo((*directory)->file(QStringLiteral("events.jsonl"))).size(), before);
    QCOMPARE((*directory)->append(event::State{QStringLiteral("failed")}), quint64(2));
    QCOMPARE(linesOf(**directory).size(), 2);
}

void TestRunDirectory::resumesAfterTheLastLineThatCanBeRead_data() {
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<int>("lines");
    QTest::newRow("a line that was cut short goes") << QByteArray(R"({"seq":3,"t":8,"ev)") << 3;
    QTest::newRow("whole lines that tell no event stay") << QByteArray("no event\n{}\n") << 5;
}

void TestRunDirectory::resumesAfterTheLastLineThatCanBeRead() {
    QFETCH(QByteArray, after);
    QFETCH(int, lines);
    QTemporaryDir folder;
    {
        auto directory = RunDirectory::create(folder.path(), [] { return 7.0; });
        QVERIFY(directory);
        QVERIFY((*directory)->append(event::State{QStringLiteral("training")}));
        QVERIFY((*directory)->append(event::Checkpoint{1, 2}));
    }
    QFile file(folder.filePath(QStringLiteral("events.jsonl")));
    QVERIFY(file.open(QIODevice::Append));
    file.write(after);
    file.close();
    auto directory = RunDirectory::resume(folder.path());
    QVERIFY(directory);
    QCOMPARE((*directory)->lastSeq(), quint64(2));
    QVERIFY((*directory)->seconds() >= 7);
    QCOMPARE((*directory)->append(event::State{QStringLiteral("recovering")}), quint64(3));
    const QByteArrayList all = linesOf(**directory);
    QCOMPARE(all.size(), lines);
    QVERIFY(RunEvent::fromLine(all.last())->t >= 7);
    QVERIFY(!RunDirectory::resume(folder.filePath(QStringLiteral("nowhere"))));
}

void TestRunDirectory::savesJsonWholly() {
    QTemporaryDir folder;
    auto directory = RunDirectory::create(folder.filePath(QStringLiteral("r")));
    QVERIFY(directory);
    QVERIFY((*directory)->saveJson(QStringLiteral("job.json"), {{QStringLiteral("a"), 1}}));
    QVERIFY(QFileInfo::exists((*directory)->file(QStringLiteral("job.json"))));
    QVERIFY(!(*directory)->saveJson(QStringLiteral("no/such/folder.json"), {}));
    // That is no full disk.
    QVERIFY(!(*directory)->takeDiskFull());
    QVERIFY(QFileInfo::exists((*directory)->file(QStringLiteral("reserve"))));
}

QTEST_GUILESS_MAIN(TestRunDirectory)
#include "test_run_directory.moc"
