// "Ignored devices": those that are not shown nearby and may not ask to pair, and how each is taken back.
#pragma once

#include <QDialog>
#include <QList>
#include <vector>

#include "core/discovery/nearby.h"

class QLabel;
class QVBoxLayout;

namespace hearth {

class HomeSource;

/// Follows the home while it is open. GUI thread; `home` outlives it.
class IgnoredDialog : public QDialog {
    Q_OBJECT
  public:
    explicit IgnoredDialog(HomeSource &home, QWidget *parent = nullptr);

  private:
    void refresh();
    QWidget *makeRow(const QString &key, const QString &name, qint64 since);

    HomeSource &m_home;
    QLabel *m_intro;
    QVBoxLayout *m_rows;
    QList<QWidget *> m_shown;
    std::vector<IgnoredDevice> m_devices;  // what the rows show
};

}  // namespace hearth
