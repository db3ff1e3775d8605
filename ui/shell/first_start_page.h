// Getting started: three ways into Hearth, side by side.
#pragma once

#include "ui/base/page.h"

class QProgressBar;

namespace hearth {

class DemoStart;
class HomeSource;

class FirstStartPage : public Page {
    Q_OBJECT
  public:
    FirstStartPage(const HomeSource &home, DemoStart &demo, QWidget *parent = nullptr);

  Q_SIGNALS:
    void addWanted();
    void openFileWanted();
    void openFolderWanted();

  private:
    QFrame *makeWay(const QString &iconName, const QString &heading, const QString &text, const QStringList &points,
                    const QList<QWidget *> &controls);
    void refresh();

    const HomeSource &m_home;
    DemoStart &m_demo;
    QPushButton *m_try;
    QPushButton *m_cancel;
    QProgressBar *m_progress;
    QLabel *m_waiting;
};

}  // namespace hearth
