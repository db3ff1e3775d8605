// "Take along": what a run reached, in plain words, and what a person can keep of it.
#pragma once

#include <QDialog>
#include <QList>
#include <functional>
#include <memory>
#include <optional>

#include "core/history/run_results.h"
#include "ui/run/run_facts.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace hearth {

class BackgroundTask;
class Questions;

/// Files are written beside the window. GUI thread; `questions` outlives it.
class TakeAlongDialog : public QDialog {
    Q_OBJECT
  public:
    TakeAlongDialog(Questions &questions, const ShownRun &shown, QWidget *parent = nullptr);
    ~TakeAlongDialog() override;
    /// Where a file is being written, the dialog is deleted only when that has ended.
    void done(int result) override;

  Q_SIGNALS:
    /// What became of a file that was still being written when the dialog was closed.
    void written(const QString &path);
    void failed(const hearth::Error &error);

  private:
    /// Runs in a thread of its own.
    using Write = std::function<Result<void>(const QString &path)>;
    void addWeights(QGridLayout *rows);
    /// `whyNot`: it cannot be written. `filter`: of a file; empty for a folder.
    void addRow(QGridLayout *rows, QPushButton *save, const QString &title, const QString &use, const QString &whyNot,
                const QString &filter, const std::function<Write()> &writer);
    void write(const QString &title, const QString &filter, const Write &work);
    void endWriting();
    /// Of the weights that are chosen.
    void tellRound();
    void tell(const QString &text, bool wrong);

    Questions &m_questions;
    const RunDetails m_run;
    std::optional<RunResults> m_results;
    QCheckBox *m_best;
    QLabel *m_told;
    QList<QPushButton *> m_saves;  // of what can be written
    std::unique_ptr<BackgroundTask> m_writing;
};

}  // namespace hearth
