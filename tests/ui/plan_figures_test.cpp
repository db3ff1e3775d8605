// The figures above a plan: what its devices wait, and who or what limits it, by name.
#include "ui/plan/plan_figures.h"

#include "core/plan/steps.h"
#include "tests/core/base/patience.h"
#include "tests/core/plan/hand_problem.h"
#include "tests/ui/run_fixture.h"
#include "ui/base/widgets.h"
#include "ui/plan/plan_draft.h"
#include "ui/words/format.h"

using namespace hearth;

namespace {
constexpr double fast = 1e9, slow = 0.01;  // bytes per second
}  // namespace

class PlanFiguresTest : public RunFixture {
    Q_OBJECT

    std::unique_ptr<PlanDraft> m_draft;
    std::unique_ptr<PlanFigures> m_figures;

    /// Four layers and two micro-batches. The devices of the first stage take a sample each; so many are in the second
    /// one, which there is not with none.
    void begin(int first, int second, double bytesPerSecond, double speedOfTheLast = 1) {
        std::vector<double> speeds(static_cast<std::size_t>(first + second), 1);
        speeds.back() = speedOfTheLast;
        PlanningProblem problem = test::byHand(4, speeds, 2 * first);
        problem.links.fallback = LinkProfile::Link{bytesPerSecond, 0, Duplex::Full};
        Placement placement{first, Schedule::OneForwardOneBackward, {}};
        Group group;
        for (int device = 0; device < first; ++device)
            group.push_back({device, 1});
        placement.stages.push_back({0, second > 0 ? 2 : 4, group, second > 0 ? 2 : 1});
        group.clear();
        for (int device = 0; device < second; ++device)
            group.push_back({first + device, first / second});
        if (second > 0)
            placement.stages.push_back({2, 4, group, 1});
        show(problem, placement);
    }
    void show(const PlanningProblem &problem, const Placement &placement) {
        m_draft = std::make_unique<PlanDraft>();
        m_draft->setNames({{test::dev(0), QStringLiteral("laptop")},
                           {test::dev(1), QStringLiteral("nano-2")},
                           {test::dev(2), QStringLiteral("tx2")}});
        m_draft->begin(problem, planOf(problem, QStringLiteral("test"), placement));
        QVERIFY(m_draft->isEditable());
        m_figures = std::make_unique<PlanFigures>(*m_draft);
        m_figures->refresh();
    }
    const Figure &figure(const char *name) const {
        const auto *found = m_figures->findChild<Figure *>(QLatin1String(name));
        if (found == nullptr)
            qFatal("no figure is called %s", name);
        return *found;
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void cleanup() {
        m_figures.reset();
        m_draft.reset();
    }

    void whoLimitsThePlanIsNamed_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::addColumn<double>("bytesPerSecond");
        QTest::addColumn<QString>("who");
        QTest::addColumn<QString>("what");
        QTest::newRow("a device") << 1 << 1 << fast << QStringLiteral("nano-2") << QStringLiteral("computes stage 2");
        QTest::newRow("a group") << 2 << 0 << fast << QStringLiteral("laptop and nano-2")
                                 << QStringLiteral("compute stage 1");
        QTest::newRow("a link") << 1 << 1 << slow << QStringLiteral("laptop – nano-2")
                                << QStringLiteral("the link between stages 1 and 2");
        QTest::newRow("the links of a group") << 2 << 1 << slow << QStringLiteral("laptop and nano-2 – tx2")
                                              << QStringLiteral("the links between stages 1 and 2");
    }
    void whoLimitsThePlanIsNamed() {
        QFETCH(int, first);
        QFETCH(int, second);
        QFETCH(double, bytesPerSecond);
        QFETCH(QString, who);
        QFETCH(QString, what);
        begin(first, second, bytesPerSecond, 0.5);
        QCOMPARE(figure("planLimit").value(), who);
        QCOMPARE(figure("planLimit").note(), what);
    }

