// The rail on the left: the five places in the order of the work.
#pragma once

#include <QWidget>

class QButtonGroup;
class QMenu;
class QToolButton;
class QVBoxLayout;

namespace hearth {

enum Place : int { HomePlace = 0, JobPlace, PlanPlace, TrainPlace, HistoryPlace };

class Rail : public QWidget {
    Q_OBJECT
  public:
    explicit Rail(QWidget *parent = nullptr);
    /// Negative: none of them.
    void setPlace(int place);
    /// At the foot of the rail.
    void setMenu(QMenu *menu);

  Q_SIGNALS:
    void placeChosen(int place);

  private:
    void add(int place, const QString &objectName, const QString &iconName, const QString &text);
    static QToolButton *makeRailButton(const QString &objectName, const QString &iconName, const QString &text);
    QButtonGroup *m_group;
    QVBoxLayout *m_layout;
};

}  // namespace hearth
