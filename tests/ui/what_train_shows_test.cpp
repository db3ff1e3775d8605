// Every state that a run can be in, on the Train page and in the status line.
#include "tests/ui/states_fixture.h"
#include "ui/base/rail.h"
#include "ui/train/train_page.h"

using namespace hearth;

class WhatTrainShowsTest : public StatesFixture {
    Q_OBJECT

    const QString primary = QStringLiteral("trainStart"), again = QStringLiteral("trainStartAgain");
    const QString evaluate = QStringLiteral("trainEvaluate"), stop = QStringLiteral("trainStop"),
                  takeAlong = QStringLiteral("trainTakeAlong");
    const QString notice = QStringLiteral("trainNotice"), progress = QStringLiteral("trainNoticeProgress");
    const QString subtitle = QStringLiteral("trainPageSubtitle"), status = QStringLiteral("statusRun");
    const QString empty = QStringLiteral("trainPageEmpty"), error = QStringLiteral("errorPanel");

    void openWindow() override {
        StatesFixture::openWindow();
        find<TrainPage>("trainPage")->setClock([this] { return m_now; });
        goTo("railTrain");
        // A window of this size shows none until they are asked for.
        find<QPushButton>("trainShowDevices")->click();
    }
    /// What the home says of the run that was shown, which is over.
    void tellHome(bool resumable) const {
        RunInfo run;
        run.id = m_window->run().runId();
        run.state = m_window->run().state();
        run.resumable = resumable;
        m_controller->known = {run};
        m_controller->refreshRuns();
    }
    /// Some rounds were done, then came this.
    Enter trained(const std::function<void()> &then) {
        return [this, then] {
            playRounds();
            then();
        };
    }
    Enter trainedThenState(const char *state) {
        return trained([this, state] { enterState(state); });
    }
    void playRounds() const {
        m_controller->open(QStringLiteral("run"));
        for (const RunEvent &one : m_events) {
            const auto *round = std::get_if<event::Round>(&one.body);
            if (round != nullptr && round->round > 5)
                return;
            m_controller->send(one);
        }
    }
    /// One device for all layers.
    void sendPlanWithout(int number, std::optional<double> longer) const {
        event::Plan told = m_window->run().planEvent();
        Plan plan = *m_window->run().plan();
        PlanStage all = plan.stages.front();
        all.lastLayer = plan.layerCount;
        all.shares = {{id(1), plan.microBatch}};
        plan.stages = {all};
        told.plan = plan.toJson();
        if (longer)
            told.resting.insert(id(number), *longer);
        send(told);
    }
    /// The first events, up to this state.
    Enter begunUpTo(const char *state) {
        return [this, state] { play(QString::fromLatin1(state)); };
    }
    Seen shows(const QString &state, const QString &button) const {
        return {
            {{status, state}, {subtitle, QStringLiteral(" · ") + state}, {primary, button}}, {}, {}, {empty, again}};
    }

