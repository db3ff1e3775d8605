// A device that wants to pair: one quiet line, which waits.
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace hearth {

class HomeSource;
class PairingControl;

/// Hidden unless somebody waits, and in a demo home. GUI thread; `home` must outlive it.
class PairingEntry : public QFrame {
    Q_OBJECT
  public:
    explicit PairingEntry(HomeSource &home, QWidget *parent = nullptr);

  Q_SIGNALS:
    void accepted();

  private:
    void refresh();

    const HomeSource &m_home;
    PairingControl &m_control;
    QLabel *m_text;
    QLabel *m_detail;
    QPushButton *m_pair;
    QPushButton *m_ignore;
};

}  // namespace hearth
