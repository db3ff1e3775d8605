#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include "core/run/run_timeline.h"

using namespace hearth;

namespace {

constexpr qint64 us = 1000;

const QString a = QStringLiteral("worker-a"), b = QStringLiteral("worker-b");

ClockOffset clockAhead(qint64 by) {
    ClockOffset clock;
    clock.add(0, by, 0);
    return clock;
}

struct Bar {
    QString process, track, name;
    double start, end;
    QJsonObject args;
};

}  // namespace

class TestRunTimeline : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void bringsClocksTogether();
    void tensorsOfALinkTakeTurns();
    void aBetterClockMovesNothingBack();
    void whoseClockIsUnknownIsLeftOut();
    void aTensorOfWhichOneHalfIsMissingIsStillThere();
    void predictionStandsBesideTheRound();
    void aDeviceOfSeveralStagesIsNamedByStageAndMicroBatch();
    void aDeviceThatCameBackKeepsItsTrack();
    void aFullFileSaysSo();

  private:
    /// Two devices, one round from 100 to 200 µs; the clock of "b" is 7 s ahead.
    TracedRound round() const {
        TracedRound round;
        round.round = 1;
        round.start = 100 * us;
        round.end = 200 * us;
        round.clocks[a] = clockAhead(0);
        round.clocks[b] = clockAhead(m_ahead);
        round.members[a].spans = {{Activity::Forward, 0, 110 * us, 120 * us}, {Activity::Send, 0, 120 * us, 121 * us}};
        round.members[b].spans = {{Activity::WaitForward, -1, m_ahead + 105 * us, m_ahead + 130 * us},
                                  {Activity::Backward, 0, m_ahead + 130 * us, m_ahead + 150 * us}};
        round.members[a].sent[b] = {{Cargo::Activation, 0, 0, 0, 120 * us, 40},
                                    {Cargo::Activation, 0, 0, 8, 121 * us, 50}};
        round.members[b].received[a] = {{Cargo::Activation, 0, 0, 0, m_ahead + 128 * us, 40},
                                        {Cargo::Activation, 0, 0, 8, m_ahead + 130 * us, 50}};
        round.served[a] = {{Cargo::Input, 0, 0, 0, 101 * us, 99}};
        round.members[a].received[QString()] = {{Cargo::Input, 0, 0, 0, 109 * us, 99}};
        return round;
    }
    std::unique_ptr<TraceFile> file(qint64 limit = TraceFile::mostEvents) const {
        return std::move(*TraceFile::create(path(), limit));
    }
    QJsonArray parsed() const {
        QFile in(path());
        return in.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(in.readAll()).array() : QJsonArray();
    }
    /// All bars in the order of the file, with the names of their tracks.
    QList<Bar> bars() const {
        QMap<int, QString> processes;
        QMap<std::pair<int, int>, QString> tracks;
        QList<Bar> list;
        for (const QJsonValue &event : parsed()) {
            const int pid = event[QLatin1String("pid")].toInt(), tid = event[QLatin1String("tid")].toInt();
            const QString name = event[QLatin1String("name")].toString();
            const QString given = event[QLatin1String("args")][QLatin1String("name")].toString();
            if (name == QLatin1String("process_name"))
                processes[pid] = given;
            if (name == QLatin1String("thread_name"))
                tracks[{pid, tid}] = given;
            if (event[QLatin1String("ph")].toString() != QLatin1String("X"))
                continue;
            const double start = event[QLatin1String("ts")].toDouble();
            list << Bar{processes.value(pid),
                        tracks.value({pid, tid}),
                        name,
                        start,
                        start + event[QLatin1String("dur")].toDouble(),
                        event[QLatin1String("args")].toObject()};
        }
        return list;
    }
    QList<Bar> barsOf(const QString &process, const QString &track) const {
        QList<Bar> list = bars();
        list.removeIf([&](const Bar &bar) { return bar.process != process || bar.track != track; });
        return list;
    }
    QString path() const { return m_folder.filePath(QStringLiteral("trace.json")); }

    static constexpr qint64 m_ahead = 7'000'000'000;
    const std::vector<TracedDevice> m_devices{{QStringLiteral("id-a"), QStringLiteral("Attic"), a},
                                              {QStringLiteral("id-b"), QStringLiteral("Bed \"room\""), b}};
    QTemporaryDir m_folder;
};

