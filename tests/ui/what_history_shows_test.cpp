// Every state that History can be in, and every state that a run in its list can have.
#include <QComboBox>
#include <QTableView>
#include <tuple>

#include "core/history/run_history.h"
#include "tests/core/base/patience.h"
#include "tests/ui/past_runs.h"
#include "tests/ui/states_fixture.h"
#include "ui/base/rail.h"
#include "ui/run/runs_table_model.h"

using namespace hearth;

class WhatHistoryShowsTest : public StatesFixture {
    Q_OBJECT

    const QString table = QStringLiteral("runsTable"), facts = QStringLiteral("historyFacts");
    const QString open = QStringLiteral("historyOpen"), compare = QStringLiteral("historyCompare");
    const QString goOn = QStringLiteral("historyGoOn"), again = QStringLiteral("historyStartAgain");
    const QString further = QStringLiteral("historyFurther");
    const QString deletes = QStringLiteral("historyDelete"), deleted = QStringLiteral("historyDeleted");
    const QString exported = QStringLiteral("historyExport"), empty = QStringLiteral("historyPageEmpty");
    const QString subtitle = QStringLiteral("historyPageSubtitle"), notice = QStringLiteral("historyNotice");

    void openWindow() override {
        m_runs = std::make_unique<PastRuns>();
        StatesFixture::openWindow();
    }
    void show() const {
        m_controller->past.setFolders({m_runs->folder()});
        goTo("railHistory");
        QTRY_VERIFY_WITH_TIMEOUT(m_controller->past.isKnown(), patience);
    }
    /// With one run whose events end with this state, or before any of the last ones.
    Enter oneRunThat(const char *state) {
        return [this, state] {
            m_runs->add(QStringLiteral("one"), QStringLiteral("recorded_run"), 60);
            if (*state != '\0')
                m_runs->write(
                    QStringLiteral("one"),
                    QByteArrayLiteral("{\"seq\":61,\"t\":9,\"event\":\"state\",\"state\":\"") + state + "\"}\n");
            show();
            choose(1);
        };
    }
    void tellHome(bool live, bool resumable, const char *state = "") const {
        RunInfo run;
        run.id = QStringLiteral("one");
        run.live = live;
        run.resumable = resumable;
        run.state = QString::fromLatin1(state);
        m_controller->known = {run};
        m_controller->refreshRuns();
    }
    void choose(int runs) const {
        auto *view = find<QTableView>("runsTable");
        QTRY_VERIFY_WITH_TIMEOUT(view->model()->rowCount() >= runs, patience);
        view->clearSelection();
        for (int row = 0; row < runs; ++row)
            view->selectionModel()->select(view->model()->index(row, 0),
                                           QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    void addTwo() const {
        m_runs->add(QStringLiteral("late"), QStringLiteral("lossy_run"));
        m_runs->add(QStringLiteral("early"), QStringLiteral("recorded_run"), -1,
                    {{"2026-11-21T09:45:00Z", "2026-11-19T09:45:00Z"}});
    }

    void addStatesOfThePage() {
        addState("no run yet", [this] { show(); },
                 {{{empty, QStringLiteral("No runs yet")}},
                  {QStringLiteral("historyPageEmptyLink")},
                  {},
                  {open, compare, goOn, again, deletes, exported, notice}});
        addState("the list is being read",
                 [this] {
                     goTo("railHistory");
                     Q_EMIT m_controller->past.progressed(1, 4);
                 },
                 {{{subtitle, QStringLiteral("Reading the events of the runs: 25.0 %")}}, {}, {}, {empty, open}});
        addState("several runs",
                 [this] {
                     addTwo();
                     show();
                     choose(1);
                 },
                 {{{subtitle, QStringLiteral("2 runs")},
                   {table, QStringLiteral("Finished")},
                   {facts, QStringLiteral("fashion-cnn")}},
                  {open, again, deletes, exported},
                  {{compare, QStringLiteral("Choose two to ten runs")}},
                  {empty, deleted}});
        addState("nothing that is searched",
                 [this] {
                     addTwo();
                     show();
                     find<QLineEdit>("historyWords")->setText(QStringLiteral("no such run"));
                 },
                 {{{subtitle, QStringLiteral("0 of 2 runs shown")}},
                  {},
                  {{open, QStringLiteral("Choose one run first")},
                   {deletes, QStringLiteral("Choose a run first")},
                   {exported, QStringLiteral("Choose a run first")}},
                  {empty}});
        addState("two runs are chosen",
                 [this] {
                     addTwo();
                     show();
                     choose(2);
                 },
                 {{{QStringLiteral("historyHint"), QStringLiteral("lays these 2 runs")}},
                  {compare, deletes, exported},
                  {{open, QStringLiteral("Choose one run first")}, {again, QStringLiteral("Choose one run first")}},
                  {}});
        addState("two runs are compared",
                 [this] {
                     addTwo();
                     show();
                     choose(2);
                     click("historyCompare");
                 },
                 {{{QStringLiteral("historyLegend1"), QStringLiteral("A: fashion-cnn")},
                   {QStringLiteral("historyLegend2"), QStringLiteral("B: fashion-cnn")}},
                  {},
                  {},
                  {QStringLiteral("historyShowEvents")}});
        addState("two runs were deleted, and no other is there",
                 [this] {
                     addTwo();
                     show();
                     choose(2);
                     click("historyDelete");
                 },
                 {{{deleted, QStringLiteral("2 runs deleted (")}, {empty, QStringLiteral("No runs yet")}},
                  {QStringLiteral("historyDeletedButton"), QStringLiteral("historyDeletedClose")},
                  {},
                  {deletes, exported}});
        addState("its index was broken and is made anew",
                 [this] {
                     addTwo();
                     show();
                     Q_EMIT m_controller->past.noticed({QStringLiteral("history.rebuilt"),
                                                        QStringLiteral("The list of runs was damaged."),
                                                        QStringLiteral("It is built anew from the runs."),
                                                        {}});
                 },
                 {{{notice, QStringLiteral("The list of runs was damaged. It is built anew from the runs.")}},
                  {QStringLiteral("historyNoticeButton")},
                  {},
                  {}});
    }
    void addStatesOfARun() {
        const auto shown = [this](const QString &state) {
            return Seen{{{table, state}, {facts, state}}, {open}, {}, {}};
        };
        const QString underWay = QStringLiteral("A run is under way");
        for (const auto &[word, state, reason] :
             {std::tuple("finished", "Finished", "“Start again” trains its job from the beginning."),
              std::tuple("stopped", "Stopped", "job.json is missing"),
              std::tuple("failed", "Failed", "job.json is missing")}) {
            Seen seen = shown(QString::fromLatin1(state));
            seen.enabled << again << deletes;
            seen.disabled = {{goOn, QString::fromUtf8(reason)}, {further, QStringLiteral("has saved no weights")}};
            addState(
                word,
                [this, word = word] {
                    oneRunThat(word)();
                    tellHome(false, false, word);
                },
                seen);
        }
        Seen finished = shown(QStringLiteral("Finished"));
        finished.enabled << again << further;
        finished.disabled = {{goOn, QStringLiteral("“Train further …” begins a new run with its weights.")}};
        addState(
            "finished, and its weights are there",
            [this] {
                m_runs->add(QStringLiteral("one"), QStringLiteral("recorded_run"));
                m_runs->addFiles(QStringLiteral("one"), {QStringLiteral("weights.safetensors")});
                show();
                tellHome(false, false, "finished");
                choose(1);
            },
            finished);
        for (const auto &[word, state] : {std::pair("training", "Training"), std::pair("paused", "Paused"),
                                          std::pair("recovering", "Recovering"), std::pair("planning", "Planning"),
                                          std::pair("profiling", "Measuring"), std::pair("waiting", "Waiting")}) {
            Seen seen = shown(QString::fromLatin1(state));
            seen.disabled = {
                {goOn, underWay}, {again, underWay}, {deletes, QStringLiteral("under way cannot be deleted")}};
            addState(
                word,
                [this, word = word] {
                    tellHome(true, false);
                    oneRunThat(word)();
                },
                seen);
        }
        Seen seen = shown(QStringLiteral("Interrupted"));
        seen.enabled << goOn << again;
        addState(
            "interrupted without a word, and it can go on",
            [this] {
                oneRunThat("")();
                tellHome(false, true);
            },
            seen);
        addState(
            "interrupted in order, and it can go on",
            [this] {
                oneRunThat("interrupted")();
                tellHome(false, true);
            },
            seen);
        seen.enabled = {again};
        seen.disabled = {{goOn, QStringLiteral("There is no checkpoint of it in")}};
        addState(
            "interrupted before its first checkpoint",
            [this] {
                oneRunThat("")();
                m_runs->addFiles(QStringLiteral("one"), {QStringLiteral("job.json"), QStringLiteral("model.json")});
                tellHome(false, false);
            },
            seen);
        seen.enabled << further;
        seen.disabled.clear();
        addState(
            "interrupted, and its best weights are there",
            [this] {
                m_runs->add(QStringLiteral("one"), QStringLiteral("recorded_run"), 60);
                m_runs->addFiles(QStringLiteral("one"), {QStringLiteral("best.safetensors")});
                show();
                tellHome(false, false);
                choose(1);
            },
            seen);
        seen.enabled = {};
        seen.disabled = {{goOn, QStringLiteral("No device is ready.")}, {again, QStringLiteral("No device is ready.")}};
        addState(
            "interrupted, and no device is there to go on",
            [this] {
                oneRunThat("")();
                tellHome(false, true);
                m_home->set({});
            },
            seen);
        addState("of which no line can be read",
                 [this] {
                     m_runs->write(QStringLiteral("noise"), QByteArray(3000, 'x') + '\n');
                     show();
                     choose(1);
                 },
                 {{{facts, QStringLiteral("Unreadable lines")}}, {open}, {{again, QString()}}, {}});
    }

    void addStates() override {
        addStatesOfThePage();
        addStatesOfARun();
    }

  private:
    std::unique_ptr<PastRuns> m_runs;
};

QTEST_MAIN(WhatHistoryShowsTest)
#include "what_history_shows_test.moc"
