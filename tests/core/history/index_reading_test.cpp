// What History's index makes of events that cannot be read, or are too much.
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/history/event_slice.h"
#include "core/history/run_index.h"
#include "tests/core/history/run_writer.h"

using namespace hearth;

namespace {

/// While it lives this program can open no more files.
class NoMoreFiles {
  public:
    NoMoreFiles() {
        if (::getrlimit(RLIMIT_NOFILE, &m_before) != 0)
            qFatal("getrlimit");
        rlimit none = m_before;
        none.rlim_cur = 0;
        if (::setrlimit(RLIMIT_NOFILE, &none) != 0)
            qFatal("setrlimit");
    }
    ~NoMoreFiles() { ::setrlimit(RLIMIT_NOFILE, &m_before); }
    Q_DISABLE_COPY_MOVE(NoMoreFiles)

  private:
    rlimit m_before{};
};

}  // namespace

class IndexReadingTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<RunIndex> m_index;

    QString runs() const { return m_dir->filePath(QStringLiteral("runs")); }
    RunSummary only() {
        const auto updated = m_index->update({runs()});
        if (!updated || !*updated)
            qFatal("%s", updated ? "cancelled" : qPrintable(updated.error().toString()));
        return stored();
    }
    /// Without a look at the files.
    RunSummary stored() {
        const auto all = m_index->list().value_or(std::vector<RunSummary>());
        return all.size() == 1 ? all.front() : RunSummary();
    }

  private Q_SLOTS:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        m_index = std::make_unique<RunIndex>();
        QVERIFY(m_index->open(QString()));
    }

    void aRunThatCannotBeOpenedForAMomentKeepsItsFigures() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        QCOMPARE(only().rounds, 1);
        run.round(2, 1);
        QVERIFY(m_index->beginUpdate({runs()}));
        {
            const NoMoreFiles tight;
            const auto more = m_index->step();
            QVERIFY(more && !*more);
        }
        QCOMPARE(stored().rounds, 1);
        QCOMPARE(stored().state, QStringLiteral("training"));
        QCOMPARE(only().rounds, 2);
    }

    void aRunThatCouldNotBeOpenedAtFirstIsReadLater() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        QVERIFY(m_index->beginUpdate({runs()}));
        {
            const NoMoreFiles tight;
            const auto more = m_index->step();
            QVERIFY(more && !*more);
        }
        QCOMPARE(only().rounds, 1);
    }

    void aReadThatFailsIsNotTheEnd() {
        // Nothing lies at address 0: the file opens, and reading fails.
        const EventSlice slice = readEvents(QStringLiteral("/proc/self/mem"), 0, 4096);
        QVERIFY(slice.unreadable);
        QVERIFY(!slice.end);
        QCOMPARE(slice.next, 0);
    }

    void ofVeryManyTermsTheCurveStaysShort_data() {
        QTest::addColumn<int>("rounds");
        QTest::newRow("with a round each") << 1;
        QTest::newRow("with two rounds each") << 2;
        QTest::newRow("with twenty rounds each") << 20;
    }
    void ofVeryManyTermsTheCurveStaysShort() {
        QFETCH(int, rounds);
        constexpr int terms = 5000;
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        QByteArray lines;
        for (int i = 0; i < terms * rounds; ++i) {
            event::Round round;
            round.round = i + 1;
            round.term = static_cast<quint32>(1 + i / rounds);
            round.loss = i == 3003 ? 99 : i % 7;
            round.samplesPerS = 10;
            lines += eventLine(6 + static_cast<quint64>(i), i, round) + '\n';
        }
        run.raw(lines);
        QCOMPARE(only().rounds, terms * rounds);
        const Curve loss = m_index->details(QStringLiteral("a")).value_or(RunDetails()).loss;
        QVERIFY2(loss.size() <= 4000 && loss.size() >= 500, qPrintable(QString::number(loss.size())));
        double last = 0, highest = 0;
        int gaps = 0;
        for (const CurvePoint &point : loss) {
            if (!std::isfinite(point.value)) {
                ++gaps;
                continue;
            }
            // No stretch without a value is longer than some buckets.
            QVERIFY(point.round > last && point.round - last <= terms * rounds / 100.0);
            last = point.round;
            highest = std::max(highest, point.value);
        }
        QCOMPARE(highest, 99.0);
        QVERIFY(gaps > 100);
    }

    void aTableHasTheRoundsThatWereNotReadYet() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        QByteArray lines;
        constexpr int rounds = 60000;
        for (int i = 1; i <= rounds; ++i) {
            event::Round round;
            round.round = i;
            lines += eventLine(5 + static_cast<quint64>(i), i, round) + '\n';
        }
        run.raw(lines);
        QVERIFY(m_index->beginUpdate({runs()}));
        const auto more = m_index->step();
        QVERIFY(more && *more);
        QVERIFY(stored().rounds < rounds);
        const QString path = m_dir->filePath(QStringLiteral("rounds.csv"));
        const auto lineCount = [&path] {
            QFile csv(path);
            return csv.open(QIODevice::ReadOnly) ? csv.readAll().count('\n') : -1;
        };
        int looks = 0;
        const auto cancelled = m_index->writeCsv({QStringLiteral("a")}, path, [&looks] { return ++looks > 1; });
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, QStringLiteral("history.cancelled"));
        QVERIFY(!QFile::exists(path));
        QVERIFY(m_index->writeCsv({QStringLiteral("a")}, path));
        QCOMPARE(lineCount(), 1 + rounds);
        QVERIFY(m_index->progress().first <= m_index->progress().second);
        // A run under way, of which all was read a moment ago.
        QCOMPARE(only().rounds, rounds);
        run.raw(eventLine(6 + rounds, rounds,
                          [] {
                              event::Round round;
                              round.round = rounds + 1;
                              return round;
                          }()) +
                '\n');
        QVERIFY(m_index->writeCsv({QStringLiteral("a")}, path));
        QCOMPARE(lineCount(), 1 + rounds + 1);
    }

    void aTableOfEventsThatCannotBeReadIsAnError() {
        {
            RunWriter run(runs(), QStringLiteral("a"));
            run.begin();
            run.round(1, 2);
        }
        QCOMPARE(only().rounds, 1);
        QVERIFY(QFile::remove(runs() + QStringLiteral("/a/events.jsonl")));
        const QString path = m_dir->filePath(QStringLiteral("rounds.csv"));
        const auto written = m_index->writeCsv({QStringLiteral("a")}, path);
        QVERIFY(!written);
        QCOMPARE(written.error().code, QStringLiteral("history.not-exported"));
        QVERIFY(!QFile::exists(path));
    }

    void anEventThatIsMuchTooLongCountsAsBad() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.add(event::Warning{QString((1 << 20) - 200, QLatin1Char('x')), {}, {}});
        run.add(event::Warning{QString((1 << 20) + 200, QLatin1Char('y')), {}, {}});
        QCOMPARE(only().badLines, 1);
        const RunDetails details = m_index->details(QStringLiteral("a")).value_or(RunDetails());
        QCOMPARE(details.events.size(), std::size_t{6});
        QVERIFY(std::get<event::Warning>(details.events.back().body).what.startsWith(QLatin1Char('x')));
    }

    void ofVeryLongEventsTheMiddleIsLeftOut() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        const QString text(900 << 10, QLatin1Char('x'));
        for (int i = 0; i < 60; ++i)
            run.add(event::Warning{text + QString::number(i), {}, {}});
        QCOMPARE(only().badLines, 0);
        const RunDetails details = m_index->details(QStringLiteral("a")).value_or(RunDetails());
        QCOMPARE(static_cast<qint64>(details.events.size()) + details.eventsLeftOut, 65);
        QVERIFY(details.events.size() >= 10 && details.events.size() <= 25);
        QCOMPARE(eventKind(details.events.front().body), QStringLiteral("run"));
        QVERIFY(std::get<event::Warning>(details.events.back().body).what.endsWith(QLatin1String("x59")));
    }

    void aFileWithoutLineEndsIsReadInSlices() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        const qint64 begun = QFileInfo(run.path()).size();
        // Sparse: zeros, as after a disk that failed.
        constexpr qint64 zeros = 200 << 20;
        QVERIFY(QFile::resize(run.path(), begun + zeros));
        const EventSlice slice = readEvents(run.path(), begun, 2 << 20);
        QVERIFY2(slice.next > begun && slice.next <= begun + (20 << 20), qPrintable(QString::number(slice.next)));
        QVERIFY(!slice.end && slice.lines.isEmpty());
        QCOMPARE(slice.tooLong, 1);
        int looks = 0;
        const auto cancelled = m_index->update({runs()}, [&looks] { return ++looks > 3; });
        QVERIFY(cancelled && !*cancelled);
        QCOMPARE(stored().badLines, 1);
        run.raw("\n");
        run.round(2, 1);
        const RunSummary summary = only();
        QCOMPARE(summary.badLines, 1);
        QCOMPARE(summary.rounds, 2);
    }
};

QTEST_GUILESS_MAIN(IndexReadingTest)
#include "index_reading_test.moc"