void TestRunTimeline::bringsClocksTogether() {
    const auto out = file();
    RunTimeline timeline(*out, 100 * us, m_devices);
    QVERIFY(timeline.add(round()));
    QVERIFY(out->close());
    const auto attic = barsOf(QStringLiteral("Attic"), QStringLiteral("compute"));
    QCOMPARE(attic.size(), 2);
    QCOMPARE(attic[0].name, QStringLiteral("forward 0"));
    QCOMPARE(attic[0].start, 10.0);
    QCOMPARE(attic[0].end, 20.0);
    const auto bedroom = barsOf(QStringLiteral("Bed \"room\""), QStringLiteral("compute"));
    QCOMPARE(bedroom.size(), 2);
    QCOMPARE(bedroom[0].name, QStringLiteral("wait forward"));
    QCOMPARE(bedroom[1].start, 30.0);
    QCOMPARE(bedroom[1].args[QLatin1String("micro_batch")].toInt(), 0);
    QCOMPARE(barsOf(QStringLiteral("coordinator"), QStringLiteral("rounds")).size(), 1);
    double last = 0;
    for (const Bar &bar : bars()) {
        QVERIFY(bar.start >= last);
        last = bar.start;
    }
}

void TestRunTimeline::tensorsOfALinkTakeTurns() {
    const auto out = file();
    RunTimeline timeline(*out, 100 * us, m_devices);
    QVERIFY(timeline.add(round()));
    QVERIFY(out->close());
    const auto link = barsOf(QStringLiteral("links"), QStringLiteral("Attic → Bed \"room\""));
    QCOMPARE(link.size(), 2);
    QCOMPARE(link[0].start, 20.0);
    QCOMPARE(link[0].end, 28.0);
    QCOMPARE(link[1].start, 28.0);  // handed over at 21, behind the other one
    QCOMPARE(link[1].args[QLatin1String("queued_us")].toDouble(), 7.0);
    QCOMPARE(link[0].args[QLatin1String("bytes")].toInt() + link[1].args[QLatin1String("bytes")].toInt(), 90);
    const auto served = barsOf(QStringLiteral("links"), QStringLiteral("coordinator → Attic"));
    QCOMPARE(served.size(), 1);
    QCOMPARE(served[0].start, 1.0);
    QCOMPARE(served[0].end, 9.0);
}

void TestRunTimeline::aBetterClockMovesNothingBack() {
    const auto out = file();
    RunTimeline timeline(*out, 0, m_devices);
    QVERIFY(timeline.add(round()));
    TracedRound second = round();
    second.round = 2;
    second.clocks[b] = clockAhead(m_ahead + 60 * us);  // would put them 60 µs earlier
    for (TraceSpan &span : second.members[b].spans) {
        span.start += 50 * us;
        span.end += 50 * us;
    }
    QVERIFY(timeline.add(second));
    QVERIFY(out->close());
    const auto bedroom = barsOf(QStringLiteral("Bed \"room\""), QStringLiteral("compute"));
    QCOMPARE(bedroom.size(), 4);
    for (qsizetype i = 1; i < bedroom.size(); ++i) {
        QVERIFY(bedroom[i].start >= bedroom[i - 1].end);
        QVERIFY(bedroom[i].end >= bedroom[i].start);
    }
}

