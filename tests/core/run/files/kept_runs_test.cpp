// What is kept of a demo home's runs when it ends.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "core/run/files/event_file.h"
#include "core/run/files/kept_runs.h"

using namespace hearth;

namespace {

const QByteArray story =
    "{\"seq\":1,\"t\":0,\"event\":\"run\",\"id\":\"a-run\",\"started\":\"2026-01-01T12:00:00Z\",\"job\":{}}\n"
    "{\"seq\":2,\"t\":1,\"event\":\"state\",\"state\":\"training\"}\n"
    "{\"seq\":3,\"t\":2,\"event\":\"round\",\"round\":1,\"loss\":2.3}\n";

}  // namespace

class KeptRunsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_root;

    QString from() const { return m_root->filePath(QStringLiteral("demo")); }
    QString to() const { return m_root->filePath(QStringLiteral("own")); }
    static void write(const QString &path, const QByteArray &content) {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(path));
    }
    static QByteArray read(const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
    }

  private Q_SLOTS:
    void init() {
        m_root = std::make_unique<QTemporaryDir>();
        const QString run = from() + QStringLiteral("/runs/a-run/");
        write(run + QStringLiteral("events.jsonl"), story + "{\"seq\":4,\"t\":3,\"ev");
        write(run + QStringLiteral("job.json"), "{}");
        write(run + QStringLiteral("plan-1.json"), "{}");
        write(run + QStringLiteral("checkpoints/1/states.bin"), "states");
        write(from() + QStringLiteral("/key.pem"), "secret");
    }

    void aRunUnderWayIsKeptAndCountsAsStopped() {
        QVERIFY(keepRuns(from(), to()));
        const QString run = to() + QStringLiteral("/runs/a-run");
        const auto info = readRun(run);
        QVERIFY(info);
        QCOMPARE(info->state, QStringLiteral("stopped"));
        QCOMPARE(info->rounds, 1);
        QCOMPARE(info->lastSeq, quint64{4});
        QVERIFY(read(run + QStringLiteral("/events.jsonl")).startsWith(story));
        QCOMPARE(
            QDir(run).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
            (QStringList{QStringLiteral("events.jsonl"), QStringLiteral("job.json"), QStringLiteral("plan-1.json")}));
        // Nothing else leaves the demo, and the demo itself stays as it was.
        QVERIFY(!QFile::exists(to() + QStringLiteral("/key.pem")));
        QVERIFY(read(from() + QStringLiteral("/runs/a-run/events.jsonl")).endsWith("\"ev"));
    }

    void theTokenizerOfARunOnTextsIsKept() {
        const QString mine = from() + QStringLiteral("/runs/a-run/tokenizer"),
                      kept = to() + QStringLiteral("/runs/a-run/tokenizer");
        write(mine + QStringLiteral("/tokenizer.json"), "words");
        write(mine + QStringLiteral("/more/merges.txt"), "merges");
        write(m_root->filePath(QStringLiteral("elsewhere/secret.txt")), "secret");
        QVERIFY(QFile::link(m_root->filePath(QStringLiteral("elsewhere")), mine + QStringLiteral("/folder")));
        QVERIFY(QFile::link(m_root->filePath(QStringLiteral("elsewhere/secret.txt")), mine + QStringLiteral("/file")));
        QVERIFY(keepRuns(from(), to()));
        QCOMPARE(read(kept + QStringLiteral("/tokenizer.json")), QByteArray("words"));
        QCOMPARE(read(kept + QStringLiteral("/more/merges.txt")), QByteArray("merges"));
        // Links are not followed, and no other folder is kept.
        QCOMPARE(QDir(kept).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot),
                 (QStringList{QStringLiteral("more"), QStringLiteral("tokenizer.json")}));
        QVERIFY(!QFile::exists(to() + QStringLiteral("/runs/a-run/checkpoints")));
    }

    void aLinkInPlaceOfTheTokenizerIsNotFollowed() {
        write(m_root->filePath(QStringLiteral("elsewhere/secret.txt")), "secret");
        QVERIFY(QFile::link(m_root->filePath(QStringLiteral("elsewhere")),
                            from() + QStringLiteral("/runs/a-run/tokenizer")));
        QVERIFY(keepRuns(from(), to()));
        QVERIFY(readRun(to() + QStringLiteral("/runs/a-run")));
        QVERIFY(!QFileInfo::exists(to() + QStringLiteral("/runs/a-run/tokenizer")));
    }

    void aRunThatIsThereAlreadyIsLeftAlone() {
        write(to() + QStringLiteral("/runs/a-run/events.jsonl"), "mine");
        QFile(to()).setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QVERIFY(keepRuns(from(), to()));
        QCOMPARE(read(to() + QStringLiteral("/runs/a-run/events.jsonl")), QByteArray("mine"));
    }

    void withoutRunsNothingIsMade() {
        QDir(from() + QStringLiteral("/runs")).removeRecursively();
        QVERIFY(keepRuns(from(), to()));
        QVERIFY(!QFile::exists(to()));
    }

    void aFolderThatCannotBeMadeIsAnError() {
        write(to(), "a file where the folder should be");
        const auto kept = keepRuns(from(), to());
        QVERIFY(!kept);
        QVERIFY(!kept.error().cause.isEmpty());
    }

    void linksAreNotFollowed() {
        const QString run = to() + QStringLiteral("/runs/a-run/");
        QFile::remove(from() + QStringLiteral("/runs/a-run/job.json"));
        QVERIFY(QFile::link(QStringLiteral("/nowhere/at/all"), from() + QStringLiteral("/runs/a-run/job.json")));
        QVERIFY(keepRuns(from(), to()));
        QVERIFY(!QFile::exists(run + QStringLiteral("job.json")));
        QVERIFY(readRun(run));
    }
};

QTEST_GUILESS_MAIN(KeptRunsTest)
#include "kept_runs_test.moc"
