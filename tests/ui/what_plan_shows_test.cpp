// Every state that the Job page and the Plan page can be in.
#include "tests/ui/plan_page_fixture.h"
#include "tests/ui/states_fixture.h"

using namespace hearth;

class WhatPlanShowsTest : public StatesFixture {
    Q_OBJECT

    const QString job = QStringLiteral("jobStart"), jobSubtitle = QStringLiteral("jobPageSubtitle");
    const QString start = QStringLiteral("planStart"), subtitle = QStringLiteral("planPageSubtitle");
    const QString message = QStringLiteral("planMessage"), empty = QStringLiteral("planPageEmpty");
    const QString noDevice = QStringLiteral("No device is ready.");

    Enter onJob(const std::function<void()> &then) {
        return [this, then] {
            goTo("railJob");
            then();
        };
    }
    /// A run with its plan and some rounds.
    Enter onPlan(const std::function<void()> &then, bool measured = true) {
        return [this, then, measured] {
            if (measured)
                m_controller->problem = RecordedRun::problem();
            goTo("railPlan");
            m_controller->open(QStringLiteral("run"));
            for (const RunEvent &one : m_events) {
                const auto *round = std::get_if<event::Round>(&one.body);
                if (round != nullptr && round->round > 5)
                    break;
                m_controller->send(one);
            }
            then();
        };
    }
    void moveBorder() const {
        auto *strip = find<LayerStrip>("layerStrip");
        const QPoint from = strip->borderAt(0), to = strip->placeBefore(1);
        QTest::mousePress(strip, Qt::LeftButton, {}, from);
        QTest::mouseMove(strip, to);
        QTest::mouseRelease(strip, Qt::LeftButton, {}, to);
    }
    /// The plan in force, judged otherwise.
    void sendPlan(const std::function<void(Prediction &)> &judge) const {
        event::Plan plan = m_window->run().planEvent();
        Plan read = *Plan::fromJson(plan.plan, QStringLiteral("test"));
        read.planner = QStringLiteral("hearth");
        read.prediction->fits = true;
        read.prediction->provedOptimal = false;
        judge(*read.prediction);
        plan.plan = read.toJson();
        send(plan);
    }
    Enter onPlanPlayed(double longer) {
        return onPlan(
            [this, longer] {
                sendPlan(
                    [longer](Prediction &judged) { judged.playedRoundSeconds = (1 + longer) * judged.roundSeconds; });
            },
            false);
    }

