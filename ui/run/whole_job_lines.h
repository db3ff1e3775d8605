// What a whole job takes, line by line: time, traffic, energy, memory.
#pragma once

#include <QWidget>
#include <array>

#include "core/run/whole_job.h"

class QLabel;

namespace hearth {

/// A job under the plan that is known. Plain value.
struct PlannedJob {
    enum class By { NoPlan, PlanOfAnotherJob, OwnPlan };
    By by = By::NoPlan;
    WholeJob whole;  // without a plan its length alone
    QString nameOfFullest;
};

/// The length ("<name>Length"), and a row each for "<name>-time", "<name>-sent", "<name>-energy" and "<name>-memory";
/// a dash where that is not known. GUI thread.
class WholeJobLines : public QWidget {
    Q_OBJECT
  public:
    explicit WholeJobLines(const QString &name, QWidget *parent = nullptr);
    /// `instead` ("<name>Instead") is said in place of the rows, whose room is kept so that nothing jumps when they
    /// come; empty: they are shown.
    void tell(const PlannedJob &planned, const QString &instead = {});

  private:
    QLabel *m_length, *m_instead;
    QWidget *m_rows;
    std::array<QLabel *, 4> m_texts{};  // as linesOf() has them
};

}  // namespace hearth
