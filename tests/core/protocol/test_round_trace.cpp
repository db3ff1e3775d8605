#include <QCborArray>
#include <QCborValue>
#include <QSet>
#include <QTest>

#include "core/protocol/round_trace.h"

using namespace hearth;

namespace {

RoundTrace example() {
    RoundTrace trace;
    trace.round = 7;
    trace.term = 2;
    trace.cut = true;
    trace.spans = {{Activity::WaitForward, -1, 1'000'000'000'000'000, 1'000'000'000'000'900},
                   {Activity::Evaluation, 3, 1'000'000'000'001'000, 1'000'000'000'001'000, 2}};
    trace.sent[QStringLiteral("aa")] = {{Cargo::Activation, 1, 0, 4, 5, 600}, {Cargo::AllReduce, 9, 1, 0, 6, 70}};
    trace.received[QString()] = {{Cargo::Label, 0, 1, 0, 8, 8}};
    return trace;
}

QCborMap onTheWire(const RoundTrace &trace) {
    return QCborValue::fromCbor(trace.toCbor().toCborValue().toCbor()).toMap();
}

}  // namespace

class TestRoundTrace : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void travelsAsCbor() {
        const auto read = RoundTrace::fromCbor(onTheWire(example()));
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        QCOMPARE(read->round, 7u);
        QCOMPARE(read->term, 2u);
        QVERIFY(read->cut);
        QVERIFY(read->spans == example().spans);
        QVERIFY(read->sent == example().sent);
        QVERIFY(read->received == example().received);
    }

    void everythingHasANameOfItsOwn() {
        QSet<QString> names, cargoes;
        for (int i = 0; i < activityCount; ++i)
            names << activityName(static_cast<Activity>(i));
        for (int i = int(Cargo::Activation); i <= int(Cargo::AllReduce); ++i)
            cargoes << cargoName(static_cast<Cargo>(i));
        QCOMPARE(names.size(), activityCount);
        QCOMPARE(cargoes.size(), 5);
        QVERIFY(!names.contains(QString()) && !cargoes.contains(QString()));
    }

    void theFullestOneFitsAMessage() {
        RoundTrace trace;
        const qint64 late = qint64{1} << 60;
        trace.spans.assign(RoundTrace::mostEntries / 2,
                           {Activity::Evaluation, 0x7fffffff, late, late + late / 2, 0x7fffffff});
        trace.received[QStringLiteral("aa")].assign(RoundTrace::mostEntries / 2,
                                                    {Cargo::AllReduce, 0x7fffffff, 65535, 0x7fffffff, late, late});
        constexpr qsizetype mostControlBytes = 16 << 20;
        QVERIFY(trace.toCbor().toCborValue().toCbor().size() < mostControlBytes / 4);
        QVERIFY(RoundTrace::fromCbor(onTheWire(trace)));
    }

    void whatNoWorkerSendsIsRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QCborValue>("value");
        const auto row = [](const char *name, const char *key, const QCborValue &value) {
            QTest::newRow(name) << QString::fromLatin1(key) << value;
        };
        const auto frames = [](const QCborArray &list) { return QCborMap{{QStringLiteral("aa"), list}}; };
        row("no round", "round", {});
        row("a negative term", "term", -1);
        row("a round of words", "round", QStringLiteral("7"));
        row("cut that is a number", "cut", 1);
        row("spans that are no list", "spans", QCborMap());
        row("half a span", "spans", QCborArray{1, 0});
        row("an activity that nobody knows", "spans", QCborArray{activityCount, 0, 1, 1, 0});
        row("a micro-batch below -1", "spans", QCborArray{1, -2, 1, 1, 0});
        row("a span that ends before it begins", "spans", QCborArray{1, 0, 1, -1, 0});
        row("times whose sum is no number", "spans",
            QCborArray{1, 0, std::numeric_limits<qint64>::max(), std::numeric_limits<qint64>::max(), 0});
        row("a time that is no integer", "spans", QCborArray{1, 0, 1.5, 1, 0});
        row("a span of a stage below -1", "spans", QCborArray{1, 0, 1, 1, -2});
        row("a span without a stage", "spans", QCborArray{1, 0, 1, 1});
        row("frames that are a list", "sent", QCborArray());
        row("a peer that is a number", "sent", QCborMap{{1, QCborArray()}});
        row("half a frame", "received", frames({1, 0, 0, 0, 1}));
        row("a cargo that nobody knows", "received", frames({6, 0, 0, 0, 1, 1, 0}));
        row("negative bytes", "sent", frames({1, 0, 0, 0, 1, -1, 0}));
        row("a stage below 0", "sent", frames({1, 0, 0, 0, 1, 1, -1}));
        row("a frame without a stage", "sent", frames({1, 0, 0, 0, 1, 1}));
    }

    void whatNoWorkerSendsIsRefused() {
        QFETCH(QString, key);
        QFETCH(QCborValue, value);
        QCborMap map = onTheWire(example());
        map[key] = value;
        const auto read = RoundTrace::fromCbor(map);
        QVERIFY(!read);
        QCOMPARE(read.error().code, QStringLiteral("trace.invalid"));
        QVERIFY2(read.error().cause.contains(key), qPrintable(read.error().cause));
    }

    void moreThanARoundHoldsIsRefused() {
        RoundTrace trace;
        trace.spans.resize(RoundTrace::mostEntries + 1);
        QVERIFY(!RoundTrace::fromCbor(onTheWire(trace)));
    }
};

QTEST_GUILESS_MAIN(TestRoundTrace)
#include "test_round_trace.moc"
