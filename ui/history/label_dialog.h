// What a person writes on one run, or on several at once.
#pragma once

#include <QDialog>
#include <vector>

#include "core/history/run_label.h"

class QCheckBox;
class QLineEdit;
class QPlainTextEdit;

namespace hearth {

/// A name and a note are one run's; tags and stars are given to several. GUI thread.
class LabelDialog : public QDialog {
    Q_OBJECT
  public:
    /// `labels`: of the chosen runs, one at least.
    explicit LabelDialog(const std::vector<RunLabel> &labels, QWidget *parent = nullptr);

  Q_SIGNALS:
    /// What was changed, and not what stayed; may be nothing.
    void decided(const hearth::LabelChange &change);

  private:
    LabelChange change() const;

    std::vector<RunLabel> m_labels;
    QStringList m_tagsOfAll;
    QLineEdit *m_name;
    QLineEdit *m_tags;
    QPlainTextEdit *m_note;
    QCheckBox *m_star;
};

}  // namespace hearth
