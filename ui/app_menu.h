// What belongs to no page: getting started, opening a recorded run, the demo's end.
#pragma once

#include <QMenu>

namespace hearth {

class HomeSource;

/// The menu at the foot of the rail. Actions are found by their object names: "menuGettingStarted", "menuOpenRun",
/// "menuEndDemo".
class AppMenu : public QMenu {
    Q_OBJECT
  public:
    explicit AppMenu(const HomeSource &home, QWidget *parent = nullptr);

  Q_SIGNALS:
    void gettingStartedWanted();
    void openRunWanted();
    void endDemoWanted();

  private:
    template <class Signal>
    QAction *add(const char *objectName, const QString &text, Signal wanted);
};

}  // namespace hearth
