// The run that the window commands. The app implements it over the local agent; tests over recorded runs. Nothing here
// knows sockets, processes or tensors.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/inference/answer_source.h"
#include "core/inference/asked_run.h"
#include "core/plan/plan.h"
#include "core/plan/problem.h"
#include "core/run/files/run_folder.h"
#include "core/run/files/run_info.h"
#include "core/run/job.h"
#include "core/run/run_event.h"
#include "ui/base/start_weights.h"

namespace hearth {

class RunHistory;

/// Commands one run at a time, the one the window shows, and knows of the others. GUI thread.
class RunController : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// `runOpened` follows, then its events; or `failed`. With a plan of the user's the planner is not asked. Without
    /// weights it begins by the seed, or with those that its network came with.
    virtual void start(const Job &job, const std::optional<Plan> &plan, const std::optional<StartWeights> &weights) = 0;
    /// A run that measures what is not known yet, plans, and ends with its plan; otherwise as `start`.
    virtual void planOnly(const Job &job) = 0;
    /// A run of this home that has ended goes on from its newest checkpoint, with its own job; as `start` otherwise.
    virtual void goOn(const QString &run) = 0;
    virtual void attach(const QString &run) = 0;
    /// Shows what was written down of a run: `path` is its folder or its events.jsonl, of this home or of any other.
    /// Nothing can be commanded meanwhile. `runOpened` follows, its events, and `runEnded`; or `failed`.
    virtual void openRecord(const QString &path) = 0;
    /// No run is shown any more: no more events come, and nothing is commanded until another one is opened.
    virtual void closeRun() = 0;
    /// Whether the event that is being told happened before anybody here looked.
    virtual bool isReplaying() const = 0;
    virtual void pause() = 0;
    virtual void resume() = 0;
    virtual void stop() = 0;
    virtual void evaluate() = 0;
    /// Writes the weights of the shown run into this file (safetensors), of a live one after the round under way:
    /// `weightsSaved` follows, or `failed`, or a warning among the events. The best are those of the best evaluation so
    /// far, as its event told.
    virtual void saveWeights(const QString &path, RunWeights which) = 0;
    /// The next run that is started writes what every device did when into this file; empty: none does.
    virtual void setTrace(const QString &path) = 0;
    /// What a run measured, and its planner was asked last: `problemFound` follows where that is known. A later plan
    /// may have been made from newer measurements: ask again then.
    virtual void findProblem(const QString &run) = 0;
    /// Whether a run under way takes another plan at its next round; then `changePlan` asks it to, and an event
    /// follows, or `failed`.
    virtual bool canChangePlan() const = 0;
    virtual void changePlan(const Plan &plan) = 0;
    /// `runsChanged` follows.
    virtual void refreshRuns() = 0;
    /// The home's devices compute what this run's network says; begins with the first question, ends with the source.
    virtual std::unique_ptr<AnswerSource> homeAnswers(const AskedRun &run) = 0;
    /// All runs, those of earlier homes included; lives as long as this. What fails there is told by `failed`.
    virtual RunHistory &history() = 0;

  Q_SIGNALS:
    /// Between `start`, or `goOn`, and the run's first sign of life (or `failed`).
    void startingChanged(bool starting);
    /// From here on events belong to this run, beginning with its first.
    void runOpened(const QString &run);
    void event(const hearth::RunEvent &event);
    /// Of what was written down of the run so much has been told, from 0 to 1, where that takes long; 1 ends it.
    void replayProgressed(double part);
    /// No more events of this run will come.
    void runEnded(const QString &run);
    void weightsSaved(const QString &path);
    void runsChanged(const std::vector<hearth::RunInfo> &runs);
    void problemFound(const QString &run, const hearth::PlanningProblem &problem);
    void failed(const hearth::Error &error);
};

}  // namespace hearth
