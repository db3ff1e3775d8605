// Which weights of a run are taken where nobody says.
#include <QTemporaryDir>
#include <QTest>

#include "core/history/weights_round.h"
#include "core/model/safetensors.h"

using namespace hearth;

class WeightsRoundTest : public QObject {
    Q_OBJECT

    static constexpr qint64 none = -1, unsaid = 0;

    /// After this round; without a word of it; or not at all.
    static void save(const QTemporaryDir &folder, RunWeights which, qint64 round) {
        std::map<QString, QString> metadata;
        if (round > 0)
            metadata[QStringLiteral("round")] = QString::number(round);
        if (round != none && !writeSafetensors(weightsPath(folder.path(), which), {}, metadata))
            qFatal("the weights cannot be written");
    }

  private Q_SLOTS:
    void theLaterOnesAreTaken_data() {
        QTest::addColumn<qint64>("last");
        QTest::addColumn<qint64>("best");
        QTest::addColumn<std::optional<RunWeights>>("taken");
        const auto row = [](const char *name, qint64 last, qint64 best, std::optional<RunWeights> taken) {
            QTest::newRow(name) << last << best << taken;
        };
        row("the run has ended", qint64{1000}, qint64{900}, RunWeights::Last);
        row("its last evaluation was the best", qint64{1000}, qint64{1000}, RunWeights::Last);
        row("it went on and broke off", qint64{100}, qint64{900}, RunWeights::Best);
        row("an older version saved them", unsaid, qint64{900}, RunWeights::Last);
        row("there are no last ones", none, qint64{900}, RunWeights::Best);
        row("there are no best ones", qint64{100}, none, RunWeights::Last);
        row("there are none", none, none, std::nullopt);
    }
    void theLaterOnesAreTaken() {
        QFETCH(const qint64, last);
        QFETCH(const qint64, best);
        const QTemporaryDir folder;
        save(folder, RunWeights::Last, last);
        save(folder, RunWeights::Best, best);
        const std::optional<RunWeights> taken = weightsToTake(folder.path());
        QTEST(taken, "taken");
        QCOMPARE(hasWeights(folder.path()), taken.has_value());
    }

    void weightsSayAfterWhichRoundTheyWereSaved() {
        const QTemporaryDir folder;
        save(folder, RunWeights::Last, 7);
        save(folder, RunWeights::Best, unsaid);
        QCOMPARE(roundOfWeights(weightsPath(folder.path(), RunWeights::Last)), std::optional<qint64>(7));
        QCOMPARE(roundOfWeights(weightsPath(folder.path(), RunWeights::Best)), std::optional<qint64>());
        QCOMPARE(roundOfWeights(folder.filePath(QStringLiteral("none"))), std::optional<qint64>());
    }
};

QTEST_GUILESS_MAIN(WeightsRoundTest)
#include "weights_round_test.moc"
