// "Try it": a trained network says what it makes of pictures, rows or texts that it never saw.
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <memory>
#include <optional>
#include <vector>

#include "core/inference/answer_table.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace hearth {

class Questions;
class RunController;
class TryAnswers;

/// What answers. Plain value.
struct TryChoice {
    RunWeights weights = RunWeights::Last;
    bool atHome = false;  // the home's devices together, not this computer
};

/// GUI thread; `questions` and `controller` outlive it.
class TryDialog : public QDialog {
    Q_OBJECT
  public:
    /// `name` is what a person knows the run by. The run's folder is read beside the window; what is wrong with it is
    /// told in the dialog.
    TryDialog(Questions &questions, RunController &controller, const QString &name, const QString &runFolder,
              QWidget *parent = nullptr, TryChoice choice = {});
    ~TryDialog() override;
    /// While something is read beside the window it is only hidden, and deleted when that has ended.
    void done(int result) override;

  protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragLeaveEvent(QDragLeaveEvent *event) override;
    void dropEvent(QDropEvent *event) override;

  private:
    void connectButtons();
    /// Leads to another dialog with the weights of the best evaluation, or with the last ones, where there are both.
    QPushButton *makeOtherWeights();
    /// Likewise where the home's devices answer, or this computer.
    QPushButton *makeOtherPlace();
    void openOther(TryChoice choice);
    /// What is asked depends on the run.
    void begin(const AskedRun &run);
    void beginSamples(const AskedRun &run);
    QString invitation(const AskedRun &run) const;
    /// Files and folders are looked through beside the window.
    void look(const QStringList &paths);
    void ask(const std::shared_ptr<SampleSource> &source);
    /// Ends looking at files and answering; what was answered stays.
    void stop();
    /// What was begun beside the window has ended. True where the dialog was closed meanwhile.
    bool leaveIfClosed();
    void take(const Answer &answer);
    void tell(const QString &text, bool wrong);
    void tellPreparing(const QString &state);
    void tellAnswered();
    void save();
    void refresh();

    Questions &m_questions;
    RunController &m_controller;
    const QString m_name, m_folderOfRun;
    const TryChoice m_choice;
    QLabel *m_told;
    QVBoxLayout *m_panel;
    TryAnswers *m_table;
    QPushButton *m_file, *m_folder, *m_save, *m_stop;
    std::unique_ptr<RunInference> m_inference;  // null: the run takes no samples, or cannot be asked
    std::unique_ptr<BackgroundTask> m_looking;
    std::vector<Answer> m_answers;         // as many as the table shows
    std::optional<QStringList> m_columns;  // of all that was asked; none where they differ
    Score m_score;
    qint64 m_count = 0;
    QElapsedTimer m_sinceTold;
};

}  // namespace hearth
