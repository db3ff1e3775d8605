// How devices come into the home: pairing by address, or files that the devices made and the commands for both ends.
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
    void pairingWanted(const QStringList &addresses);

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    /// The line that shows it.
    QLineEdit *addCommand(QVBoxLayout *layout, const QString &objectName, const QString &text, const QString &command);
    QString ownInit() const;
    void addByAddress(QVBoxLayout *layout);
    void pairByAddress();
    void chooseFile();

    HomeSource &m_home;
    Questions &m_questions;
    QLineEdit *m_pairAddress;
    QLabel *m_pairSaid;
    QLineEdit *m_address;
    QLineEdit *m_ownInit = nullptr;
    QLabel *m_said;
};

}  // namespace hearth
