// What History's index makes of events that cannot be read, or are too much.
#include <QTest>
#include <cmath>

#include "core/history/event_slice.h"
#include "tests/core/base/no_files_left.h"
#include "tests/core/history/index_fixture.h"

using namespace hearth;

class IndexReadingTest : public IndexFixture {
    Q_OBJECT

  private Q_SLOTS:
    void init() { begin(); }

    void aRunThatCannotBeOpenedForAMomentKeepsItsFigures() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        QCOMPARE(only().rounds, 1);
        run.round(2, 1);
        QVERIFY(m_index->beginUpdate({runs()}));
        {
            const NoFilesLeft tight;
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
            const NoFilesLeft tight;
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
        run.rounds(terms * rounds, [rounds](event::Round &round) {
            const int before = static_cast<int>(round.round) - 1;
            round.term = static_cast<quint32>(1 + before / rounds);
            round.loss = before == 3003 ? 99 : before % 7;
            round.samplesPerS = 10;
        });
        QCOMPARE(only().rounds, terms * rounds);
        const Curve loss = details().loss;
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
        constexpr int rounds = 60000;
        run.rounds(rounds);
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
        const auto cancelled =
            m_index->exportRuns(RunExport::Rounds, {QStringLiteral("a")}, path, [&looks] { return ++looks > 1; });
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, QStringLiteral("history.cancelled"));
        QVERIFY(!QFile::exists(path));
        QVERIFY(m_index->exportRuns(RunExport::Rounds, {QStringLiteral("a")}, path));
        QCOMPARE(lineCount(), 1 + rounds);
        QVERIFY(m_index->progress().first <= m_index->progress().second);
        // A run under way, of which all was read a moment ago.
        QCOMPARE(only().rounds, rounds);
        run.round(rounds + 1, 1);
        QVERIFY(m_index->exportRuns(RunExport::Rounds, {QStringLiteral("a")}, path));
        QCOMPARE(lineCount(), 1 + rounds + 1);
    }

    void aTableOfDevicesHasALineForEachInEveryRoundThatCounts() {
        const QString a(64, QLatin1Char('a')), b(64, QLatin1Char('b'));
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        const auto shape = [&](event::Round &round) {
            const auto number = static_cast<double>(round.round);
            round.devices[a] = {0.5 * number, 0.1, 0.2, 0.25, 0.3, 0.4, 1.0 / 3, 1000, {97, 3e9, 71, 168.25}};
            round.devices[b] = {0.25, std::nan(""), 0, 0, 0, 0, 0, 2000};
            round.links = {{a, b, 10}, {a, QStringLiteral("c"), 5}, {b, a, round.round}};
        };
        // More than is read at a time; and the last ones are done again, by one device.
        constexpr int rounds = 5000;
        run.rounds(rounds, shape);
        run.add(event::Lost{b, rounds, {}});
        for (qint64 i = rounds - 1; i <= rounds + 1; ++i) {
            event::Round again;
            again.round = i;
            again.term = 2;
            again.devices[a].computeS = 7;
            run.add(again);
        }
        QCOMPARE(only().rounds, rounds + 1);
        const QString path = m_dir->filePath(QStringLiteral("devices.csv"));
        QVERIFY(m_index->exportRuns(RunExport::Devices, {QStringLiteral("a")}, path));
        QFile csv(path);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QList<QByteArrayList> lines;
        for (const QByteArray &line : csv.readAll().chopped(2).replace("\r\n", "\n").split('\n'))
            lines << line.split(',');
        QCOMPARE(lines.size(), 1 + 2 * (rounds - 2) + 3);
        QCOMPARE(lines[0].size(), 19);
        QCOMPARE(lines[0].mid(9, 3), QByteArrayList({"waiting for the group (s)", "sending (s)", "AllReduce (s)"}));
        for (int round = 1; round <= rounds - 2; ++round) {
            const QByteArrayList &first = lines[2 * round - 1], &second = lines[2 * round];
            QCOMPARE(first.mid(0, 3), QByteArrayList({"a", QByteArray::number(round), "1"}));
            QCOMPARE(first.mid(4, 2), QByteArrayList({"laptop", a.toUtf8()}));
            QCOMPARE(first[6].toDouble(), 0.5 * round);
            QCOMPARE(first[12].toDouble(), 1.0 / 3);
            QCOMPARE(first.mid(13), QByteArrayList({"1000", "15", "97", "3000000000", "71", "168.25"}));
            QCOMPARE(second.mid(4, 2), QByteArrayList({"nano", b.toUtf8()}));
            QVERIFY(second[7].isEmpty());
            QCOMPARE(second.mid(13), QByteArrayList({"2000", QByteArray::number(round), "", "", "", ""}));
        }
        for (int i = 0; i < 3; ++i) {
            const QByteArrayList &line = lines[lines.size() - 3 + i];
            QCOMPARE(line.mid(1, 2), QByteArrayList({QByteArray::number(rounds - 1 + i), "2"}));
            QCOMPARE(line[6], QByteArray("7"));
        }
        int looks = 0;
        const auto cancelled = m_index->exportRuns(RunExport::Devices, {QStringLiteral("a")},
                                                   path + QStringLiteral("2"), [&looks] { return ++looks > 1000; });
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, QStringLiteral("history.cancelled"));
        QVERIFY(!QFile::exists(path + QStringLiteral("2")));
    }

    void aTableOfEventsThatCannotBeReadIsAnError_data() {
        QTest::addColumn<RunExport>("form");
        QTest::newRow("of rounds") << RunExport::Rounds;
        QTest::newRow("of devices") << RunExport::Devices;
    }
    void aTableOfEventsThatCannotBeReadIsAnError() {
        QFETCH(RunExport, form);
        {
            RunWriter run(runs(), QStringLiteral("a"));
            run.begin();
            run.round(1, 2);
        }
        QCOMPARE(only().rounds, 1);
        QVERIFY(QFile::remove(runs() + QStringLiteral("/a/events.jsonl")));
        const QString path = m_dir->filePath(QStringLiteral("rounds.csv"));
        const auto written = m_index->exportRuns(form, {QStringLiteral("a")}, path);
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
        const RunDetails found = details();
        QCOMPARE(found.events.size(), std::size_t{6});
        QVERIFY(std::get<event::Warning>(found.events.back().body).what.startsWith(QLatin1Char('x')));
    }

    void ofVeryLongEventsTheMiddleIsLeftOut() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        const QString text(900 << 10, QLatin1Char('x'));
        for (int i = 0; i < 60; ++i)
            run.add(event::Warning{QString::number(i) + text, {}, {}});
        QCOMPARE(only().badLines, 0);
        const RunDetails found = details();
        QCOMPARE(static_cast<qint64>(found.events.size()) + found.eventsLeftOut, 65);
        QVERIFY(found.events.size() >= 10 && found.events.size() <= 25);
        QCOMPARE(eventKind(found.events.front().body), QStringLiteral("run"));
        QVERIFY(std::get<event::Warning>(found.events.back().body).what.startsWith(QLatin1String("59x")));
    }

    void ofMoreDevicesThanARunCanHaveTheRestIsNotListed() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        for (int i = 0; i < 5000; ++i)
            run.add(event::Device{QStringLiteral("id-%1").arg(i), QStringLiteral("d%1").arg(i), {}, {}});
        QCOMPARE(only().devices.size(), 1024);
        QCOMPARE(only().devices.constLast(), QStringLiteral("d1021"));
        // The next look does not begin to count anew.
        run.add(event::Device{QStringLiteral("id-7"), QStringLiteral("again"), {}, {}});
        run.add(event::Device{QStringLiteral("one-more"), QStringLiteral("one more"), {}, {}});
        QCOMPARE(only().devices.size(), 1024);
    }

    void namesThatNobodyCouldReadAreCutOff() {
        const QString endless(3 << 20, QLatin1Char('x'));
        Job job;
        job.model = endless;
        job.data = {endless};
        RunWriter run(runs(), QStringLiteral("a"), job);
        run.begin(endless);
        run.add(event::Device{endless, endless, {}, {}});
        run.add(event::State{endless});
        const RunSummary summary = only();
        for (const QString &text :
             {summary.model, summary.data, summary.started, summary.state, summary.devices.constLast()})
            QCOMPARE(text.size(), 200);
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
