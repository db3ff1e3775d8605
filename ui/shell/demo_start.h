// "Try it now": from a click to a demo home that can train.
#pragma once

#include <QObject>

#include "core/base/error.h"

namespace hearth {

class HomeSource;

/// Presenter of the way into the demo. GUI thread; `home` must outlive it.
class DemoStart : public QObject {
    Q_OBJECT
  public:
    explicit DemoStart(HomeSource &home, QObject *parent = nullptr);

    /// Goes over to the demo home, unless the window is there already; `ready` follows as soon as it can train, or
    /// `failed`, after which the own home is back.
    void begin();
    /// Back to the own home before the demo is ready.
    void cancel();
    bool isUnderWay() const { return m_underWay; }

  Q_SIGNALS:
    void changed();
    void ready();

  private:
    void look();
    void giveUp();
    void setUnderWay(bool underWay);

    HomeSource &m_home;
    bool m_underWay = false;
};

}  // namespace hearth
