#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTest>
#include <chrono>

#include "core/run/run_trace.h"
#include "fake_home.h"
#include "tests/core/base/patience.h"

using namespace hearth;
using fake::Home;

class TestRunTrace : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aRunIsTracedToItsEnd();
    void withoutBeingAskedNobodyTraces();
    void aFullDiskEndsTheTraceAndNotTheRun();
    void aFileThatCannotBeOpenedIsSaidBeforeAnythingStarts();
    void aTraceThatIsNoneEndsTheWorker();
    void aFullTraceIsSaidOnce();

  private:
    static QJsonArray events(const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array() : QJsonArray();
    }
    static int count(const QJsonArray &events, const QString &category) {
        int found = 0;
        for (const QJsonValue &event : events)
            found += event[QLatin1String("cat")].toString() == category;
        return found;
    }
    static RunState runToItsEnd(Home &home) {
        home.start();
        QSignalSpy ended(home.coordinator.get(), &Coordinator::ended);
        (void)QTest::qWaitFor([&] { return ended.count() == 1; }, patience);
        return home.coordinator->state();
    }
};

void TestRunTrace::aRunIsTracedToItsEnd() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.trace = home.folder.filePath(QStringLiteral("trace.json"));
    QCOMPARE(runToItsEnd(home), RunState::Finished);
    const QJsonArray all = events(home.request.trace);
    QCOMPARE(count(all, QStringLiteral("round")), 3);
    // Three members measured, and as many predicted: two stages, the second one a group of two.
    QCOMPARE(count(all, QStringLiteral("forward")), 3 * 3 + 3);
    QCOMPARE(count(all, QStringLiteral("backward")), 3 * 3 + 3);
    QStringList names;
    for (const QJsonValue &event : all) {
        names << event[QLatin1String("args")][QLatin1String("name")].toString();
        if (event[QLatin1String("cat")].toString() != QLatin1String("round"))
            continue;
        const QJsonObject errors = event[QLatin1String("args")][QLatin1String("clock_error_us")].toObject();
        QCOMPARE(errors.keys(), (QStringList{Home::name(1), Home::name(2), Home::name(3)}));
    }
    for (int number = 1; number <= 3; ++number)
        QVERIFY(names.contains(Home::name(number)));
    // Clocks that are hours apart: a span of some microseconds before its report lies within the run.
    const double end = std::get<event::Round>(home.events(QStringLiteral("round")).back().body).roundS;
    for (const QJsonValue &event : all) {
        if (event[QLatin1String("cat")].toString() == QLatin1String("forward") &&
            event[QLatin1String("dur")].toDouble() < 2)
            QVERIFY(event[QLatin1String("ts")].toDouble() < 1e6 * (home.directory->seconds() + end));
    }
    // The schedule is for the trace alone.
    const auto plan = std::get<event::Plan>(home.events(QStringLiteral("plan")).front().body);
    QVERIFY(!plan.plan[QLatin1String("prediction")].toObject().contains(QLatin1String("schedule")));
}

void TestRunTrace::withoutBeingAskedNobodyTraces() {
    Home home(2);
    home.brokenTraces = true;
    QCOMPARE(runToItsEnd(home), RunState::Finished);
    QVERIFY(!home.worker(1)->deployment->trace);
}

void TestRunTrace::aFullDiskEndsTheTraceAndNotTheRun() {
    Home home(2);
    home.request.plan = home.plan();
    home.request.trace = QStringLiteral("/dev/full");
    QCOMPARE(runToItsEnd(home), RunState::Finished);
    const auto warnings = home.events(QStringLiteral("warning"));
    QCOMPARE(warnings.size(), std::size_t(1));
    const auto warning = std::get<event::Warning>(warnings[0].body);
    QVERIFY2(warning.what.contains(QLatin1String("/dev/full")), qPrintable(warning.what));
    QCOMPARE(home.events(QStringLiteral("round")).size(), std::size_t(3));
    QTRY_COMPARE_WITH_TIMEOUT(home.worker(1)->tracesEnded, 1, patience);
    QTRY_COMPARE_WITH_TIMEOUT(home.worker(2)->tracesEnded, 1, patience);
}

void TestRunTrace::aFileThatCannotBeOpenedIsSaidBeforeAnythingStarts() {
    Home home(2);
    home.request.trace = home.folder.path();
    QCOMPARE(runToItsEnd(home), RunState::Failed);
    QCOMPARE(home.lastError().code, QStringLiteral("trace.unwritable"));
    QVERIFY(home.agent.started.isEmpty());
}

void TestRunTrace::aTraceThatIsNoneEndsTheWorker() {
    Home home(2);
    home.request.plan = home.plan();
    home.request.trace = home.folder.filePath(QStringLiteral("trace.json"));
    home.brokenTraces = true;
    QCOMPARE(runToItsEnd(home), RunState::Failed);
    QVERIFY2(home.lastError().toString().contains(QLatin1String("trace")), qPrintable(home.lastError().toString()));
    QVERIFY(!events(home.request.trace).isEmpty());  // a whole file all the same
}

void TestRunTrace::aFullTraceIsSaidOnce() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace.json"));
    auto trace = RunTrace::create(path, 0, 2);
    QVERIFY(trace);
    (*trace)->begin({}, {}, {});
    QSignalSpy ended(trace->get(), &RunTrace::ended);
    event::Round round;
    for (round.round = 1; round.round <= 5; ++round.round)
        (*trace)->roundDone(round);
    QCOMPARE(ended.count(), 1);
    QCOMPARE(ended[0][0].value<Error>().code, QStringLiteral("trace.full"));
    QCOMPARE(count(events(path), QStringLiteral("round")), 2);
}

QTEST_GUILESS_MAIN(TestRunTrace)
#include "test_run_trace.moc"