    void addStatesOfTheJob() {
        addState(
            "the usual job", onJob([] {}),
            {{{jobSubtitle, QStringLiteral("What to train")}, {job, QStringLiteral("Start training")}}, {job}, {}, {}});
        addState("a job that was changed",
                 onJob([this] { find<QLineEdit>("jobBatch")->setText(QStringLiteral("64")); }),
                 {{{jobSubtitle, QStringLiteral("not saved yet")}}, {job, QStringLiteral("jobSave")}, {}, {}});
        addState("a value that cannot be used",
                 onJob([this] { find<QLineEdit>("jobRounds")->setText(QStringLiteral("many")); }),
                 {{{QStringLiteral("jobRoundsReason"), QStringLiteral("not a whole number")}},
                  {},
                  {{job, QStringLiteral("values that cannot be used")}, {QStringLiteral("jobSave"), QString()}},
                  {}});
        addState("a job without devices", onJob([this] { m_home->set({}); }), {{}, {}, {{job, noDevice}}, {}});
        addState("a job while a run is under way", onJob([this] { play(QStringLiteral("training")); }),
                 {{{job, QStringLiteral("Watch training")}}, {job}, {}, {}});
    }
    void addStatesWithoutAPlan() {
        addState("no run, no plan", [this] { goTo("railPlan"); },
                 {{{empty, QStringLiteral("No plan yet")},
                   {empty, QStringLiteral("before anything is trained")},
                   {subtitle, QStringLiteral("Who computes which layers")}},
                  {start, QStringLiteral("planPageEmptyLink")},
                  {},
                  {message}});
        addState("no run, and no device for one",
                 [this] {
                     goTo("railPlan");
                     m_home->set({});
                 },
                 {{{empty, QStringLiteral("No plan yet")}}, {}, {{start, noDevice}}, {}});
        const Seen onItsWay{
            {{empty, QStringLiteral("The plan is on its way")}, {start, QStringLiteral("Watch training")}},
            {start},
            {},
            {message, QStringLiteral("planPageEmptyLink")}};
        addState(
            "a run that measures",
            [this] {
                goTo("railPlan");
                play(QStringLiteral("profiling"));
            },
            onItsWay);
        addState(
            "a run that plans",
            [this] {
                goTo("railPlan");
                play(QStringLiteral("planning"));
            },
            onItsWay);
        addState("a run that ended before it had a plan",
                 [this] {
                     goTo("railPlan");
                     play(QStringLiteral("planning"));
                     enterState("failed");
                 },
                 {{{empty, QStringLiteral("before anything is trained")}}, {start}, {}, {}});
    }
    void addStatesOfThePlan() {
        const QString automatic = QStringLiteral("planAutomatic"), undo = QStringLiteral("planUndo");
        addState("the plan in force", onPlan([] {}),
                 {{{subtitle, QStringLiteral("by the planner “Asteroid (MobiCom 2024)”")},
                   {message, QStringLiteral("Drag the border")},
                   {start, QStringLiteral("Watch training")}},
                  {start},
                  {{undo, QStringLiteral("Nothing was changed")}},
                  {empty}});
        addState("a plan that is proved to be the best",
                 onPlan([this] { sendPlan([](Prediction &judged) { judged.provedOptimal = true; }); }),
                 {{{message, QStringLiteral("Proven optimal")}}, {start}, {}, {}});
        addState("a plan that was proved to be the best before a device joined", onPlan([this] {
                     sendPlan([](Prediction &judged) { judged.provedOptimal = true; });
                     send(event::Joined{id(3)});
                 }),
                 {{{message, QStringLiteral("Proven optimal for the home as it was; it has changed since.")}},
                  {start},
                  {},
                  {}});
        addState("a plan that was proved to be the best for other speeds", onPlan([this] {
                     sendPlan([](Prediction &judged) {
                         judged.provedOptimal = true;
                         judged.roundSeconds *= 1.02;
                     });
                 }),
                 {{{message, QStringLiteral("it has changed since.")}}, {start}, {}, {}});
        addState("a plan that is not proved", onPlan([this] { sendPlan([](Prediction &) {}); }),
                 {{{message, QStringLiteral("Not proven")}}, {start}, {}, {}});
        addState("a plan whose links are busier than simulated", onPlanPlayed(0.2),
                 {{{message, QStringLiteral("20.0 % more): links carry transfers")}}, {start}, {}, {}});
        addState("a plan whose groups are faster than simulated", onPlanPlayed(-0.1),
                 {{{message, QStringLiteral("10.0 % less): devices of a stage need not wait")}}, {start}, {}, {}});
        addState("a plan that is played as simulated", onPlanPlayed(0.04),
                 {{{message, QStringLiteral("Not proven optimal.")}}, {start}, {}, {}});
        addState("a plan that was changed", onPlan([this] { moveBorder(); }),
                 {{{subtitle, QStringLiteral("changed by you")}, {message, QStringLiteral("A round would take")}},
                  {undo, automatic},
                  {},
                  {}});
        addState("a changed plan that the run takes", onPlan([this] {
                     m_controller->changesPlans = true;
                     moveBorder();
                 }),
                 {{{start, QStringLiteral("Apply at the next round")}}, {start}, {}, {}});
        addState("a changed plan on its way", onPlan([this] {
                     m_controller->changesPlans = true;
                     moveBorder();
                     click("planStart");
                 }),
                 {{{start, QStringLiteral("Takes effect at the next round")}},
                  {},
                  {{start, QStringLiteral("after the current round")}},
                  {}});
        addState("a changed plan after the run", onPlan([this] {
                     moveBorder();
                     enterState("stopped");
                 }),
                 {{{start, QStringLiteral("Train with this plan")}}, {start}, {}, {}});
        addState("a changed plan, and no device to train with", onPlan([this] {
                     moveBorder();
                     enterState("stopped");
                     for (int number = 1; number <= 3; ++number)
                         device(number).state = DeviceState::Lost;
                     tell();
                 }),
                 {{}, {}, {{start, noDevice}}, {}});
        addState("a plan without the measurements of its run", onPlan([] {}, false),
                 {{{message, QStringLiteral("can be viewed")}}, {start}, {{undo, QString()}}, {}});
        addState("a plan that does not fit",
                 onPlan([this] { sendPlan([](Prediction &judged) { judged.fits = false; }); }, false),
                 {{{message, QStringLiteral("does not fit into the memory")}}, {start}, {}, {}});
    }

    void addStates() override {
        addStatesOfTheJob();
        addStatesWithoutAPlan();
        addStatesOfThePlan();
    }
};

QTEST_MAIN(WhatPlanShowsTest)
#include "what_plan_shows_test.moc"