void TestRunTimeline::whoseClockIsUnknownIsLeftOut() {
    const auto out = file();
    RunTimeline timeline(*out, 0, m_devices);
    TracedRound some = round();
    some.clocks.erase(b);
    QVERIFY(timeline.add(some));
    QVERIFY(out->close());
    QCOMPARE(barsOf(QStringLiteral("Attic"), QStringLiteral("compute")).size(), 2);
    QVERIFY(barsOf(QStringLiteral("Bed \"room\""), QStringLiteral("compute")).isEmpty());
    QVERIFY(barsOf(QStringLiteral("links"), QStringLiteral("Attic → Bed \"room\"")).isEmpty());
}

void TestRunTimeline::aTensorOfWhichOneHalfIsMissingIsStillThere() {
    const auto out = file();
    RunTimeline timeline(*out, 100 * us, m_devices);
    TracedRound some = round();
    some.members[a].sent.clear();
    some.members[a].cut = true;
    QVERIFY(timeline.add(some));
    QVERIFY(out->close());
    const auto link = barsOf(QStringLiteral("links"), QStringLiteral("Attic → Bed \"room\""));
    QCOMPARE(link.size(), 2);
    QCOMPARE(link[0].start, 28.0);
    QCOMPARE(link[0].end, 28.0);
    const QByteArray text = QJsonDocument(parsed()).toJson();
    QVERIFY2(text.contains("Attic: spans left out"), text.constData());
}

