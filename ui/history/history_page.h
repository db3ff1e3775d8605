// History: all runs, what became of them, and two of them compared.
#pragma once

#include <QTimer>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "ui/base/page.h"
#include "ui/base/picture_file.h"
#include "ui/base/start_weights.h"
#include "ui/run/run_facts.h"
#include "ui/run/run_look.h"
#include "ui/run/runs_table_model.h"

class QComboBox;
class QLineEdit;
class QMenu;

namespace hearth {

class HistoryDetails;
class NoticeBar;
class Questions;
class RunController;
class RunHistory;
class RunModel;
class RunsFilter;
class RunsTable;

/// GUI thread. `run` is the one that the window shows: another one is not started beside it.
class HistoryPage : public Page {
    Q_OBJECT
  public:
    HistoryPage(const RunModel &run, RunController &controller, Questions &questions, QWidget *parent = nullptr);
    /// The columns of values of jobs that the user chose; nothing: those that differ.
    std::optional<QStringList> chosenColumns() const { return m_chosenColumns; }
    void chooseColumns(const std::optional<QStringList> &paths);
    /// Why this home cannot train; empty where it can: a run that is started here brings its own job.
    void setWhyNotStart(const QString &why);
    /// Chooses this run as soon as it is known, and asks what a person wants to keep of it.
    void takeAlong(const QString &run);

  Q_SIGNALS:
    /// The user opens this run; it is being attached.
    void runWanted(const QString &run);
    /// The user trains the weights of a run further, which has ended: its job is to be shown, to be changed and
    /// started.
    void furtherWanted(const hearth::Job &job, const hearth::StartWeights &weights);

  protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

  private:
    void buildActions();
    QWidget *buildBody();
    /// In the order of the table; valid until the next ones come.
    std::vector<const RunSummary *> chosenRuns() const;
    QStringList selectedRuns() const;  // their ids
    void takeRuns();
    void takeDetails(const std::vector<RunDetails> &runs);
    void selectionChanged();
    void askForDetails();
    void refreshButtons();
    QString whyNotStarted() const;
    QString whyNotResumed(const RunSummary &run) const;
    // What an action takes, or why it cannot be done.
    static tl::expected<Job, QString> jobTold(const RunDetails &run);
    static tl::expected<Job, QString> jobAgain(const RunDetails &run);
    tl::expected<std::pair<Job, StartWeights>, QString> furtherStart() const;
    tl::expected<QStringList, QString> foldersToDelete() const;

    void refreshSubtitle();
    void refreshColumns();
    void fillColumnMenu();
    void open();
    void compare();
    void goOn();
    void startAgain();
    void trainFurther();
    void tryRun();
    void chooseTakenAlong();
    void openTakeAlong();
    QString askExportPath(RunExport form);
    void exportRuns(RunExport form);
    void exportPicture();
    void askForLabel();
    void star(const QModelIndex &index);
    void changeLabels(const QStringList &ids, const LabelChange &change);
    void deleteRuns();
    void showDeleted();

    const RunModel &m_run;
    RunController &m_controller;
    Questions &m_questions;
    RunHistory &m_history;
    RunsUnderWay m_underWay;
    RunsTableModel *m_model;
    RunsFilter *m_filter;
    RunsTable *m_table;
    QLineEdit *m_words;
    QComboBox *m_states;
    HistoryDetails *m_details;
    NoticeBar *m_notice;
    NoticeBar *m_busy;
    NoticeBar *m_undo;
    QPushButton *m_open;
    QPushButton *m_compare;
    QPushButton *m_goOn;
    QPushButton *m_startAgain;
    QPushButton *m_further;
    QPushButton *m_try;
    QPushButton *m_label;
    QPushButton *m_delete;
    QPushButton *m_columns;
    QMenu *m_columnMenu;
    QPushButton *m_export;
    QMenu *m_exports;
    QList<QAction *> m_rounds;  // exports of them
    QAction *m_picture;
    QAction *m_takeAlong;
    QString m_takenAlong;    // a run that is not shown yet
    QTimer m_follow;         // while a run is under way and this page is seen
    QStringList m_selected;  // that the details were asked for
    std::vector<ShownRun> m_shown;
    bool m_comparing = false;
    std::optional<QStringList> m_chosenColumns;
    QString m_whyNotStart;
    QString m_reading;  // how much of the runs is read; empty when all is
    QString m_exportPath;
    PictureFile m_pictureFile;
};

}  // namespace hearth