    void addStatesWithoutARun() {
        addState("nothing was started", [] {},
                 {{{empty, QStringLiteral("Nothing is training")},
                   {subtitle, QStringLiteral("Ready to start")},
                   {status, QStringLiteral("No run")},
                   {primary, QStringLiteral("Start training")}},
                  {primary, QStringLiteral("trainPageEmptyLink")},
                  {},
                  {evaluate, stop, again, notice}});
        addState("nothing can be started without devices", [this] { m_home->set({}); },
                 {{{subtitle, QStringLiteral("No device is ready.")}},
                  {},
                  {{primary, QStringLiteral("No device is ready.")}},
                  {evaluate, stop}});
        addState("a run is about to start", [this] { Q_EMIT m_controller->startingChanged(true); },
                 {{{primary, QStringLiteral("Starting …")}}, {}, {{primary, QString()}}, {}});
        addState("it could not be started",
                 [this] {
                     Q_EMIT m_controller->startingChanged(true);
                     Q_EMIT m_controller->startingChanged(false);
                     Q_EMIT m_controller->failed({QStringLiteral("x"), QStringLiteral("The model is gone."),
                                                  QStringLiteral("There is no such file."),
                                                  QStringLiteral("Choose another.")});
                 },
                 {{{QStringLiteral("errorWhat"), QStringLiteral("The model is gone.")},
                   {QStringLiteral("errorWhy"), QStringLiteral("There is no such file. Choose another.")},
                   {primary, QStringLiteral("Start training")}},
                  {primary, QStringLiteral("copyErrorDetails"), QStringLiteral("closeError")},
                  {},
                  {}});
    }
    void addStatesBeforeTheFirstRound() {
        Seen seen = shows(QStringLiteral("Measuring"), QStringLiteral("Pause"));
        seen.texts.append({notice, QStringLiteral("Preparing the devices …")});
        seen.enabled = {stop};
        seen.disabled = {{primary, QString()}, {evaluate, QString()}};
        addState("the devices are being prepared", begunUpTo("profiling"), seen);
        seen.texts.back() = {notice, QStringLiteral("Measuring the devices: 12 of 40 steps")};
        addState(
            "they are being measured",
            [this] {
                play(QStringLiteral("profiling"));
                send(event::Profile{id(1), 12, 40}, 1);
            },
            seen);
        seen = shows(QStringLiteral("Waiting"), QStringLiteral("Pause"));
        seen.texts.append({notice, QStringLiteral("Waiting for devices that rest. "
                                                  "local-1: It is to train from 22:00 to 07:00.")});
        seen.enabled = {stop};
        seen.disabled = {{primary, QString()}, {evaluate, QString()}};
        seen.hidden << progress;
        addState(
            "it waits for a device that rests",
            [this] {
                play(QStringLiteral("profiling"));
                send(event::Device{id(1), device(1).name, toWord(DeviceState::Resting), device(1).address, 0});
                enterState("waiting");
                device(1).state = DeviceState::Resting;
                device(1).rest = Rest::OutOfHours;
                device(1).limits.hours = DailyHours{22 * 60, 7 * 60};
                tell();
                m_now += 12'000;
            },
            seen);
        seen = shows(QStringLiteral("Planning"), QStringLiteral("Pause"));
        seen.texts.append({notice, QStringLiteral("Making a plan …")});
        seen.enabled = {stop};
        seen.disabled = {{primary, QString()}};
        addState("a plan is being made", begunUpTo("planning"), seen);
        seen = shows(QStringLiteral("Training"), QStringLiteral("Pause"));
        seen.texts.append({notice, QStringLiteral("Preparing the first round …")});
        seen.enabled = {primary, evaluate, stop};
        addState("the first round is on its way", begunUpTo("training"), seen);
    }
    void addStatesUnderWay() {
        Seen seen = shows(QStringLiteral("Training"), QStringLiteral("Pause"));
        seen.texts.append({QStringLiteral("figureRound"), QStringLiteral("5")});
        seen.enabled = {primary, evaluate, stop};
        seen.hidden << notice << error;
        addState("it trains", trained([] {}), seen);
        seen = shows(QStringLiteral("Training"), QStringLiteral("Pausing …"));
        seen.enabled = {stop};
        seen.disabled = {{primary, QStringLiteral("after the current round")}};
        addState("it was told to pause", trained([this] { click("trainStart"); }), seen);
        seen = shows(QStringLiteral("Training"), QStringLiteral("Pause"));
        seen.texts.append({stop, QStringLiteral("Stopping …")});
        seen.disabled = {
            {primary, QString()}, {stop, QStringLiteral("after the current round")}, {evaluate, QString()}};
        addState("it was told to stop", trained([this] { click("trainStop"); }), seen);
        seen = shows(QStringLiteral("Training"), QStringLiteral("Pause"));
        seen.texts.append({stop, QStringLiteral("Stop")});
        seen.enabled = {primary, stop};
        addState("it could not be told to stop", trained([this] {
                     click("trainStop");
                     Q_EMIT m_controller->failed({QStringLiteral("x"), QStringLiteral("The agent is gone."), {}, {}});
                 }),
                 seen);
        seen = shows(QStringLiteral("Measuring"), QStringLiteral("Pause"));
        seen.texts.append({notice, QStringLiteral("training then goes on by itself")});
        seen.texts.append({QStringLiteral("eventList"), QStringLiteral("Training rests for some seconds")});
        seen.enabled = {primary, evaluate, stop};
        addState("it rests to measure", trainedThenState("profiling"), seen);
        seen = shows(QStringLiteral("Measuring"), QStringLiteral("Pausing …"));
        seen.enabled = {evaluate, stop};
        seen.disabled = {{primary, QStringLiteral("at once")}};
        addState("it was told to pause while it measures", trained([this] {
                     enterState("profiling");
                     click("trainStart");
                 }),
                 seen);
        seen = shows(QStringLiteral("Measuring"), QStringLiteral("Pause"));
        seen.texts.append({evaluate, QStringLiteral("Evaluating …")});
        seen.enabled = {primary, stop};
        seen.disabled = {{evaluate, QString()}};
        addState("it was told to evaluate while it measures", trained([this] {
                     enterState("profiling");
                     click("trainEvaluate");
                 }),
                 seen);
        seen = shows(QStringLiteral("Paused"), QStringLiteral("Resume"));
        seen.texts.append({QStringLiteral("tile-local-2"), QStringLiteral("Paused")});
        seen.enabled = {primary, evaluate, stop};
        addState("it is paused", trainedThenState("paused"), seen);
        seen = shows(QStringLiteral("Training"), QStringLiteral("Pause"));
        seen.texts.append(
            {QStringLiteral("tile-local-3"), QStringLiteral("Resting: a plan with it would take 12.0 % longer")});
        addState("a device rests, and the coordinator knows why", trained([this] { sendPlanWithout(3, 0.12); }), seen);
        seen.texts.back().second = QStringLiteral("Resting: the plan gives it no layers");
        addState("a device rests, and nobody knows why", trained([this] { sendPlanWithout(3, {}); }), seen);
        seen = shows(QStringLiteral("Training"), QStringLiteral("Pause"));
        seen.texts.append({QStringLiteral("tile-local-2"), QStringLiteral("Does not answer")});
        addState("a device does not answer", trained([this] { send(event::Suspect{id(2)}); }), seen);
        seen = shows(QStringLiteral("Recovering"), QStringLiteral("Pause"));
        seen.texts.append({QStringLiteral("tile-local-2"), QStringLiteral("Lost")});
        seen.texts.append({QStringLiteral("tile-local-2"), QStringLiteral("Had stage 1")});
        seen.enabled = {stop};
        seen.disabled = {{primary, QString()}, {evaluate, QString()}};
        addState("a device is lost, and the run recovers", trained([this] {
                     send(event::Lost{id(2), 6, {}});
                     enterState("recovering");
                 }),
                 seen);
        seen = shows(QStringLiteral("Training"), QStringLiteral("Pause"));
        seen.texts.back() = {subtitle, QStringLiteral("last data 12 s ago")};
        addState("nothing is heard of it", trained([this] { m_now += 12'000; }), seen);
    }
    void addStatesOfTheEnd() {
        Seen seen = shows(QStringLiteral("Finished"), QStringLiteral("Start again"));
        seen.texts.append({QStringLiteral("figureTimeLeft"), QStringLiteral("0 s")});
        seen.enabled = {primary, takeAlong};
        seen.hidden << notice << stop << evaluate;
        addState("it has finished", trainedThenState("finished"), seen);
        seen.texts = shows(QStringLiteral("Stopped"), QStringLiteral("Start again")).texts;
        addState("it was stopped, and left no checkpoint", trained([this] {
                     enterState("stopped");
                     tellHome(false);
                 }),
                 seen);
        seen.texts = shows(QStringLiteral("Stopped"), QStringLiteral("Resume")).texts;
        seen.enabled = {primary, again};
        seen.hidden = {notice};
        addState("it was stopped, and can go on", trained([this] {
                     enterState("stopped");
                     tellHome(true);
                 }),
                 seen);
        seen = shows(QStringLiteral("Failed"), QStringLiteral("Start again"));
        seen.texts.append({QStringLiteral("errorWhat"), QStringLiteral("No device is left.")});
        seen.enabled = {primary};
        addState("it has failed", trained([this] {
                     send(event::Failure{{QStringLiteral("x"), QStringLiteral("No device is left."), {}, {}}});
                     enterState("failed");
                 }),
                 seen);
        seen = shows(QStringLiteral("Interrupted"), QStringLiteral("Resume"));
        seen.texts.append({notice, QStringLiteral("“Resume” does the remaining rounds")});
        seen.texts.append({QStringLiteral("figureTimeLeft"), QStringLiteral("–")});
        seen.enabled = {primary, again};
        seen.hidden = {progress};
        addState("it was interrupted, and can go on", interrupted(true), seen);
        seen.enabled = {};
        seen.disabled = {{primary, QStringLiteral("No device is ready.")},
                         {again, QStringLiteral("No device is ready.")}};
        addState(
            "it was interrupted, and no device is there to go on",
            [this] {
                interrupted(true)();
                m_home->set({});
            },
            seen);
        seen = shows(QStringLiteral("Interrupted"), QStringLiteral("Start again"));
        seen.texts.append({notice, QStringLiteral("There is no checkpoint")});
        seen.enabled = {primary};
        seen.hidden << progress;
        addState("it was interrupted before its first checkpoint", interrupted(false), seen);
        seen = shows(QStringLiteral("Interrupted"), QStringLiteral("Start again"));
        seen.hidden << notice;
        addState("it was interrupted, in a home that is not this one",
                 trained([this] { m_controller->end(QStringLiteral("run")); }), seen);
        seen = shows(QStringLiteral("Finished"), QStringLiteral("Start again"));
        seen.texts.append({notice, QStringLiteral("Reading the record of this run: 34.0 %")});
        addState("what was written down of it is being read", trained([this] {
                     enterState("finished");
                     Q_EMIT m_controller->replayProgressed(0.34);
                 }),
                 seen);
    }
    Enter interrupted(bool resumable) {
        return trained([this, resumable] {
            m_controller->end(QStringLiteral("run"));
            tellHome(resumable);
        });
    }

    void addStates() override {
        addStatesWithoutARun();
        addStatesBeforeTheFirstRound();
        addStatesUnderWay();
        addStatesOfTheEnd();
    }

  private Q_SLOTS:
    void aRunThatWasInterruptedGoesOnOrStartsAgain() {
        openWindow();
        interrupted(true)();
        const QString run = m_window->run().runId();
        click("trainStart");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("go on ") + run});
        click("trainStartAgain");
        QCOMPARE(m_controller->calls.last(), QStringLiteral("start"));
        Q_EMIT m_controller->startingChanged(true);
        QVERIFY(!find<QPushButton>("trainStart")->isEnabled());
        QVERIFY(!find<QPushButton>("trainStartAgain")->isEnabled());
        // A value of the Job page that cannot be used matters only to a run that takes it.
        Q_EMIT m_controller->startingChanged(false);
        find<QLineEdit>("jobRounds")->setText(QStringLiteral("many"));
        QVERIFY(find<QPushButton>("trainStart")->isEnabled());
        QVERIFY(find<QPushButton>("trainStartAgain")->isEnabled());
    }
    void startAgainTrainsTheJobOfTheRunThatIsShown() {
        openWindow();
        playRounds();
        enterState("finished");
        const Job shown = *m_window->run().job();
        Job other = shown;
        other.rounds = 7;
        m_window->setJob(other);
        click("trainStart");
        QCOMPARE(m_controller->calls.last(), QStringLiteral("start"));
        QVERIFY(m_controller->started);
        QCOMPARE(m_controller->started->rounds, shown.rounds);
        QVERIFY(!m_controller->plan);
    }
    void aRecordingSaysSoAndHasAWayBack() {
        openWindow();
        m_controller->open(QStringLiteral("mine"));
        m_controller->calls.clear();
        m_questions->file = QStringLiteral("/somewhere/events.jsonl");
        choose("menuOpenRun");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("record /somewhere/events.jsonl")});
        playRounds();
        enterState("finished");
        QVERIFY(find<ElidedLabel>("trainPageSubtitle")->fullText().startsWith(QStringLiteral("Recording: ")));
        QVERIFY(!find<QPushButton>("trainStop")->isVisible());
        QVERIFY(!find<QPushButton>("trainEvaluate")->isVisible());
        click("trainBack");
        QCOMPARE(m_controller->calls.mid(1), (QStringList{QStringLiteral("close"), QStringLiteral("attach mine")}));
        m_controller->open(QStringLiteral("mine"));
        QVERIFY(!find<QPushButton>("trainBack")->isVisible());
    }
    void whoAsksForAnEvaluationSeesItGoOn() {
        openWindow();
        playRounds();
        click("trainEvaluate");
        const auto *button = find<QPushButton>("trainEvaluate");
        QCOMPARE(button->text(), QStringLiteral("Evaluating …"));
        QVERIFY(!button->isEnabled());
        send(event::Evaluating{5, 0, 1000});
        send(event::Evaluating{5, 340, 1000});
        QTRY_VERIFY_WITH_TIMEOUT(textsIn(*find<QWidget>("figureAccuracy")).contains(QStringLiteral("evaluating: 34.0")),
                                 patience);
        send(event::Evaluation{5, 0.5, 1});
        QCOMPARE(button->text(), QStringLiteral("Evaluate now"));
        QVERIFY(button->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(textsIn(*find<QWidget>("figureAccuracy")).contains(QStringLiteral("after round 5")),
                                 patience);
        send(event::Best{5, 1, 0.5, 1});
        send(event::Evaluation{10, 0.4, 2});
        QTRY_VERIFY_WITH_TIMEOUT(
            textsIn(*find<QWidget>("figureAccuracy")).contains(QStringLiteral("after round 10, best after 5")),
            patience);
    }
    void theTimeLeftCountsTheEvaluationsThatAreLeft() {
        RunModel run;
        Job job;
        job.rounds = 25;
        job.evaluateEvery = 10;
        job.batch = 100;
        quint64 seq = 0;
        const auto add = [&](double t, const RunEventBody &body) { run.add({++seq, t, body, {}}); };
        add(0, event::Run{QStringLiteral("r"), {}, job.toJson(), {}});
        event::Round round;
        round.samplesPerS = 100;
        for (round.round = 1; round.round <= 10; ++round.round)
            add(static_cast<double>(round.round), round);
        QCOMPARE(run.secondsLeft(), 15.0);
        add(11, event::Evaluating{10, 0, 1000});
        add(15, event::Evaluation{10, 0.5, 1});
        // After round 20 and at the end, four seconds each.
        QCOMPARE(run.secondsLeft(), 15.0 + 8);
        add(16, event::State{QStringLiteral("paused")});
        add(100, event::Evaluating{10, 0, 1000});
        add(104, event::Evaluation{10, 0.5, 1});
        QCOMPARE(run.secondsLeft(), 15.0 + 8);
    }

  private:
    qint64 m_now = 0;
};

QTEST_MAIN(WhatTrainShowsTest)
#include "what_train_shows_test.moc"
