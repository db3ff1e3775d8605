// The rail on the left: the five places in the order of the work.
#pragma once

#include <QWidget>

class QButtonGroup;
class QVBoxLayout;

namespace hearth {

enum Place : int { HomePlace = 0, JobPlace, PlanPlace, TrainPlace, HistoryPlace };

class Rail : public QWidget {
    Q_OBJECT
  public:
    explicit Rail(QWidget *parent = nullptr);
    void setPlace(int place);

  Q_SIGNALS:
    void placeChosen(int place);

  private:
    void add(int place, const QString &objectName, const QString &iconName, const QString &text);
    QButtonGroup *m_group;
    QVBoxLayout *m_layout;
};

}  // namespace hearth
