// What a plan sends over each link in one round.
#pragma once

#include <QFrame>
#include <QMap>

class QGridLayout;

namespace hearth {

class PlanDraft;

class PlanTraffic : public QFrame {
    Q_OBJECT
  public:
    explicit PlanTraffic(const PlanDraft &draft, QWidget *parent = nullptr);
    void refresh();

  private:
    const PlanDraft &m_draft;
    QGridLayout *m_grid;
    QMap<QString, qint64> m_shown;  // by the names of the link
};

}  // namespace hearth
