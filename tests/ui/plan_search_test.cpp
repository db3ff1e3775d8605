// Searches of the Plan page: each is cancelled by the button that began it; planners are called as people know them.
#include <QElapsedTimer>
#include <QMenu>
#include <QTableView>
#include <atomic>
#include <thread>

#include "core/plan/planner.h"
#include "tests/core/base/patience.h"
#include "tests/ui/plan_page_fixture.h"
#include "ui/plan/background_plan.h"

using namespace hearth;

class PlanSearchTest : public PlanPageFixture {
    Q_OBJECT

    /// Where compressing would pay, so that each button is there.
    void offerCompression() const {
        PlanningProblem slow = *m_controller->problem;
        for (LinkProfile::Pair &pair : slow.links.pairs)
            pair.bytesPerSecond = 1.8e6;
        m_controller->problem = slow;
        Q_EMIT m_controller->problemFound(m_window->run().runId(), slow);
        Plan told = *m_window->run().plan();
        told.prediction->codecGain = 2.3;
        m_controller->send({1500, 50, event::Plan{2, 6, told.toJson(), QStringLiteral("drift"), {}}, {}});
    }
    QString words(const QString &button) const {
        return find<ElidedLabel>(qPrintable(button + QStringLiteral("Words")))->fullText();
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openPlanPage(); }
    void cleanup() { endWindow(); }

    void aSearchIsCancelledByTheButtonThatBeganIt_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("idle");
        QTest::addColumn<QString>("searching");
        const QString searching = QStringLiteral("Searching …");
        QTest::newRow("compare") << QStringLiteral("planCompare") << QStringLiteral("Compare")
                                 << QStringLiteral("Comparing …");
        QTest::newRow("plan the rest") << QStringLiteral("planFinish") << QStringLiteral("Plan the rest") << searching;
        QTest::newRow("compress") << QStringLiteral("planCompress") << QStringLiteral("Compress") << searching;
    }
    void aSearchIsCancelledByTheButtonThatBeganIt() {
        QFETCH(QString, name);
        QFETCH(QString, idle);
        QFETCH(QString, searching);
        offerCompression();
        auto *button = find<QPushButton>(qPrintable(name));
        QTRY_VERIFY_WITH_TIMEOUT(button->isVisible() && button->isEnabled(), patience);
        QCOMPARE(button->text(), idle);
        const QString tip = button->toolTip();
        button->click();
        QCOMPARE(button->text(), QStringLiteral("Cancel"));
        QVERIFY(button->isVisible() && button->isEnabled());
        QVERIFY(button->toolTip().isEmpty());
        QCOMPARE(words(name), searching);
        button->click();
        QCOMPARE(button->text(), idle);
        QCOMPARE(button->toolTip(), tip);
        QVERIFY(words(name).isEmpty());
        // What it had found on its way changes nothing.
        QTest::qWait(0);
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
        QVERIFY(find<QTableView>("plannerTable")->isHidden());
        QCOMPARE(messageRole(), QStringLiteral("secondary"));
    }

    void whoCancelsDoesNotWaitForASearchThatDoesNotLook() {
        std::atomic<bool> mayEnd = false, hasEnded = false;
        int first = 0, second = 0;
        BackgroundPlan search;
        search.start(
            PlanningProblem(),
            [&](const PlanningProblem &, const BackgroundPlan::Cancelled &) {
                QElapsedTimer timer;
                timer.start();
                while (!mayEnd && timer.elapsed() < patience)
                    std::this_thread::yield();
                hasEnded = true;
                return Result<Plan>(Plan());
            },
            [&first](const Result<Plan> &) { ++first; });
        search.cancel();
        QVERIFY(!hasEnded && !search.isRunning());
        search.start(
            PlanningProblem(),
            [](const PlanningProblem &, const BackgroundPlan::Cancelled &) { return Result<Plan>(Plan()); },
            [&second](const Result<Plan> &) { ++second; });
        QTRY_COMPARE_WITH_TIMEOUT(second, 1, patience);
        QVERIFY(!hasEnded);
        mayEnd = true;
        QTRY_VERIFY_WITH_TIMEOUT(hasEnded, patience);
        QTest::qWait(0);
        QCOMPARE(first, 0);
    }

    void aSearchThatIsOverGivesTheButtonBack() {
        auto *button = find<QPushButton>("planCompare");
        button->click();
        QTRY_COMPARE_WITH_TIMEOUT(button->text(), QStringLiteral("Compare"), patience);
        QVERIFY(find<QTableView>("plannerTable")->model()->rowCount() > 0);
        QVERIFY(words(button->objectName()).isEmpty());
    }

    void aQuestionIsCancelledAndForgotten() {
        const auto *answer = find<QLabel>("planAnswer");
        const QString before = answer->text();
        auto *ask = find<QPushButton>("planAsk");
        ask->click();
        auto *menu = find<QMenu>("planQuestions");
        menu->close();
        menu->actions().constFirst()->trigger();
        QCOMPARE(ask->text(), QStringLiteral("Cancel"));
        QVERIFY(ask->accessibleName().isEmpty());
        QVERIFY(answer->text() != before);
        ask->click();
        QCOMPARE(ask->text(), QStringLiteral("Ask …"));
        QCOMPARE(ask->accessibleName(), QStringLiteral("Ask what if"));
        QVERIFY(!menu->isVisible());
        QCOMPARE(answer->text(), before);
    }

    void plannersAreCalledAsPeopleKnowThem() {
        find<QPushButton>("planCompare")->click();
        const QAbstractItemModel *table = find<QTableView>("plannerTable")->model();
        QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), static_cast<int>(plannerNames().size()), patience);
        QMap<QString, QString> names;  // by id, which is what commands and files call them
        for (int row = 0; row < table->rowCount(); ++row) {
            const QModelIndex cell = table->index(row, 0);
            names[cell.data(Qt::ToolTipRole).toString().section(QLatin1Char(' '), -1)] = cell.data().toString();
        }
        QCOMPARE(names.size(), plannerNames().size());
        QCOMPARE(names.value(QStringLiteral("hearth")), QStringLiteral("Hearth"));
        QCOMPARE(names.value(QStringLiteral("pipedream")), QStringLiteral("PipeDream (SOSP 2019)"));
        QCOMPARE(names.value(QStringLiteral("pp-1f1b")), QStringLiteral("1F1B pipeline (PipeDream-Flush, ICML 2021)"));
        QCOMPARE(names.value(QStringLiteral("single")), QStringLiteral("Best single device"));
    }
};

QTEST_MAIN(PlanSearchTest)
#include "plan_search_test.moc"
