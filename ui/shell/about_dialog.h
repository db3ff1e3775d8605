// About Hearth: its version, and what it is made of under which licences.
#pragma once

#include <QDialog>

namespace hearth {

class AboutDialog : public QDialog {
    Q_OBJECT
  public:
    explicit AboutDialog(QWidget *parent = nullptr);
    /// The versions as text, for a report.
    static QString versions();
};

}  // namespace hearth
