// Looking for computers that Hearth can be installed on, as long as somebody sees what is found.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>

class QWidget;

namespace hearth {

class HomeSource;

/// While `place`, which owns it, is visible, `home` tells of them in nearby(). GUI thread; `home` outlives it.
class ComputerLook : public QObject {
  public:
    /// The agent ends a look that nobody asks for again.
    static constexpr std::chrono::milliseconds askAgainAfter{5000};

    ComputerLook(HomeSource &home, QWidget *place, std::chrono::milliseconds interval = askAgainAfter);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void look();

    HomeSource &m_home;
    QTimer m_again;
};

}  // namespace hearth
