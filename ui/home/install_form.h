// Where to install and how: the first page of the install wizard.
#pragma once

#include <QList>
#include <QWidget>
#include <optional>

#include "core/install/installation.h"

class QCheckBox;
class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;

namespace hearth {

class ComputerPicker;
class HomeSource;
class Questions;

/// What few people need is folded away. GUI thread; `home` and `questions` outlive it.
class InstallForm : public QWidget {
    Q_OBJECT
  public:
    InstallForm(HomeSource &home, Questions &questions, QWidget *parent = nullptr);

    /// Of a device that is known; whoever logs in there is still to be named.
    void setHost(const QString &host);
    bool hasHost() const;
    /// nullopt where something cannot be meant: that is said, and its field has the focus. `stateDir` is left empty.
    std::optional<InstallRequest> request();
    void say(const QString &wrong);
    void focusHost();

  Q_SIGNALS:
    void changed();
    /// Return was pressed.
    void wanted();

  private:
    QLabel *line(QLineEdit *edit, const char *name, const QString &label, const QString &hint);
    QLayout *file(QLineEdit *edit, const char *name, const QString &title, const QString &filter);
    QWidget *makeAdvanced();
    void unfold(bool open);
    /// Whoever is to log in stays as it was typed, and is this computer's user where nobody was.
    void takeComputer(const QString &place);

    Questions &m_questions;
    ComputerPicker *m_found;
    QLineEdit *m_host;
    QLineEdit *m_key;
    QLineEdit *m_name;
    QLineEdit *m_port;
    QLineEdit *m_package;
    QList<QLabel *> m_labels;  // of the fields
    QCheckBox *m_forUser;
    QPushButton *m_fold;
    QWidget *m_advanced;
    QLabel *m_wrong;
};

}  // namespace hearth
