// The History page of the real window over run folders on the disk: what its tests share.
#pragma once

#include <QListView>
#include <QTableView>

#include "core/history/run_history.h"
#include "tests/core/base/patience.h"
#include "tests/ui/past_runs.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/rail.h"
#include "ui/run/facts_view.h"
#include "ui/run/runs_table_model.h"
#include "ui/train/curve_plot.h"

namespace hearth {

/// The slots of QTestLib are the test's own and call `beginPage` and `endPage`.
class HistoryFixture : public WindowFixture {
  protected:
    std::unique_ptr<PastRuns> m_runs;

    QTableView *table() const { return find<QTableView>("runsTable"); }
    QStringList column(int column) const {
        QStringList texts;
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            texts << plain(table()->model()->index(row, column).data().toString());
        return texts;
    }
    int rowOf(const QString &id) const {
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            if (table()->model()->index(row, 0).data(RunsTableModel::IdRole).toString() == id)
                return row;
        }
        return -1;
    }
    void show() {
        m_controller->past.setFolders({m_runs->folder()});
        goTo("railHistory");
        QTRY_VERIFY_WITH_TIMEOUT(m_controller->past.isKnown(), patience);
    }
    /// The page with a lossy run (later), a recorded one, and an early one that crashed.
    void showThree() {
        m_runs->add(QStringLiteral("early"), QStringLiteral("recorded_run"), -1,
                    {{"2026-11-21T09:45:00Z", "2026-11-19T09:45:00Z"}});
        m_runs->add(QStringLiteral("late"), QStringLiteral("lossy_run"), -1, {});
        m_runs->add(QStringLiteral("crashed"), QStringLiteral("recorded_run"), 60,
                    {{"2026-11-21T09:45:00Z", "2026-11-18T09:45:00Z"}});
        RunInfo crashed;
        crashed.id = QStringLiteral("crashed");
        m_controller->known = {crashed};
        show();
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 3, patience);
    }
    /// The page with one run, "live", of which a part was told, and what the home says of it.
    void showLive() {
        m_runs->add(QStringLiteral("live"), QStringLiteral("recorded_run"), 60);
        tellLive(true);
        show();
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("State")), QStringList{QStringLiteral("Training")}, patience);
    }
    void tellLive(bool live) {
        RunInfo info;
        info.id = QStringLiteral("live");
        info.live = live;
        m_controller->known = {info};
        m_controller->refreshRuns();
    }
    void choose(const QStringList &ids) {
        table()->clearSelection();
        for (const QString &id : ids) {
            table()->selectionModel()->select(table()->model()->index(rowOf(id), 0),
                                              QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
    }
    QStringList facts(const QString &label) const {
        QStringList values = find<FactsView>("historyFacts")->valuesOf(label);
        for (QString &value : values)
            value = plain(value);
        return values;
    }
    void trigger(const char *action) const { find<QAction>(action)->trigger(); }
    const QListView *events() const { return find<QListView>("historyEvents"); }
    static qint64 roundsIn(const std::vector<RunEvent> &run) {
        qint64 last = 0;
        for (const RunEvent &one : run) {
            if (const auto *round = std::get_if<event::Round>(&one.body))
                last = round->round;
        }
        return last;
    }

    void beginPage() {
        m_runs = std::make_unique<PastRuns>();
        makeWindow();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void endPage() {
        endWindow();
        m_runs.reset();
    }
};

}  // namespace hearth
