// The History page: what can be done with the runs that are chosen.
#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QMenu>
#include <QTimer>

#include "tests/core/base/patience.h"
#include "tests/ui/history_fixture.h"

using namespace hearth;

class HistoryActionsTest : public HistoryFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginPage(); }
    void cleanup() { endPage(); }

    void aRunIsOpenedByButtonAndByKeyboard() {
        showThree();
        choose({QStringLiteral("early")});
        click("historyOpen");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("attach early")});
        QCOMPARE(place(), static_cast<int>(TrainPlace));
        goTo("railHistory");
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Home);
        QTest::keyClick(table(), Qt::Key_Down);
        QTest::keyClick(table(), Qt::Key_Return);
        QCOMPARE(m_controller->calls.size(), 2);
    }

    void twoRunsAreLaidOverEachOther() {
        showThree();
        QVERIFY(!find<QPushButton>("historyCompare")->isEnabled());
        choose({QStringLiteral("late"), QStringLiteral("early")});
        QVERIFY(!find<QPushButton>("historyOpen")->isEnabled());
        QVERIFY(find<QWidget>("historyHint")->isVisible());
        click("historyCompare");
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Rounds")).size(), 2, patience);
        QCOMPARE(facts(QStringLiteral("Rounds")),
                 QStringList({QString::number(roundsIn(RecordedRun::load(QStringLiteral("lossy_run")))),
                              QString::number(roundsIn(RecordedRun::load()))}));
        QVERIFY(find<QLabel>("historyLegend1")->text().startsWith(QLatin1String("A: fashion-cnn")));
        QVERIFY(find<QLabel>("historyLegend2")->text().startsWith(QLatin1String("B: fashion-cnn")));
        for (const char *plot : {"historyLoss", "historySpeed"}) {
            QVERIFY(!find<CurvePlot>(plot)->points(0).empty());
            QVERIFY(!find<CurvePlot>(plot)->points(1).empty());
        }
        // The same place is the same round in all plots.
        const double end = find<CurvePlot>("historyLoss")->axisEnd();
        QVERIFY(end >= static_cast<double>(roundsIn(RecordedRun::load(QStringLiteral("lossy_run")))));
        for (const char *plot : {"historyAccuracy", "historySpeed"})
            QCOMPARE(find<CurvePlot>(plot)->axisEnd(), end);
        QVERIFY(!find<QPushButton>("historyShowEvents")->isVisible());
        // Another choice ends it.
        choose({QStringLiteral("late")});
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Rounds")).size(), 1, patience);
        QVERIFY(find<QPushButton>("historyShowEvents")->isVisible());
    }

    void whatCannotBeComparedStandsBesideTheCurves() {
        showThree();
        m_runs->add(QStringLiteral("other"), QStringLiteral("recorded_run"), -1, {{"\"batch\":128,", "\"batch\":64,"}});
        m_controller->refreshRuns();
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 4, patience);
        choose({QStringLiteral("early"), QStringLiteral("other")});
        click("historyCompare");
        QTRY_COMPARE_WITH_TIMEOUT(facts(QString()).size(), 1, patience);
        QVERIFY(facts(QString()).constFirst().contains(QLatin1String("samples in one run and")));
        choose({QStringLiteral("early"), QStringLiteral("late")});
        click("historyCompare");
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Batch")).size(), 2, patience);
        QVERIFY(facts(QString()).isEmpty());
    }

    void theRoundsAreExportedAsTheEventsToldThem() {
        showThree();
        choose({QStringLiteral("early")});
        m_questions->file = m_runs->file(QStringLiteral("rounds.csv"));
        QMenu *menu = find<QPushButton>("historyExport")->menu();
        // The click comes back when the menu is closed.
        QTimer::singleShot(0, menu, [this, menu] {
            menu->setActiveAction(find<QAction>("historyExportCsv"));
            QTest::keyClick(menu, Qt::Key_Return);
        });
        click("historyExport");
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("historyNotice")->isVisible(), patience);
        QVERIFY(text("historyNoticeText").contains(QLatin1String("rounds.csv")));
        QVERIFY(!find<QWidget>("historyBusy")->isVisible());
        QFile file(m_questions->file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList lines = file.readAll().replace("\r\n", "\n").split('\n');
        std::vector<const RunEvent *> rounds;
        for (const RunEvent &one : m_events) {
            if (std::holds_alternative<event::Round>(one.body))
                rounds.push_back(&one);
        }
        std::size_t at = 0;
        for (const QByteArray &line : lines.mid(1, lines.size() - 2)) {
            const QByteArrayList fields = line.split(',');
            QCOMPARE(fields.size(), 10);
            if (fields[4].isEmpty())
                continue;
            QVERIFY(at < rounds.size());
            const auto &round = std::get<event::Round>(rounds[at]->body);
            QCOMPARE(fields[0], QByteArray("early"));
            QCOMPARE(fields[1].toLongLong(), round.round);
            QCOMPARE(fields[2].toUInt(), round.term);
            QCOMPARE(fields[3].toDouble(), rounds[at]->t);
            QCOMPARE(fields[4].toDouble(), round.loss);
            QCOMPARE(fields[5].toDouble(), round.roundS);
            QCOMPARE(fields[6].toDouble(), round.predictedRoundS);
            QCOMPARE(fields[7].toDouble(), round.samplesPerS);
            ++at;
        }
        QCOMPARE(at, rounds.size());
        click("historyNoticeButton");
        QVERIFY(!find<QWidget>("historyNotice")->isVisible());
    }

    void aPictureShowsWhatIsCompared() {
        showThree();
        choose({QStringLiteral("early"), QStringLiteral("late")});
        click("historyCompare");
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Rounds")).size(), 2, patience);
        m_questions->file = m_runs->file(QStringLiteral("curves.png"));
        trigger("historyExportPicture");
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("historyNotice")->isVisible(), patience);
        const QImage picture(m_questions->file);
        QVERIFY(picture.width() >= 2000);
        // Both curves are in it, in their colours.
        const Theme &theme = ThemeManager::instance().theme();
        for (const QColor &colour : {theme.accent, theme.info}) {
            int found = 0;
            for (int y = 0; y < picture.height(); y += 1) {
                for (int x = 0; x < picture.width(); x += 1)
                    found += picture.pixelColor(x, y) == colour ? 1 : 0;
            }
            QVERIFY2(found > 200, qPrintable(colour.name() + QString::number(found)));
        }
        // No plot reaches beyond it.
        for (int y = 0; y < picture.height(); ++y)
            QCOMPARE(picture.pixelColor(picture.width() - 1, y), theme.surface);
    }

    void whatCannotBeWrittenIsSaid_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::newRow("rounds") << QByteArray("historyExportCsv");
        QTest::newRow("picture") << QByteArray("historyExportPicture");
    }
    void whatCannotBeWrittenIsSaid() {
        QFETCH(QByteArray, action);
        showThree();
        choose({QStringLiteral("early")});
        QTRY_VERIFY_WITH_TIMEOUT(
            !facts(QStringLiteral("Rounds")).isEmpty() && find<QAction>(action.constData())->isEnabled(), patience);
        m_questions->file = m_runs->file(QStringLiteral("none/such.file"));
        trigger(action.constData());
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("errorPanel")->isVisible(), patience);
        QVERIFY(text("errorWhat").contains(QLatin1String("such.file")));
        QVERIFY(!find<QWidget>("historyBusy")->isVisible());
    }

    void whatEachDeviceDidIsExported() {
        showThree();
        choose({QStringLiteral("early")});
        m_questions->file = m_runs->file(QStringLiteral("devices.csv"));
        trigger("historyExportDevices");
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("historyNotice")->isVisible(), patience);
        QVERIFY(text("historyNoticeText").contains(QLatin1String("devices.csv")));
        qsizetype told = 0;
        for (const RunEvent &one : m_events) {
            if (const auto *round = std::get_if<event::Round>(&one.body))
                told += round->devices.size();
        }
        QFile file(m_questions->file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray table = file.readAll();
        QCOMPARE(table.count('\n'), 1 + told);
        QVERIFY(table.contains(",local-2,"));
    }

    void otherProgramsGetTheRounds_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QString>("chosen");
        QTest::addColumn<QString>("written");  // below it, or itself
        QTest::newRow("JSON Lines") << QByteArray("historyExportJson") << QStringLiteral("rounds.jsonl") << QString();
        QTest::newRow("TensorBoard") << QByteArray("historyExportTensorBoard") << QStringLiteral("board")
                                     << QStringLiteral("early");
    }
    void otherProgramsGetTheRounds() {
        QFETCH(QByteArray, action);
        QFETCH(QString, chosen);
        QFETCH(QString, written);
        showThree();
        choose({QStringLiteral("early")});
        m_questions->file = m_questions->folder = m_runs->file(chosen);
        trigger(action.constData());
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("historyNotice")->isVisible(), patience);
        QVERIFY(text("historyNoticeText").contains(chosen));
        QVERIFY(QFileInfo::exists(QDir(m_questions->file).filePath(written)));
    }

    void anExportThatTakesLongIsCancelled() {
        showThree();
        choose({QStringLiteral("early")});
        QTRY_VERIFY_WITH_TIMEOUT(!facts(QStringLiteral("Rounds")).isEmpty(), patience);
        // Zeros behind its events, as after a disk that failed: to read so many takes a minute.
        const QString events = m_runs->events(QStringLiteral("early"));
        const qint64 size = QFileInfo(events).size();
        QVERIFY(QFile::resize(events, size + (qint64{64} << 30)));
        m_questions->file = m_runs->file(QStringLiteral("rounds.csv"));
        QMenu *menu = find<QPushButton>("historyExport")->menu();
        // The click comes back when the menu is closed.
        QTimer::singleShot(0, menu, [this, menu] {
            menu->setActiveAction(find<QAction>("historyExportCsv"));
            QTest::keyClick(menu, Qt::Key_Return);
        });
        click("historyExport");
        QVERIFY(find<QWidget>("historyBusy")->isVisible());
        QVERIFY(text("historyBusyText").contains(QLatin1String("rounds.csv")));
        QVERIFY(!find<QAction>("historyExportCsv")->isEnabled());
        click("historyBusyButton");
        QTRY_VERIFY_WITH_TIMEOUT(find<QAction>("historyExportCsv")->isEnabled(), patience);
        QVERIFY(!find<QWidget>("historyBusy")->isVisible());
        QVERIFY(!QFile::exists(m_questions->file));
        // It is no error, and nothing was done.
        QVERIFY(!find<QWidget>("errorPanel")->isVisible());
        QVERIFY(!find<QWidget>("historyNotice")->isVisible());
        QVERIFY(QFile::resize(events, size));
        trigger("historyExportCsv");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(m_questions->file), patience);
    }

    void aDialogThatWasCancelledExportsNothing() {
        showThree();
        choose({QStringLiteral("early")});
        trigger("historyExportCsv");
        QVERIFY(!m_controller->past.isExporting());
        QVERIFY(!find<QWidget>("historyBusy")->isVisible());
    }

    void aRunStartsAgainWithItsJobAndTheUsersPlan_data() {
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<bool>("given");
        QTest::newRow("the planner's plan is made anew") << QByteArray("first") << false;
        QTest::newRow("the user's plan is taken again") << QByteArray("user") << true;
    }
    void aRunStartsAgainWithItsJobAndTheUsersPlan() {
        QFETCH(QByteArray, reason);
        QFETCH(bool, given);
        m_runs->add(QStringLiteral("one"), QStringLiteral("recorded_run"), -1,
                    {{"\"reason\":\"first\"", "\"reason\":\"" + reason + '"'}, {"\"rounds\":60,", "\"rounds\":77,"}});
        show();
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("historyStartAgain")->isEnabled(), patience);
        click("historyStartAgain");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("start")});
        QCOMPARE(m_controller->started->rounds, std::optional<qint64>(77));
        QCOMPARE(m_controller->plan.has_value(), given);
        QCOMPARE(place(), static_cast<int>(TrainPlace));
    }

    void aRunThatEndedEarlyGoesOn() {
        showThree();
        m_controller->known.front().resumable = true;
        m_controller->refreshRuns();
        choose({QStringLiteral("crashed")});
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("historyGoOn")->isEnabled(), patience);
        click("historyGoOn");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("go on crashed")});
        QCOMPARE(place(), static_cast<int>(TrainPlace));
    }

    void whatCannotGoOnSaysWhy_data() {
        QTest::addColumn<QString>("trouble");
        QTest::addColumn<QString>("reason");
        QTest::newRow("its job is gone") << "job"
                                         << "job.json is missing in its folder";
        QTest::newRow("no checkpoint of it") << "checkpoint"
                                             << "There is no checkpoint of it in";
        QTest::newRow("it is finished")
            << "finished"
            << "It has finished all its rounds. “Start again” trains its job from the beginning.";
        QTest::newRow("it is finished, with weights")
            << "saved"
            << "It has finished all its rounds. “Train further …” begins a new run with its weights.";
        QTest::newRow("a run of another home") << "unknown"
                                               << "This home does not know the run";
        QTest::newRow("another run under way") << "live"
                                               << "A run is under way";
        QTest::newRow("another run under way that is not shown") << "elsewhere"
                                                                 << "A run is under way";
        QTest::newRow("no device") << "device"
                                   << "No device is ready.";
        QTest::newRow("two runs chosen") << "two"
                                         << "Choose one run first";
    }
    void whatCannotGoOnSaysWhy() {
        QFETCH(QString, trouble);
        QFETCH(QString, reason);
        showThree();
        m_controller->known.front().resumable = true;
        m_controller->refreshRuns();
        choose({QStringLiteral("crashed")});
        const auto *button = find<QPushButton>("historyGoOn");
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), patience);
        RunInfo &told = m_controller->known.front();
        const bool isFinished = trouble == QLatin1String("finished") || trouble == QLatin1String("saved");
        if (trouble == QLatin1String("job") || trouble == QLatin1String("checkpoint") || isFinished) {
            told.resumable = false;
            told.state = isFinished ? QStringLiteral("finished") : told.state;
            if (trouble == QLatin1String("saved"))
                m_runs->addFiles(QStringLiteral("crashed"), {QStringLiteral("weights.safetensors")});
            if (trouble == QLatin1String("checkpoint"))
                m_runs->addFiles(QStringLiteral("crashed"), {QStringLiteral("job.json"), QStringLiteral("model.json")});
            m_controller->refreshRuns();
        } else if (trouble == QLatin1String("unknown")) {
            m_controller->known.clear();
            m_controller->refreshRuns();
        } else if (trouble == QLatin1String("live")) {
            play(QStringLiteral("training"));
        } else if (trouble == QLatin1String("elsewhere")) {
            RunInfo other;
            other.id = QStringLiteral("other");
            other.live = true;
            m_controller->known.push_back(other);
            m_controller->refreshRuns();
        } else if (trouble == QLatin1String("device")) {
            m_home->set({});
        } else {
            choose({QStringLiteral("crashed"), QStringLiteral("early")});
        }
        QVERIFY(!button->isEnabled());
        QVERIFY2(button->toolTip().startsWith(reason), qPrintable(button->toolTip()));
    }

    void aJobThatIsBeingWrittenWronglyKeepsNoOldOneFromStarting() {
        showThree();
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("historyStartAgain")->isEnabled(), patience);
        Job wrong;
        wrong.batch = 0;
        m_window->setJob(wrong);
        QVERIFY(!find<QPushButton>("jobStart")->isEnabled());
        QVERIFY(find<QPushButton>("historyStartAgain")->isEnabled());
    }

    void noSecondRunIsStartedBesideOneUnderWay() {
        showThree();
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("historyStartAgain")->isEnabled(), patience);
        play(QStringLiteral("training"));
        QVERIFY(!find<QPushButton>("historyStartAgain")->isEnabled());
        QVERIFY(!find<QPushButton>("historyStartAgain")->toolTip().isEmpty());
    }

    void withoutDevicesNothingStartsAgain() {
        showThree();
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("historyStartAgain")->isEnabled(), patience);
        m_home->set({});
        QVERIFY(!find<QPushButton>("historyStartAgain")->isEnabled());
        QCOMPARE(find<QPushButton>("historyStartAgain")->toolTip(), QStringLiteral("No device is ready."));
    }
};

QTEST_MAIN(HistoryActionsTest)
#include "history_actions_test.moc"
