#include <QTest>

#include "core/model/asynchrony.h"
#include "core/model/training_spec.h"
#include "tests/core/base/quoted_json.h"

using namespace hearth;

namespace {

using Update = Asynchrony::Update;

}  // namespace

class AsynchronyTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void stagesAreLateByWhatTheyHaveInFlight_data();
    void stagesAreLateByWhatTheyHaveInFlight();
    void noPassWaitsForWhatMayBeInFlightWithIt();
    void goesToJsonAndBack();
    void errorsNamePlaceAndRemedy_data();
    void errorsNamePlaceAndRemedy();
};

void AsynchronyTest::stagesAreLateByWhatTheyHaveInFlight_data() {
    QTest::addColumn<Asynchrony>("how");
    QTest::addColumn<std::vector<int>>("inFlight");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<std::vector<int>>("delays");
    using Ints = std::vector<int>;
    QTest::newRow("by round: two versions, one in the last stage")
        << Asynchrony{Update::Round} << Ints{5, 3, 1} << 8 << Ints{1, 1, 0};
    QTest::newRow("by micro-batch: FTPipeHD's N - i versions")
        << Asynchrony{Update::MicroBatch} << Ints{3, 2, 1} << 4 << Ints{2, 1, 0};
    QTest::newRow("no more is in flight than a round has")
        << Asynchrony{Update::MicroBatch} << Ints{7, 3, 1} << 4 << Ints{3, 2, 0};
    QTest::newRow("vertical sync: all as late as the latest")
        << Asynchrony{Update::MicroBatch, true} << Ints{3, 2, 1} << 4 << Ints{2, 2, 2};
    QTest::newRow("one stage is not late") << Asynchrony{Update::MicroBatch} << Ints{1} << 4 << Ints{0};
    QTest::newRow("nor is a round of one micro-batch") << Asynchrony{Update::Round} << Ints{3, 1} << 1 << Ints{0, 0};
}

void AsynchronyTest::stagesAreLateByWhatTheyHaveInFlight() {
    QFETCH(Asynchrony, how);
    QFETCH(std::vector<int>, inFlight);
    QFETCH(int, microBatches);
    QTEST(how.delays(inFlight, microBatches), "delays");
}

/// By its definition, micro-batch by micro-batch: when a forward pass may begin, all updates that its weights have seen
/// are of micro-batches whose backward passes are over.
void AsynchronyTest::noPassWaitsForWhatMayBeInFlightWithIt() {
    for (int microBatches = 1; microBatches <= 9; ++microBatches) {
        for (int limit = 1; limit <= microBatches; ++limit) {
            for (const Update update : {Update::Round, Update::MicroBatch}) {
                const Asynchrony how{update};
                const int perUpdate = microBatches / how.updatesPerRound(microBatches);
                const int delay = how.delays({limit}, microBatches).front();
                for (int microBatch = 0; microBatch < 5 * microBatches; ++microBatch) {
                    const int over = microBatch - limit + 1;  // backward passes
                    const int seen = microBatch / perUpdate - delay;
                    QVERIFY(seen * perUpdate <= std::max(0, over));
                }
                // Less would make some pass wait.
                const auto waits = [&](int microBatch) {
                    return (microBatch / perUpdate - delay + 1) * perUpdate > microBatch - limit + 1;
                };
                bool anyWaits = delay == 0;
                for (int microBatch = 3 * microBatches; microBatch < 4 * microBatches; ++microBatch)
                    anyWaits = anyWaits || waits(microBatch);
                QVERIFY(anyWaits);
            }
        }
    }
}

void AsynchronyTest::goesToJsonAndBack() {
    for (const Asynchrony &all :
         {Asynchrony{Update::MicroBatch, true, 5, false, 0}, Asynchrony{Update::Round, false, 0, true, 0.75}}) {
        const auto again = Asynchrony::fromJson(all.toJson(), QStringLiteral("test"), QString());
        QVERIFY(again);
        QCOMPARE(*again, all);
    }
    QCOMPARE(*Asynchrony::fromJson({}, QStringLiteral("test"), QString()), Asynchrony());
    const auto averaged = Asynchrony::fromJson({{QStringLiteral("average_every"), 5}}, QStringLiteral("test"), {});
    QVERIFY(averaged);
    QCOMPARE(averaged->predict, 0.0);
}

void AsynchronyTest::errorsNamePlaceAndRemedy_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("tells");
    const auto row = [](const char *name, const char *text, const char *tells) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(tells);
    };
    row("an update of nothing that there is", R"({'optimizer':{'kind':'sgd'},'asynchronous':{'update':'epoch'}})",
        "round, micro-batch");
    row("a misspelled key", R"({'optimizer':{'kind':'sgd'},'asynchronous':{'vertikal_sync':true}})", "vertical_sync");
    row("a negative interval", R"({'optimizer':{'kind':'sgd'},'asynchronous':{'average_every':-1}})", "average_every");
    row("a negative prediction", R"({'optimizer':{'kind':'sgd'},'asynchronous':{'predict':-1}})", "predict");
    row("a prediction and a mean", R"({'optimizer':{'kind':'sgd'},'asynchronous':{'predict':1,'average_every':5}})",
        "leave one of them out");
    row("gradients clipped by the norm of all", R"({'optimizer':{'kind':'sgd','clip_norm':1},'asynchronous':{}})",
        "clip_norm");
    row("no rate to correct", R"({'optimizer':{'kind':'adafactor','relative_step':true},'asynchronous':{}})",
        "set correct_rate to false");
}

void AsynchronyTest::errorsNamePlaceAndRemedy() {
    QFETCH(QByteArray, text);
    QFETCH(QString, tells);
    const auto spec = TrainingSpec::fromJson(test::quotedJson(text), QStringLiteral("job.json"), QString());
    QVERIFY(!spec);
    const QString told = spec.error().toString();
    QVERIFY2(told.contains(QLatin1String("job.json")) && told.contains(tells), qPrintable(told));
}

QTEST_GUILESS_MAIN(AsynchronyTest)
#include "asynchrony_test.moc"
