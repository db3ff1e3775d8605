// "Add data": a folder or file of this computer gets a name, and what cannot be used of it is told.
#pragma once

#include <QDialog>
#include <QStringList>
#include <memory>

#include "core/base/error.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace hearth {

class BackgroundTask;
class Dataset;
class LeftOutList;
class LookProgress;
class Questions;
struct DataBeginning;

/// Looks at the data in another thread, also at how they begin: of paths that are typed the last one wins. Closing
/// gives up, as KnownDataDialog does. GUI thread; `questions` outlives it.
class AddDataDialog : public QDialog {
    Q_OBJECT
  public:
    AddDataDialog(Questions &questions, const QString &path, QWidget *parent = nullptr);
    ~AddDataDialog() override;
    void done(int result) override;
    /// What was added; null before.
    const std::shared_ptr<const Dataset> &set() const { return m_set; }

  Q_SIGNALS:
    /// Registered under this name; set() has it.
    void added(const QString &name);

  private:
    QWidget *buildPath();
    QString nameOf(const QString &path) const;
    void choose(const QString &path);
    /// The column that is learnt, and as what.
    QWidget *buildLearnt();
    QWidget *buildTokenizer();
    void lookAtBeginning();
    /// The first rows of a table, which of its columns is learnt and which has texts, and what tokenizes these.
    void showBeginning(const DataBeginning &beginning);
    void showColumns(const DataBeginning &beginning);
    void showTokenizer();
    /// Columns; none of a table of numbers and categories, nor of other data.
    QStringList chosenTexts() const;
    void begin();
    void take();
    QString addedText() const;
    void tell(const QString &text, bool wrong);
    void refresh();
    /// Deletes itself where it is closed and nothing runs any more.
    void endIfOver();

    Questions &m_questions;
    const QStringList m_taken;  // names, as the dialog was opened
    QLineEdit *m_path, *m_name;
    QLabel *m_told;
    LookProgress *m_progress;
    LeftOutList *m_broken;
    QFormLayout *m_form = nullptr;
    QComboBox *m_label, *m_task, *m_texts;
    QLineEdit *m_tokenizer;
    QWidget *m_learntRow = nullptr, *m_tokenizerRow = nullptr;
    QTableWidget *m_rows;
    QPushButton *m_add;
    bool m_isNameGiven = false;    // by the user
    bool m_arePlainTexts = false;  // what the path holds
    std::shared_ptr<const Dataset> m_set;
    bool m_isClosed = false;
    std::unique_ptr<BackgroundTask> m_beginning, m_looking;
};

}  // namespace hearth