void TestRunTimeline::predictionStandsBesideTheRound() {
    using Kind = ScheduledTask::Kind;
    const auto out = file();
    RunTimeline timeline(*out, 0, m_devices);
    QVERIFY(timeline.addPrediction({{QStringLiteral("id-a"), Kind::Forward, 0, 3, 0, 0.5, 0},
                                    {QStringLiteral("id-a>id-b"), Kind::Transfer, 0, 3, 0.5, 0.75, 1000},
                                    {QStringLiteral("id-b"), Kind::Update, 1, 3, 0.75, 0.75, 0}},
                                   100 * us));
    QVERIFY(out->close());
    const QString plan = QStringLiteral("plan (predicted)");
    const auto attic = barsOf(plan, QStringLiteral("Attic"));
    QCOMPARE(attic.size(), 1);
    QCOMPARE(attic[0].name, QStringLiteral("forward 3"));
    QCOMPARE(attic[0].start, 100.0);
    QCOMPARE(attic[0].end, 500'100.0);
    const auto link = barsOf(plan, QStringLiteral("Attic → Bed \"room\""));
    QCOMPARE(link.size(), 1);
    QCOMPARE(link[0].args[QLatin1String("bytes")].toInt(), 1000);
    QCOMPARE(barsOf(plan, QStringLiteral("Bed \"room\""))[0].name, QStringLiteral("update"));
}

/// "a" has stages 0 and 2, "b" the one between them.
void TestRunTimeline::aDeviceOfSeveralStagesIsNamedByStageAndMicroBatch() {
    using Kind = ScheduledTask::Kind;
    const auto out = file();
    std::vector<TracedDevice> devices = m_devices;
    devices[0].hasSeveralStages = true;
    RunTimeline timeline(*out, 0, devices);
    const QString there = QStringLiteral("id-a>id-b"), back = QStringLiteral("id-b>id-a");
    QVERIFY(timeline.addPrediction({{QStringLiteral("id-a"), Kind::Forward, 0, 3, 0, 1e-6, 0},
                                    {there, Kind::Transfer, 0, 3, 1e-6, 2e-6, 1000},
                                    {QStringLiteral("id-b"), Kind::Forward, 1, 3, 2e-6, 3e-6, 0},
                                    {back, Kind::Transfer, 1, 3, 3e-6, 4e-6, 1000},
                                    {QStringLiteral("id-a"), Kind::Forward, 2, 3, 4e-6, 5e-6, 0},
                                    {QStringLiteral("id-a"), Kind::Update, 2, 3, 5e-6, 6e-6, 0}},
                                   0));
    TracedRound some = round();
    some.members[a].spans = {{Activity::Forward, 3, 110 * us, 111 * us, 0},
                             {Activity::WaitForward, -1, 111 * us, 114 * us},
                             {Activity::Forward, 3, 114 * us, 115 * us, 2},
                             {Activity::Optimizer, -1, 115 * us, 116 * us, 2}};
    some.members[b].spans = {{Activity::Forward, 3, m_ahead + 112 * us, m_ahead + 113 * us, 1}};
    some.members[a].received[b] = {{Cargo::Activation, 3, 0, 0, 114 * us, 40, 2},
                                   {Cargo::Gradient, 3, 0, 0, 118 * us, 40, 0}};
    QVERIFY(timeline.add(some));
    QVERIFY(out->close());
    const QString plan = QStringLiteral("plan (predicted)"), compute = QStringLiteral("compute");
    const auto namesOf = [this](const QString &process, const QString &track) {
        QStringList names;
        for (const Bar &bar : barsOf(process, track))
            names << bar.name;
        return names.join(QLatin1Char(','));
    };
    const QString attic = m_devices[0].name, bedroom = m_devices[1].name;
    QCOMPARE(namesOf(attic, compute), QStringLiteral("forward 0.3,wait forward,forward 2.3,optimizer"));
    QCOMPARE(namesOf(bedroom, compute), QStringLiteral("forward 3"));
    QCOMPARE(namesOf(plan, attic), QStringLiteral("forward 0.3,forward 2.3,update"));
    QCOMPARE(namesOf(plan, bedroom), QStringLiteral("forward 3"));
    // What crosses a cut is named by the stage before it, measured as predicted.
    const QString link = QStringLiteral("%1 → %2").arg(bedroom, attic);
    QCOMPARE(namesOf(QStringLiteral("links"), link), QStringLiteral("activation 1.3,gradient 0.3"));
    QCOMPARE(namesOf(plan, link), QStringLiteral("transfer 1.3"));
    const QString stage = QStringLiteral("stage");
    QCOMPARE(barsOf(attic, compute)[3].args[stage].toInt(), 2);
    QVERIFY(!barsOf(attic, compute)[1].args.contains(stage));
    QCOMPARE(barsOf(bedroom, compute)[0].args[stage].toInt(), 1);
    QCOMPARE(barsOf(QStringLiteral("links"), link)[0].args[stage].toInt(), 1);
}

void TestRunTimeline::aDeviceThatCameBackKeepsItsTrack() {
    const QString again = QStringLiteral("b2"), third = QStringLiteral("c");
    auto out = file();
    RunTimeline timeline(*out, 0, m_devices);
    QVERIFY(timeline.add(round()));
    timeline.setDevices(
        {{m_devices[1].id, m_devices[1].name, again}, {QStringLiteral("id-c"), QStringLiteral("C"), third}});
    TracedRound later;
    later.round = 2;
    later.start = 300 * us;
    later.end = 400 * us;
    later.clocks[again] = later.clocks[third] = clockAhead(0);
    later.members[again].spans = {{Activity::Forward, 0, 310 * us, 320 * us}};
    later.members[third].spans = {{Activity::Backward, 0, 330 * us, 340 * us}};
    QVERIFY(timeline.add(later));
    QVERIFY(out->close());
    QStringList seen;
    for (const Bar &bar : bars()) {
        if (bar.start >= 300 && bar.track == QLatin1String("compute"))
            seen << bar.process + QLatin1Char(' ') + bar.name;
    }
    QCOMPARE(seen.join(QLatin1Char(',')), QStringLiteral("%1 forward 0,C backward 0").arg(m_devices[1].name));
}

void TestRunTimeline::aFullFileSaysSo() {
    const auto out = file(3);
    RunTimeline timeline(*out, 0, m_devices);
    QVERIFY(!timeline.add(round()));
    QVERIFY(out->close());
    QCOMPARE(bars().size(), 3);
    QCOMPARE(parsed().last()[QLatin1String("name")].toString(), QStringLiteral("the trace ends here: it is full"));
}

QTEST_GUILESS_MAIN(TestRunTimeline)
#include "test_run_timeline.moc"
