// What the whole job would take under the plan: time, traffic, energy, memory.
#pragma once

#include <QFrame>
#include <array>

class QLabel;

namespace hearth {

class HomeSource;
class PlanDraft;
class RunModel;
struct Job;

/// A card ("planWholeJob") with its length ("planJobLength") and a row for each of "planJob-time", "planJob-sent",
/// "planJob-energy" and "planJob-memory". GUI thread; the arguments must outlive it.
class PlanWholeJob : public QFrame {
    Q_OBJECT
  public:
    PlanWholeJob(const PlanDraft &draft, const HomeSource &home, const RunModel &run, QWidget *parent = nullptr);
    /// Of this job; hidden without one, and for a plan that nobody has judged.
    void refresh(const Job *job);

  private:
    const PlanDraft &m_draft;
    const HomeSource &m_home;
    const RunModel &m_run;
    QLabel *m_length;
    std::array<QLabel *, 4> m_captions{}, m_texts{};  // as linesOf() has them
};

}  // namespace hearth
