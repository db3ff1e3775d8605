// The file of History's index: broken, old, newer, shared.
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include "core/history/index_schema.h"
#include "core/history/run_index.h"
#include "tests/core/base/patience.h"
#include "tests/core/history/run_writer.h"

using namespace hearth;

namespace {

/// Statements on a file from outside; the connection is gone afterwards. Returns the first column of the last answer.
QVariant sql(const QString &path, const QStringList &statements) {
    const QString name = QStringLiteral("outside");
    QVariant answer;
    {
        auto database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(path);
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        for (const QString &statement : statements) {
            QSqlQuery query(database);
            if (!query.exec(statement))
                qFatal("%s: %s", qPrintable(statement), qPrintable(query.lastError().text()));
            answer = query.next() ? query.value(0) : QVariant();
        }
    }
    QSqlDatabase::removeDatabase(name);
    return answer;
}

void overwrite(const QString &path, qint64 at, const QByteArray &bytes) {
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite) || !file.seek(at) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

}  // namespace

class IndexFileTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;

    QString runs() const { return m_dir->filePath(QStringLiteral("runs")); }
    QString file() const { return m_dir->filePath(QStringLiteral("history.sqlite")); }
    void writeRuns(int count) const {
        for (int i = 0; i < count; ++i) {
            RunWriter run(runs(), QStringLiteral("run-%1").arg(i));
            run.begin();
            for (int round = 1; round <= 300; ++round)
                run.round(round, 1.0 / round);
        }
    }
    void makeIndex() const {
        RunIndex index;
        QVERIFY(index.open(file()));
        const auto updated = index.update({runs()});
        QVERIFY(updated && *updated);
    }
    /// All runs, with all that belongs to them.
    void mustKnowAll(RunIndex &index, int count) const {
        const auto updated = index.update({runs()});
        QVERIFY2(updated, updated ? "" : qPrintable(updated.error().toString()));
        const auto list = index.list();
        QVERIFY(list);
        QCOMPARE(list->size(), static_cast<std::size_t>(count));
        for (const RunSummary &run : *list) {
            QCOMPARE(run.rounds, 300);
            const auto details = index.details(run.id);
            QVERIFY(details);
            QCOMPARE(details->loss.size(), std::size_t{300});
            QVERIFY(!details->events.empty());
        }
    }

  private Q_SLOTS:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        writeRuns(5);
    }

    void aMissingIndexIsMadeFromTheRuns() {
        RunIndex index;
        QVERIFY(index.open(file()));
        QVERIFY(!index.takeNotice());
        mustKnowAll(index, 5);
    }

    void anIndexIsUsedAgain() {
        makeIndex();
        RunIndex index;
        QVERIFY(index.open(file()));
        QVERIFY(!index.takeNotice());
        QVERIFY(index.beginUpdate({runs()}));
        QCOMPARE(index.progress().second, 0);
        mustKnowAll(index, 5);
    }

    void anUnusableFileIsBuiltAnewAndSaid_data() {
        QTest::addColumn<QString>("damage");
        QTest::newRow("text in place of a database") << "text";
        QTest::newRow("cut off in the middle") << "cut";
        QTest::newRow("a page overwritten with noise") << "noise";
        QTest::newRow("a table that is missing") << "table";
        QTest::newRow("a column that is missing") << "column";
        QTest::newRow("a database of something else") << "other";
        QTest::newRow("a version that never was") << "version";
        QTest::newRow("calls itself version 1 and is not") << "1";
        QTest::newRow("calls itself version 2 and is not") << "2";
    }
    void anUnusableFileIsBuiltAnewAndSaid() {
        QFETCH(QString, damage);
        makeIndex();
        const qint64 size = QFileInfo(file()).size();
        if (damage == QLatin1String("text")) {
            QVERIFY(QFile::resize(file(), 0));
            overwrite(file(), 0, "This is not a database, whatever its name may say about that.");
        } else if (damage == QLatin1String("cut")) {
            QVERIFY(QFile::resize(file(), size / 2 / 4096 * 4096 + 100));
        } else if (damage == QLatin1String("noise")) {
            for (qint64 page = 4096; page < size; page += 4096)
                overwrite(file(), page, QByteArray(64, '\x5a'));
        } else if (damage == QLatin1String("table")) {
            sql(file(), {QStringLiteral("DROP TABLE chunk")});
        } else if (damage == QLatin1String("column")) {
            sql(file(), {QStringLiteral("ALTER TABLE run DROP COLUMN model")});
        } else if (damage == QLatin1String("other")) {
            QVERIFY(QFile::remove(file()));
            sql(file(), {QStringLiteral("CREATE TABLE recipes(name TEXT)")});
        } else if (damage == QLatin1String("version")) {
            sql(file(), {QStringLiteral("PRAGMA user_version=-3")});
        } else {
            sql(file(), {QStringLiteral("PRAGMA user_version=") + damage});
        }
        RunIndex index;
        QVERIFY(index.open(file()));
        const auto notice = index.takeNotice();
        QVERIFY(notice);
        QCOMPARE(notice->code, QStringLiteral("history.rebuilt"));
        mustKnowAll(index, 5);
        QCOMPARE(sql(file(), {QStringLiteral("PRAGMA user_version")}).toInt(), indexSchemaVersion);
    }

    void aFileThatBreaksWhileItIsOpenIsBuiltAnew() {
        // More than SQLite keeps in memory, so that it has to look at the file again.
        RunWriter(runs(), QStringLiteral("long")).rounds(100000);
        makeIndex();
        RunIndex index;
        QVERIFY(index.open(file()));
        QVERIFY(index.update({runs()}));
        const qint64 size = QFileInfo(file()).size();
        for (qint64 page = 0; page < size; page += 4096)
            overwrite(file(), page, QByteArray(4096, '\x5a'));
        const auto broken = index.details(QStringLiteral("long"));
        QVERIFY(!broken);
        QCOMPARE(broken.error().code, QStringLiteral("history.broken"));
        QVERIFY(index.takeNotice());
        const auto updated = index.update({runs()});
        QVERIFY(updated && *updated);
        const auto list = index.list();
        QVERIFY(list);
        QCOMPARE(list->size(), std::size_t{6});
        QVERIFY(index.details(QStringLiteral("long")));
    }

    void anIndexOfVersion1IsMigrated() {
        QDir().mkpath(m_dir->path());
        sql(file(),
            {QStringLiteral(
                 "CREATE TABLE run(key INTEGER PRIMARY KEY, folder, id, size, modified, offset, head, state, started, "
                 "model, data, optimizer, learning_rate, batch, wanted_rounds, wanted_epochs, device_ids, devices, "
                 "rounds, seconds, first_loss, loss, lowest_loss, accuracy, best_accuracy, samples_per_s, "
                 "seconds_per_sample, timed_rounds, told_samples_per_s, plans, losses, recoveries, warnings, errors, "
                 "last_seq, UNIQUE(folder))"),
             QStringLiteral("CREATE TABLE event(run INTEGER, seq INTEGER, t REAL, kind TEXT, line BLOB, "
                            "PRIMARY KEY(run, seq)) WITHOUT ROWID"),
             QStringLiteral("CREATE TABLE evaluation(run INTEGER, round INTEGER, t REAL, accuracy REAL, loss REAL, "
                            "PRIMARY KEY(run, round)) WITHOUT ROWID"),
             QStringLiteral("CREATE TABLE round(run INTEGER, round INTEGER, t REAL, loss REAL, samples_per_s REAL)"),
             QStringLiteral(
                 "INSERT INTO run(folder,id,size,modified,offset,state,started,model,rounds,last_seq) "
                 "VALUES('%1/run-0','run-0',99,1,99,'training','2026-11-20T09:00:00Z','as listed before',7,12)")
                 .arg(runs()),
             QStringLiteral("INSERT INTO round VALUES(1,1,1.0,2.0,3.0)"), QStringLiteral("PRAGMA user_version=1")});
        RunIndex index;
        QVERIFY(index.open(file()));
        QVERIFY(!index.takeNotice());
        QVERIFY(index.beginUpdate({runs()}));
        // What was known is listed before anything is read.
        const auto before = index.list();
        QVERIFY(before);
        QCOMPARE(before->size(), std::size_t{1});
        QCOMPARE(before->front().model, QStringLiteral("as listed before"));
        QCOMPARE(before->front().rounds, 7);
        mustKnowAll(index, 5);
        QCOMPARE(index.list()->back().model, Job().model);
        QCOMPARE(sql(file(), {QStringLiteral("PRAGMA user_version")}).toInt(), indexSchemaVersion);
        QCOMPARE(sql(file(), {QStringLiteral("SELECT count(*) FROM sqlite_master WHERE name='round'")}).toInt(), 0);
    }

    void anIndexOfVersion2IsMigrated() {
        makeIndex();
        // Its chunks had no figures before their rounds.
        sql(file(),
            {QStringLiteral("DROP INDEX best_accuracy"), QStringLiteral("UPDATE chunk SET data=substr(data,33)"),
             QStringLiteral("ALTER TABLE run ADD COLUMN timed_rounds INTEGER"),
             QStringLiteral("ALTER TABLE run DROP COLUMN only"), QStringLiteral("ALTER TABLE run DROP COLUMN job"),
             QStringLiteral("ALTER TABLE run DROP COLUMN device_names"),
             QStringLiteral("ALTER TABLE run DROP COLUMN worked_ids"),
             QStringLiteral("ALTER TABLE run DROP COLUMN joules"), QStringLiteral("ALTER TABLE run DROP COLUMN bytes"),
             QStringLiteral("PRAGMA user_version=2")});
        RunIndex index;
        QVERIFY(index.open(file()));
        QVERIFY(!index.takeNotice());
        QVERIFY(index.beginUpdate({runs()}));
        QCOMPARE(index.list().value_or(std::vector<RunSummary>()).size(), std::size_t{5});
        mustKnowAll(index, 5);
        QCOMPARE(index.list()->back().lowestLoss, 1.0 / 300);
        QCOMPARE(sql(file(), {QStringLiteral("PRAGMA user_version")}).toInt(), indexSchemaVersion);
    }

    void anIndexOfAnEarlierVersionIsMigrated_data() {
        QTest::addColumn<int>("version");
        QTest::newRow("version 3") << 3;
        QTest::newRow("version 4") << 4;
        QTest::newRow("version 5") << 5;
        QTest::newRow("version 6") << 6;
    }
    void anIndexOfAnEarlierVersionIsMigrated() {
        QFETCH(int, version);
        makeIndex();
        sql(file(),
            {QStringLiteral("ALTER TABLE run DROP COLUMN bytes"), QStringLiteral("ALTER TABLE run DROP COLUMN joules"),
             QStringLiteral("PRAGMA user_version=%1").arg(version)});
        if (version < 6)
            sql(file(), {QStringLiteral("ALTER TABLE run DROP COLUMN job")});
        if (version < 5) {
            sql(file(), {QStringLiteral("ALTER TABLE run DROP COLUMN device_names"),
                         QStringLiteral("ALTER TABLE run DROP COLUMN worked_ids")});
        }
        if (version == 3)
            sql(file(), {QStringLiteral("ALTER TABLE run DROP COLUMN only")});
        RunIndex index;
        QVERIFY(index.open(file()));
        QVERIFY(!index.takeNotice());
        QVERIFY(index.beginUpdate({runs()}));
        QCOMPARE(index.list().value_or(std::vector<RunSummary>()).size(), std::size_t{5});
        mustKnowAll(index, 5);
        QCOMPARE(sql(file(), {QStringLiteral("PRAGMA user_version")}).toInt(), indexSchemaVersion);
    }

    void theSizesOfRunsAreFoundWithoutReadingTheirEventsAgain() {
        makeIndex();
        sql(file(), {QStringLiteral("ALTER TABLE run DROP COLUMN bytes"), QStringLiteral("PRAGMA user_version=7")});
        RunIndex index;
        QVERIFY(index.open(file()));
        QVERIFY(index.beginUpdate({runs()}));
        QCOMPARE(index.progress().second, 0);
        QCOMPARE(index.list()->front().bytes, qint64{-1});
        mustKnowAll(index, 5);
        const auto list = index.list();
        for (const RunSummary &run : *list)
            QCOMPARE(run.bytes, QFileInfo(run.folder + QStringLiteral("/events.jsonl")).size());
    }

    void anIndexOfALaterVersionIsLeftAloneAndSaid() {
        makeIndex();
        sql(file(), {QStringLiteral("ALTER TABLE run ADD COLUMN mood TEXT"),
                     QStringLiteral("PRAGMA user_version=%1").arg(indexSchemaVersion + 1)});
        QFile before(file());
        QVERIFY(before.open(QIODevice::ReadOnly));
        const QByteArray content = before.readAll();
        RunIndex index;
        QVERIFY(index.open(file()));
        const auto notice = index.takeNotice();
        QVERIFY(notice);
        QCOMPARE(notice->code, QStringLiteral("history.newer"));
        mustKnowAll(index, 5);
        QVERIFY(before.seek(0));
        QCOMPARE(before.readAll(), content);
        QCOMPARE(sql(file(), {QStringLiteral("PRAGMA user_version")}).toInt(), indexSchemaVersion + 1);
    }

    void whereNothingCanBeWrittenTheIndexIsInMemory() {
        RunIndex index;
        QVERIFY(index.open(runs() + QStringLiteral("/run-0/events.jsonl/history.sqlite")));
        const auto notice = index.takeNotice();
        QVERIFY(notice);
        QCOMPARE(notice->code, QStringLiteral("history.in-memory"));
        QVERIFY(!notice->what.isEmpty() && !notice->cause.isEmpty() && !notice->advice.isEmpty());
        mustKnowAll(index, 5);
    }

    void twoWindowsMayUseTheSameIndexAtOnce() {
        writeRuns(40);
        std::atomic<int> failures = 0;
        const auto follow = [&] {
            RunIndex index;
            index.setBusyTimeout(std::chrono::milliseconds(patience));
            if (!index.open(file())) {
                ++failures;
                return;
            }
            for (int i = 0; i < 20; ++i) {
                const auto updated = index.update({runs()});
                const auto list = index.list();
                if (!updated || !list || list->size() != 40 || !index.details(QStringLiteral("run-7")))
                    ++failures;
            }
        };
        std::unique_ptr<QThread> one(QThread::create(follow)), other(QThread::create(follow));
        one->start();
        other->start();
        // Meanwhile a run goes on.
        RunWriter more(runs(), QStringLiteral("run-39"));
        for (int i = 0; i < 50; ++i)
            more.raw(eventLine(1000 + static_cast<quint64>(i), 200, event::Warning{QStringLiteral("w"), {}, {}}) +
                     '\n');
        QVERIFY(one->wait() && other->wait());
        QCOMPARE(failures.load(), 0);
        RunIndex index;
        QVERIFY(index.open(file()));
        QVERIFY(!index.takeNotice());
        mustKnowAll(index, 40);
        const auto list = index.list();
        const auto found = std::find_if(list->begin(), list->end(),
                                        [](const RunSummary &run) { return run.id == QLatin1String("run-39"); });
        QVERIFY(found != list->end());
        QCOMPARE(found->warnings, 50);
        QCOMPARE(found->plans, 1);
    }

    void twoWindowsThatFindItBrokenAtOnceBuildItOnce() {
        makeIndex();
        QVERIFY(QFile::resize(file(), 0));
        overwrite(file(), 0, QByteArray(9000, 'x'));
        std::atomic<int> rebuilt = 0, failures = 0;
        const auto open = [&] {
            RunIndex index;
            index.setBusyTimeout(std::chrono::milliseconds(patience));
            if (!index.open(file()) || !index.update({runs()}))
                ++failures;
            rebuilt += index.takeNotice() ? 1 : 0;
        };
        std::unique_ptr<QThread> one(QThread::create(open)), other(QThread::create(open));
        one->start();
        other->start();
        QVERIFY(one->wait() && other->wait());
        QCOMPARE(failures.load(), 0);
        QCOMPARE(rebuilt.load(), 1);
    }

    void theTableOfRoundsReadsBackAsTheEventsSaid() {
        RunWriter run(runs(), QStringLiteral("told"));
        run.begin();
        run.add(event::Evaluation{0, 0.1, 2.302585092994046});
        run.round(1, 2.0 / 3.0, 1, 1e-7);
        run.round(2, std::nan(""), 1, 123456.789);
        run.add(event::Evaluation{2, 1.0 / 3.0, std::nan("")});
        RunIndex index;
        QVERIFY(index.open(QString()));
        QVERIFY(index.update({runs()}));
        const QString path = m_dir->filePath(QStringLiteral("rounds.csv"));
        QVERIFY(index.exportRuns(RunExport::Rounds, {QStringLiteral("told"), QStringLiteral("run-1")}, path));
        QFile csv(path);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QByteArray content = csv.readAll();
        QVERIFY(content.endsWith("\r\n"));
        QCOMPARE(content.count('\n'), content.count("\r\n"));
        QList<QByteArrayList> lines;
        for (const QByteArray &line : content.chopped(2).replace("\r\n", "\n").split('\n'))
            lines << line.split(',');
        QCOMPARE(lines.size(), 1 + 3 + 300);
        QCOMPARE(lines[0].size(), 10);
        QCOMPARE(lines[0][3], QByteArray("time (s)"));
        QCOMPARE(lines[1], QByteArrayList({"told", "0", "", "3", "", "", "", "", "0.1", "2.302585092994046"}));
        QCOMPARE(lines[2][4].toDouble(), 2.0 / 3.0);
        QCOMPARE(lines[2][7].toDouble(), 1e-7);
        QCOMPARE(lines[3][1], QByteArray("2"));
        QVERIFY(lines[3][4].isEmpty());
        QCOMPARE(lines[3][8].toDouble(), 1.0 / 3.0);
        QVERIFY(lines[3][9].isEmpty());
        for (int round = 1; round <= 300; ++round) {
            QCOMPARE(lines[3 + round][0], QByteArray("run-1"));
            QCOMPARE(lines[3 + round][1].toInt(), round);
            QCOMPARE(lines[3 + round][4].toDouble(), 1.0 / round);
        }
    }

    void aTableThatCannotBeWrittenIsAnError() {
        RunIndex index;
        QVERIFY(index.open(QString()));
        QVERIFY(index.update({runs()}));
        const auto written = index.exportRuns(RunExport::Rounds, {QStringLiteral("run-1")},
                                              m_dir->filePath(QStringLiteral("none/rounds.csv")));
        QVERIFY(!written);
        QVERIFY(written.error().what.contains(QLatin1String("rounds.csv")));
        const auto cancelled = index.exportRuns(RunExport::Rounds, {QStringLiteral("run-1")},
                                                m_dir->filePath(QStringLiteral("rounds.csv")), [] { return true; });
        QVERIFY(!cancelled);
        QVERIFY(!QFile::exists(m_dir->filePath(QStringLiteral("rounds.csv"))));
    }
};

QTEST_GUILESS_MAIN(IndexFileTest)
#include "index_file_test.moc"
