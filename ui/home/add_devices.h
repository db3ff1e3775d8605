// How devices come into the home: the commands for both ends, and trusting the file that a device made.
#pragma once

#include <QFrame>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace hearth {

class HomeSource;
class Questions;

/// GUI thread; `home` and `questions` must outlive it.
class AddDevices : public QFrame {
    Q_OBJECT
  public:
    AddDevices(HomeSource &home, Questions &questions, QWidget *parent = nullptr);

  Q_SIGNALS:
    void closed();
    /// Onto a computer that SSH reaches.
    void installWanted();

  private:
    /// The line that shows it.
    QLineEdit *addCommand(QVBoxLayout *layout, const QString &objectName, const QString &text, const QString &command);
    QString ownInit() const;
    void chooseFile();

    HomeSource &m_home;
    Questions &m_questions;
    QLineEdit *m_address;
    QLineEdit *m_ownInit = nullptr;
    QLabel *m_said;
};

}  // namespace hearth
