// "Try it": pictures are dropped on a trained network, which says what they are.
#pragma once

#include <QDialog>
#include <memory>
#include <vector>

#include "core/base/error.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace hearth {

class BackgroundTask;
class Questions;
class RunInference;
class SampleSource;
struct Answer;

/// Computes on this computer. GUI thread; `questions` outlives it.
class TryDialog : public QDialog {
    Q_OBJECT
  public:
    /// `name` is what a person knows the run by. What is wrong with the run's folder is told in the dialog.
    TryDialog(Questions &questions, const QString &name, const QString &runFolder, QWidget *parent = nullptr);
    ~TryDialog() override;

  protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragLeaveEvent(QDragLeaveEvent *event) override;
    void dropEvent(QDropEvent *event) override;

  private:
    QTableWidget *makeTable();
    /// Folders are looked through beside the window.
    void look(const QStringList &paths);
    void take(const Answer &answer);
    void tell(const QString &text, bool wrong);
    void tellProgress();
    void save();
    void refresh();

    Questions &m_questions;
    QLabel *m_told;
    QTableWidget *m_table;
    QPushButton *m_file, *m_folder, *m_save;
    std::unique_ptr<RunInference> m_inference;  // null: the run cannot be asked
    std::unique_ptr<BackgroundTask> m_looking;
    std::vector<Answer> m_answers;
};

}  // namespace hearth
