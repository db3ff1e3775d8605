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
class TryAnswers;

/// Computes on this computer. GUI thread; `questions` outlives it.
class TryDialog : public QDialog {
    Q_OBJECT
  public:
    /// `name` is what a person knows the run by. The run's folder is read beside the window; what is wrong with it is
    /// told in the dialog.
    TryDialog(Questions &questions, const QString &name, const QString &runFolder, QWidget *parent = nullptr,
              RunWeights which = RunWeights::Last);
    ~TryDialog() override;

  protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragLeaveEvent(QDragLeaveEvent *event) override;
    void dropEvent(QDropEvent *event) override;

  private:
    void connectButtons();
    /// Leads to another dialog with the weights of the best evaluation, or with the last ones, where there are both.
    QPushButton *makeOther(const QString &name, const QString &runFolder, RunWeights which);
    /// What is asked depends on the run.
    void begin(const AskedRun &run);
    void beginSamples(const AskedRun &run);
    QString invitation(const AskedRun &run) const;
    /// Files and folders are looked through beside the window.
    void look(const QStringList &paths);
    void ask(const std::shared_ptr<SampleSource> &source);
    void take(const Answer &answer);
    void tell(const QString &text, bool wrong);
    void tellAnswered();
    void save();
    void refresh();

    Questions &m_questions;
    QLabel *m_told;
    QVBoxLayout *m_panel;
    TryAnswers *m_table;
    QPushButton *m_file, *m_folder, *m_save;
    std::unique_ptr<RunInference> m_inference;  // null: the run takes no samples, or cannot be asked
    std::unique_ptr<BackgroundTask> m_looking;
    std::vector<Answer> m_answers;         // as many as the table shows
    std::optional<QStringList> m_columns;  // of all that was asked; none where they differ
    Score m_score;
    qint64 m_count = 0;
    QElapsedTimer m_sinceTold;
};

}  // namespace hearth
