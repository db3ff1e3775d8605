// The drawn round without a mouse: by keys, and for those who hear it.
#include "ui/plan/round_chart.h"

#include <QScrollArea>
#include <QToolTip>

#include "core/plan/steps.h"
#include "tests/core/base/patience.h"
#include "tests/core/plan/hand_problem.h"
#include "tests/ui/active_window.h"
#include "tests/ui/run_fixture.h"
#include "ui/plan/plan_draft.h"

using namespace hearth;

class RoundChartTest : public RunFixture {
    Q_OBJECT

    std::unique_ptr<PlanDraft> m_draft;
    std::unique_ptr<QScrollArea> m_scroll;
    RoundChart *m_chart = nullptr;

    void press(Qt::Key key) const { QTest::keyClick(m_chart, key); }
    QString words() const { return m_chart->accessibleDescription(); }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    /// Two stages of two layers; the second device is half as fast. Two micro-batches of one sample.
    void init() {
        const PlanningProblem problem = test::byHand(4, {1, 0.5}, 2);
        const Placement placement{
            1, Schedule::OneForwardOneBackward, {{0, 2, {{0, 1}}, 2, false, {}}, {2, 4, {{1, 1}}, 1, false, {}}}};
        m_draft = std::make_unique<PlanDraft>();
        m_draft->setNames({{test::dev(0), QStringLiteral("laptop")}, {test::dev(1), QStringLiteral("nano-2")}});
        m_draft->begin(problem, planOf(problem, QStringLiteral("test"), placement));
        m_chart = new RoundChart(*m_draft);
        m_scroll = std::make_unique<QScrollArea>();
        m_scroll->setWidgetResizable(true);
        m_scroll->setWidget(m_chart);
        m_scroll->resize(600, 60);
        QVERIFY(showActive(*m_scroll));
    }
    void cleanup() {
        m_scroll.reset();
        m_draft.reset();
    }

    void theWholeSaysHowBusyEachLaneIsAndWhatLimits() {
        const QStringList lanes = words().split(QStringLiteral("; "));
        QCOMPARE(lanes.size(), m_chart->laneNames().size());
        for (qsizetype i = 0; i < lanes.size(); ++i) {
            const bool limits = m_chart->laneNames()[i] == QLatin1String("nano-2");
            QVERIFY2(lanes[i].startsWith(m_chart->laneNames()[i] + QStringLiteral(": busy ")), qPrintable(lanes[i]));
            QVERIFY2(lanes[i].contains(QStringLiteral("limits the plan")) == limits, qPrintable(lanes[i]));
        }
    }

    void keysGoFromTaskToTask() {
        QCOMPARE(m_chart->focusPolicy(), Qt::StrongFocus);
        m_chart->setFocus();
        QCOMPARE(m_chart->laneNames().front(), QStringLiteral("laptop"));
        const auto says = [this](const char *beginning) { return words().startsWith(QString::fromUtf8(beginning)); };
        press(Qt::Key_Right);
        QVERIFY2(says("laptop: Stage 1, forward of micro-batch 1: "), qPrintable(words()));
        press(Qt::Key_Left);
        QVERIFY2(says("laptop: Stage 1, forward of micro-batch 1: "), qPrintable(words()));
        press(Qt::Key_Right);
        QVERIFY2(says("laptop: Stage 1, forward of micro-batch 2: "), qPrintable(words()));
        press(Qt::Key_End);
        QVERIFY2(says("laptop: Stage 1, backward of micro-batch 2: "), qPrintable(words()));
        press(Qt::Key_Right);
        QVERIFY2(says("laptop: Stage 1, backward of micro-batch 2: "), qPrintable(words()));
        press(Qt::Key_Home);
        press(Qt::Key_Down);
        QVERIFY2(says("laptop → nano-2: Transfer of micro-batch 1 between stages 1 and 2: "), qPrintable(words()));
        press(Qt::Key_Up);
        QVERIFY2(says("laptop: Stage 1, forward of micro-batch "), qPrintable(words()));
        for (int i = 0; i < 10; ++i)
            press(Qt::Key_Down);
        QVERIFY2(says("nano-2: Stage 2, "), qPrintable(words()));
        press(Qt::Key_A);
        QVERIFY2(says("nano-2: Stage 2, "), qPrintable(words()));
    }

    void whatIsChosenIsShownAndTold() {
        const auto top = [this] { return m_chart->mapTo(m_scroll->viewport(), QPoint()).y(); };
        m_chart->setFocus();
        QCOMPARE(top(), 0);
        const QImage before = m_chart->grab().toImage();
        press(Qt::Key_Home);
        QTRY_VERIFY_WITH_TIMEOUT(QToolTip::isVisible(), patience);
        QVERIFY2(words().endsWith(QToolTip::text()), qPrintable(QToolTip::text()));
        QVERIFY(m_chart->grab().toImage() != before);
        // The last lane lies below what is seen.
        for (int i = 0; i < 10; ++i)
            press(Qt::Key_Down);
        QVERIFY(top() < 0);
    }

    void whatIsChosenStaysSoInAnotherPlan() {
        press(Qt::Key_Home);
        press(Qt::Key_Right);
        QVERIFY(m_draft->commit(
            QString(), [](const PlanEditor &editor, const Plan &plan) { return editor.moveBorder(plan, 0, 3); }));
        QTRY_VERIFY_WITH_TIMEOUT(m_draft->isSimulated(), patience);
        const QString before = words();
        m_chart->refresh();
        QVERIFY2(words().startsWith(QStringLiteral("laptop: Stage 1, forward of micro-batch 2: ")),
                 qPrintable(words()));
        QVERIFY(words() != before);
        m_draft->clear();
        m_chart->refresh();
        QVERIFY(words().isEmpty());
    }
};

QTEST_MAIN(RoundChartTest)
#include "round_chart_test.moc"