    void whatLimitsThePlanBesideItsStepsIsNamed_data() {
        QTest::addColumn<QString>("limit");
        QTest::addColumn<QString>("who");
        QTest::addColumn<QString>("what");
        QTest::newRow("inputs") << QStringLiteral("feed") << QStringLiteral("nano-2")
                                << QStringLiteral("serves inputs and labels");
        QTest::newRow("a card") << QStringLiteral("card") << QStringLiteral("nano-2")
                                << QStringLiteral("its network card");
        QTest::newRow("several stages") << QStringLiteral("device") << QStringLiteral("nano-2")
                                        << QStringLiteral("computes 2 stages");
    }
    void whatLimitsThePlanBesideItsStepsIsNamed() {
        QFETCH(QString, limit);
        QFETCH(QString, who);
        QFETCH(QString, what);
        const bool isCard = limit == QLatin1String("card"), isDevice = limit == QLatin1String("device");
        PlanningProblem problem = test::byHand(isCard ? 3 : 4, {1, 0.5, 1}, 8);
        if (limit == QLatin1String("feed")) {
            problem.dataDevice = test::dev(1);
            problem.inputBytes = 1000;
            problem.links.fallback->bytesPerSecond = 10;
        } else if (isCard) {
            for (LayerFacts &layer : problem.layers)
                layer.outputBytes = layer.gradientBytes = 1000;
            problem.links.nics = {{test::dev(1), 1.0, 1.0, std::nullopt, QString()}};
        }
        const std::vector<int> devices = isCard     ? std::vector{0, 1, 2}
                                         : isDevice ? std::vector{0, 1, 0, 1}
                                                    : std::vector{0, 1};
        Placement placement{1, Schedule::OneForwardOneBackward, {}};
        const auto layers = static_cast<int>(problem.layers.size() / devices.size());
        for (const int device : devices) {
            const auto first = layers * static_cast<int>(placement.stages.size());
            placement.stages.push_back({first, first + layers, {{device, 1}}, problem.batch, false, {}});
        }
        show(problem, placement);
        QCOMPARE(figure("planLimit").value(), who);
        QCOMPARE(figure("planLimit").note(), what);
    }

    void waitingIsThePartOfTheRoundInWhichDevicesDoNotCompute() {
        // Two stages that take 6 s for each of two micro-batches: a round lasts 18 s, and each device computes for 12.
        begin(1, 1, fast);
        QCOMPARE(figure("planWaiting").value(), formatPercent(1.0 / 3));
        QCOMPARE(figure("planWaiting").note(), QStringLiteral("of the devices’ time"));
    }
    void aDeviceAloneNeverWaits() {
        begin(1, 0, fast);
        QCOMPARE(figure("planWaiting").value(), formatPercent(0));
    }

    void waitingFollowsWithTheSimulatorsNumbers() {
        begin(1, 1, fast);
        const QString before = figure("planWaiting").value();
        QVERIFY(
            m_draft->preview([](const PlanEditor &editor, const Plan &plan) { return editor.moveBorder(plan, 0, 1); }));
        m_figures->refresh();
        QCOMPARE(figure("planWaiting").value(), before);
        QTRY_VERIFY_WITH_TIMEOUT(m_draft->isSimulated(), patience);
        m_figures->refresh();
        QVERIFY(figure("planWaiting").value() != before);
    }

    void withoutAPlanThereAreNoFigures() {
        begin(1, 1, fast);
        m_draft->clear();
        m_figures->refresh();
        for (const char *name : {"planRoundTime", "planSpeed", "planWaiting", "planLimit"})
            QCOMPARE(figure(name).value(), QStringLiteral("–"));
    }

    void figuresThatHaveNoRoomInOneRowStandInTwo() {
        begin(1, 1, fast);
        QWidget window;  // which lets its part be narrower than one row
        m_figures->setParent(&window);
        // Before the window takes it along.
        const std::unique_ptr<PlanFigures> figures = std::move(m_figures);
        const auto *first = figures->findChild<Figure *>(QStringLiteral("planRoundTime"));
        const auto *last = figures->findChild<Figure *>(QStringLiteral("planLimit"));
        window.resize(2000, 400);
        figures->resize(2000, 200);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_COMPARE_WITH_TIMEOUT(last->y(), first->y(), patience);
        figures->resize(figures->minimumSizeHint().width(), 200);
        QTRY_VERIFY_WITH_TIMEOUT(last->y() > first->y(), patience);
        QVERIFY(last->geometry().right() < figures->width());
    }
};

QTEST_MAIN(PlanFiguresTest)
#include "plan_figures_test.moc"
