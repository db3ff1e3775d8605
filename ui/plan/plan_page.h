// Plan: which device computes which layers, what that is predicted to cost, and how a person overrules the planner.
#pragma once

#include <QMap>
#include <QSet>

#include "core/plan/problem.h"
#include "core/run/job.h"
#include "core/run/whole_job.h"
#include "ui/base/page.h"
#include "ui/plan/plan_draft.h"

namespace hearth {

class HomeSource;
class LayerStrip;
class PlanBoard;
class PlanCompare;
class PlanCuts;
class PlanFigures;
class PlanTraffic;
class PlanTools;
class PlanWhatIf;
class Questions;
class RoundChart;
class RunController;
class RunModel;
class WholeJobLines;
struct PlannedJob;
struct RunEvent;

/// Shows the plan in force. Where the run's measurements are known the plan can be changed: the changes are a draft,
/// which the next run takes, or the run under way where its coordinator can.
class PlanPage : public Page {
    Q_OBJECT
  public:
    PlanPage(const HomeSource &home, const RunModel &run, RunController &controller, Questions &questions,
             QWidget *parent = nullptr);

    /// Why this home cannot take a run; empty where it can.
    void setWhyNotStart(const QString &why);
    /// The plan that the next run is to take; nothing where the planner decides.
    std::optional<Plan> wantedPlan() const;
    /// The same for a run of this job: a plan that was made for another one does not bind it.
    std::optional<Plan> wantedPlanFor(const Job &job) const;
    /// A plan that was changed in another window of the same run: taken as the changes of a person, where it fits.
    void takeOver(const QString &run, const Plan &wanted) { m_takenOver = {run, wanted}; }

    /// Of the Job page, and what was counted of its data: the plan that is shown may be for another one.
    void setJob(const Job &job, const CountedSamples &counted);
    /// What this job takes under the plan that is shown.
    PlannedJob planned(const Job &job) const;

  Q_SIGNALS:
    void startWanted();
    /// For the job of the Job page.
    void planWanted();
    /// planned() may say something else.
    void plannedChanged();

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    QWidget *buildBody();
    void connectStrip();
    void begin();
    bool isChanged() const;
    void beginWhereDevicesChanged();
    void askForProblem();
    void takeProblem(const QString &run, const PlanningProblem &problem);
    void refresh();
    void refreshStart();
    void refreshSubtitle();
    void refreshMake();
    void refreshEmpty();
    QString misfitText() const;
    QString otherJobText() const;
    bool isOf(const Job &job) const;
    const Job *plannedJob() const;
    CountedSamples samplesOf(const Job &job) const;
    void refreshWholeJob();
    QString proofText() const;
    bool isAsProved() const;
    void refreshMessage();
    void primaryClicked();
    void takeEvent(const RunEvent &event);
    void endWait();
    QString gainText() const;
    QString playedText() const;
    QString localStepsText() const;
    QSet<QString> missing() const;

    const HomeSource &m_home;
    const RunModel &m_run;
    RunController &m_controller;
    QPushButton *m_start, *m_make, *m_makeFirst;
    std::optional<Job> m_job;
    CountedSamples m_counted;  // of it
    QString m_whyNotStart;
    bool m_onItsWay = false;                   // the run was asked to take the plan and has not answered yet
    std::optional<PlanningProblem> m_problem;  // as the run knows it, with all devices
    QSet<QString> m_missing;                   // devices of it that cannot be planned with
    bool m_outdated = false;                   // the draft is of an earlier plan, and begins anew when it is looked at
    std::optional<std::pair<QString, Plan>> m_takenOver;  // of a run, until there is what it can be judged by
    PlanDraft m_draft;
    PlanFigures *m_figures;
    QFrame *m_wholeCard;
    WholeJobLines *m_wholeJob;
    LayerStrip *m_strip;
    PlanTools *m_tools;
    QLabel *m_message;
    PlanBoard *m_board;
    RoundChart *m_chart;
    PlanCuts *m_cuts;
    PlanTraffic *m_traffic;
    PlanWhatIf *m_whatIf;
    PlanCompare *m_compare;
};

}  // namespace hearth
