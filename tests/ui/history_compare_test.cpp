// The History page: columns of what differs between jobs, and several runs over each other.
#include <QAction>
#include <QJsonArray>
#include <QLineEdit>
#include <QMenu>
#include <QTableWidget>
#include <QTimer>

#include "core/history/job_values.h"
#include "core/plan/gradient_codec.h"
#include "core/run/job.h"
#include "tests/core/base/patience.h"
#include "tests/ui/history_fixture.h"
#include "ui/history/history_page.h"
#include "ui/run/job_value_words.h"
#include "ui/shell/window_memory.h"

using namespace hearth;

class HistoryCompareTest : public HistoryFixture {
    Q_OBJECT

    QStringList titles() const {
        QStringList texts;
        const auto *model = table()->model();
        for (int column = RunsTableModel::ColumnCount; column < model->columnCount(); ++column)
            texts << model->headerData(column, Qt::Horizontal).toString();
        return texts;
    }
    /// Four runs: two of a batch of 128, two of others.
    void showFour() {
        for (const auto &[id, batch] :
             {std::pair{"a", "128"}, std::pair{"b", "128"}, std::pair{"c", "64"}, std::pair{"d", "32"}}) {
            m_runs->add(QLatin1String(id), QStringLiteral("recorded_run"), -1,
                        {{"\"batch\":128", QByteArray("\"batch\":") + batch}});
        }
        show();
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 4, patience);
        QTRY_COMPARE_WITH_TIMEOUT(titles(), QStringList{QStringLiteral("Batch")}, patience);
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginPage(); }
    void cleanup() { endPage(); }

    void whatDiffersHasAColumnAndIsFiltered() {
        showFour();
        QCOMPARE(column(RunsTableModel::ColumnCount).count(QStringLiteral("128")), 2);
        auto *words = find<QLineEdit>("historyWords");
        words->setText(QStringLiteral("batch>=128 fashion"));
        QCOMPARE(table()->model()->rowCount(), 2);
        // The two that are left have the same jobs.
        QCOMPARE(titles(), QStringList());
        words->setText(QStringLiteral("batch<64"));
        QCOMPARE(table()->model()->rowCount(), 1);
        words->clear();
        QCOMPARE(titles(), QStringList{QStringLiteral("Batch")});
        table()->sortByColumn(RunsTableModel::ColumnCount, Qt::AscendingOrder);
        QCOMPARE(column(RunsTableModel::ColumnCount), (QStringList{QStringLiteral("32"), QStringLiteral("64"),
                                                                   QStringLiteral("128"), QStringLiteral("128")}));
    }

    void everyValueOfAJobHasAName() {
        Job job;
        job.input = InputTransform();
        job.prompts = QStringList{QStringLiteral("Once")};
        job.asynchronous = Asynchrony();
        job.localSteps = LocalSteps();
        QStringList paths = jobPaths();
        for (const auto kind : {AdapterSpec::Kind::Lora, AdapterSpec::Kind::Bottleneck}) {
            job.adapters.emplace().kind = kind;
            paths += valuesOf(job.toJson()).keys();
        }
        for (const auto kind : {OptimizerSpec::Kind::Sgd, OptimizerSpec::Kind::AdamW, OptimizerSpec::Kind::Adafactor}) {
            job.optimizer.kind = kind;
            paths += valuesOf(job.toJson()).keys();
        }
        for (const auto kind : {RateSchedule::Kind::Cosine, RateSchedule::Kind::Steps}) {
            job.schedule.kind = kind;
            paths += valuesOf(job.toJson()).keys();
        }
        for (const QString &path : std::as_const(paths))
            QVERIFY2(jobValueName(path) != path, qPrintable(path));
        const QString later = QStringLiteral("of.a.later.version");
        QCOMPARE(jobValueName(later), later);
        QVERIFY(jobValuePlace(QStringLiteral("optimizer.learning_rate")) < jobValuePlace(QStringLiteral("input.pad")));
        QVERIFY(jobValuePlace(QStringLiteral("input.pad")) < jobValuePlace(later));
    }

    void everyValueOfAJobIsSaidInWords_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QJsonValue>("value");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *path, const QJsonValue &value, const char *words) {
            QTest::newRow(name) << QString::fromLatin1(path) << value << QString::fromUtf8(words);
        };
        row("a list of numbers", "input.pad", QJsonArray{2, 3}, "2; 3");
        row("a list of fractions", "input.mean", QJsonArray{0.5, 0.25}, "0.5; 0.25");
        row("a list of names", "freeze", QJsonArray{QStringLiteral("*"), QStringLiteral("!head*")}, "*, !head*");
        row("an empty list", "freeze", QJsonArray(), "None");
        row("yes", "shuffle", true, "Yes");
        row("no", "shuffle", false, "No");
        row("a choice of the Job page", "schedule.kind", QStringLiteral("cosine"), "Falls along a cosine");
        row("a choice of a later version", "schedule.kind", QStringLiteral("waves"), "waves");
        row("a word that another value knows", "model", QStringLiteral("cosine"), "cosine");
        row("none of one choice", "codec", QStringLiteral("none"), "None");
        row("none of another", "gradient_codec", QStringLiteral("none"), "As they are");
        row("a whole number with all its digits", "seed", qint64{1234567}, "1,234,567");
        row("a fraction with all its digits", "optimizer.momentum", 0.9999999, "0.9999999");
        row("a fraction without end", "input.scale", 1.0 / 255, "0.00392156863");
        row("nothing", "epochs", QJsonValue(QJsonValue::Undefined), "–");
    }
    void everyValueOfAJobIsSaidInWords() {
        QFETCH(QString, path);
        QFETCH(QJsonValue, value);
        QFETCH(QString, words);
        QCOMPARE(plain(jobValueText(path, value)), words);
    }

    void valuesOfAJobAreWrittenAsTheLanguageDoes() {
        {
            const Language spoken(QLocale(QLocale::German, QLocale::Germany));
            QCOMPARE(jobValueText(QStringLiteral("input.mean"), QJsonArray{0.5, 0.25}), QStringLiteral("0,5; 0,25"));
            QCOMPARE(jobValueText(QStringLiteral("seed"), 1234567), QStringLiteral("1.234.567"));
            QCOMPARE(jobValueText(QStringLiteral("schedule.kind"), QStringLiteral("cosine")),
                     QStringLiteral("Fällt entlang eines Kosinus"));
        }
        speakEnglish();
    }

    void aNumberTooLargeToBeCountedIsNotCut() {
        QVERIFY(jobValueText(QStringLiteral("batch"), 1e300).endsWith(QStringLiteral("300")));
    }

    void everyChoiceOfAJobHasWords() {
        const auto check = [](const char *path, const QJsonObject &job) {
            const QJsonValue said = valueAt(job, QLatin1String(path));
            QVERIFY2(said.isString() && jobValueText(QLatin1String(path), said) != said.toString(), path);
        };
        Job job;
        job.asynchronous = Asynchrony();
        for (const auto kind : {RateSchedule::Kind::Constant, RateSchedule::Kind::Linear, RateSchedule::Kind::Cosine,
                                RateSchedule::Kind::Steps, RateSchedule::Kind::OneCycle}) {
            job.schedule.kind = kind;
            check("schedule.kind", job.toJson());
        }
        for (const auto kind : {OptimizerSpec::Kind::Sgd, OptimizerSpec::Kind::Adam, OptimizerSpec::Kind::AdamW,
                                OptimizerSpec::Kind::Adafactor}) {
            job.optimizer.kind = kind;
            check("optimizer.kind", job.toJson());
        }
        for (const auto decay : {OptimizerSpec::Decay::Weights, OptimizerSpec::Decay::All}) {
            job.optimizer.decay = decay;
            check("optimizer.decay", job.toJson());
        }
        for (const auto precision : {Precision::Float32, Precision::Float64, Precision::Bfloat16}) {
            job.precision = precision;
            check("precision", job.toJson());
        }
        for (const auto codec : {CodecChoice::None, CodecChoice::Auto, CodecChoice::Strong}) {
            job.codec = codec;
            check("codec", job.toJson());
        }
        for (const QString &name : GradientCodec::names()) {
            job.gradientCodec = GradientCodec::fromName(name);
            check("gradient_codec", job.toJson());
        }
        for (const auto fit : {PictureFit::Crop, PictureFit::Whole, PictureFit::Stretch}) {
            job.fit = fit;
            check("fit", job.toJson());
        }
        for (const auto best : {BestBy::Loss, BestBy::Accuracy}) {
            job.bestBy = best;
            check("best_by", job.toJson());
        }
        for (const auto kind : {AdapterSpec::Kind::Lora, AdapterSpec::Kind::Bottleneck}) {
            job.adapters.emplace().kind = kind;
            check("adapters.kind", job.toJson());
        }
        for (const auto update : {Asynchrony::Update::Round, Asynchrony::Update::MicroBatch}) {
            job.asynchronous->update = update;
            check("asynchronous.update", job.toJson());
        }
        check("mode", job.toJson());
        check("mode", {{QStringLiteral("mode"), QStringLiteral("synchronous")}});
    }

    void aListInAColumnIsNoJson() {
        for (const auto &[id, pad] : {std::pair{"a", "[2,2]"}, std::pair{"b", "[0,4]"}}) {
            m_runs->add(QLatin1String(id), QStringLiteral("recorded_run"), -1,
                        {{"\"pad\":[2,2]", QByteArray("\"pad\":") + pad}});
        }
        show();
        QTRY_COMPARE_WITH_TIMEOUT(titles(), QStringList{QStringLiteral("Border of the input")}, patience);
        QStringList texts = column(RunsTableModel::ColumnCount);
        texts.sort();
        QCOMPARE(texts, (QStringList{QStringLiteral("0; 4"), QStringLiteral("2; 2")}));
    }

    void columnsAreChosenAndRemembered() {
        showFour();
        auto *menu = find<QPushButton>("historyColumns")->menu();
        QVERIFY(menu);
        // The click comes back when the menu is closed.
        QTimer::singleShot(0, menu, [this, menu] {
            menu->setActiveAction(find<QAction>("historyColumn_seed"));
            QTest::keyClick(menu, Qt::Key_Return);
        });
        click("historyColumns");
        QCOMPARE(titles(), (QStringList{QStringLiteral("Batch"), QStringLiteral("Seed")}));
        Q_EMIT menu->aboutToShow();
        QVERIFY(!find<QAction>("historyColumnsAutomatic")->isChecked());
        find<QAction>("historyColumn_batch")->trigger();
        QCOMPARE(titles(), QStringList{QStringLiteral("Seed")});
        // From one start of the window to the next.
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        QVERIFY(WindowMemory(*m_window, settings).save());
        find<HistoryPage>("historyPage")->chooseColumns({});
        QCOMPARE(titles(), QStringList{QStringLiteral("Batch")});
        WindowMemory(*m_window, settings).restore();
        QCOMPARE(titles(), QStringList{QStringLiteral("Seed")});
        Q_EMIT menu->aboutToShow();
        find<QAction>("historyColumnsAutomatic")->trigger();
        QCOMPARE(titles(), QStringList{QStringLiteral("Batch")});
    }

    void theBestIsStrong() {
        showThree();
        int strong = 0;
        for (int row = 0; row < 3; ++row)
            strong +=
                table()->model()->index(row, RunsTableModel::Loss).data(Qt::FontRole).value<QFont>().bold() ? 1 : 0;
        QCOMPARE(strong, 1);
    }

    void severalRunsShareOnePlotAndATable() {
        showFour();
        choose({QStringLiteral("a"), QStringLiteral("c"), QStringLiteral("d")});
        click("historyCompare");
        auto *compared = find<QTableWidget>("compareTable");
        QTRY_VERIFY_WITH_TIMEOUT(compared->isVisible(), patience);
        QCOMPARE(compared->rowCount(), 3);
        QCOMPARE(compared->horizontalHeaderItem(1)->text(), QStringLiteral("Batch"));
        QStringList batches;
        for (int row = 0; row < 3; ++row)
            batches << compared->item(row, 1)->text();
        batches.sort();
        QCOMPARE(batches, (QStringList{QStringLiteral("128"), QStringLiteral("32"), QStringLiteral("64")}));
        auto *loss = find<CurvePlot>("historyLoss");
        QVERIFY(loss->isVisible());
        QVERIFY(!find<CurvePlot>("historyAccuracy")->isVisible());
        QVERIFY(!loss->points(2).empty());
        click("historyShowAccuracy");
        QVERIFY(!loss->isVisible());
        QVERIFY(find<CurvePlot>("historyAccuracy")->isVisible());
        // One run has all plots again.
        choose({QStringLiteral("a")});
        QTRY_VERIFY_WITH_TIMEOUT(loss->isVisible() && !compared->isVisible(), patience);
    }
};

QTEST_MAIN(HistoryCompareTest)
#include "history_compare_test.moc"
