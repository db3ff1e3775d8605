// The picture of one run that all pages share, built from its events alone.
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/model/model.h"
#include "core/plan/plan.h"
#include "core/run/job.h"
#include "core/run/run_event.h"
#include "core/run/whole_job.h"
#include "ui/run/event_log.h"
#include "ui/run/run_devices.h"
#include "ui/run/run_series.h"

namespace hearth {

/// What was kept of the state since the plan in force began.
struct KeptStates {
    int copies = 0;
    quint64 copiedVersion = 0;
    int checkpoints = 0;
    quint64 savedVersion = 0;
    qint64 savedBytes = 0;
};

/// One completed round, as it is plotted.
struct RoundPoint {
    qint64 round = 0;
    quint32 term = 1;
    double t = 0;
    double samplesPerSecond = 0;
    double smoothed = 0;   // moving average over some ten rounds of one term
    double predicted = 0;  // samples/s of the plan in force; NaN without one
    double loss = 0;
};

struct EvaluationPoint {
    qint64 round = 0;
    double t = 0;
    double accuracy = 0;
    double loss = 0;
};

/// GUI thread. Takes events in order of seq, drops repeated ones; everything shown about a run is read from here, so
/// that what is shown equals the event stream. Signals carry no data: views read what they need.
class RunModel : public QObject {
    Q_OBJECT
  public:
    // Of what a run has without end, so many are kept at least and never more than twice as many.
    static constexpr std::size_t keptRounds = 8192;
    static constexpr std::size_t keptEvaluations = 4096;

    using QObject::QObject;

    void clear();
    void add(const RunEvent &event);
    /// The stream of events ended. A run without a final state then counts as interrupted, until a later event says
    /// that it was taken up again.
    void end();

    bool isEmpty() const { return m_seq == 0; }
    /// Between the first event and a final state, and again when a state follows that is not: the run was taken up.
    bool isLive() const;
    /// Live, and not there for something else, a plan alone for instance.
    bool isTraining() const { return isLive() && m_only.isEmpty(); }
    const QString &runId() const { return m_id; }
    /// What it does instead of training, as the "run" event says it; empty: it trains.
    const QString &only() const { return m_only; }
    /// The word of the last state event; empty before the first.
    const QString &state() const { return m_state; }
    const QString &stateBefore() const { return m_stateBefore; }
    /// Devices measure between rounds, which go on by themselves within seconds (MeasuringBreak).
    bool isMeasuringBreak() const;
    const std::optional<Job> &job() const { return m_job; }
    /// The file of weights that it began with; empty: it began by the seed.
    const QString &begunWith() const { return m_begunWith; }
    const std::optional<Model> &model() const { return m_model; }
    /// The one in force, what it is since and why.
    const std::optional<Plan> &plan() const { return m_plan; }
    const event::Plan &planEvent() const { return m_planEvent; }
    /// Whether a device has come since: what is known of the plan in force was found without it.
    bool joinedSincePlan() const { return m_joinedSincePlan; }
    /// The one that the user gave when the run was started.
    const std::optional<Plan> &givenPlan() const { return m_givenPlan; }
    const RunDevices &devices() const { return m_devices; }
    const KeptStates &kept() const { return m_kept; }
    /// Of its data, as far as its first event tells them.
    const CountedSamples &samples() const { return m_samples; }
    /// From the job; 0 where it says epochs of samples that nobody has counted.
    qint64 totalRounds() const;
    /// The part of an epoch that a round takes; 0 where that is not known.
    double epochsPerRound() const;
    qint64 completedRounds() const { return m_rounds.empty() ? 0 : m_rounds.back().round; }
    /// The newest, `keptRounds` at least; ascending: a round that is repeated under a later term takes the place of
    /// what it undoes.
    const std::vector<RoundPoint> &rounds() const { return m_rounds; }
    /// The first of the run.
    const std::optional<RoundPoint> &firstRound() const { return m_firstRound; }
    /// All of them and what else plots show, in less detail the further back.
    const RunSeries &series() const { return m_series; }
    /// How strongly the series smooth the loss, of this run and of others.
    void setLossSmoothing(int rounds) { m_series.setLossSmoothing(rounds); }
    /// In their order; the first and the newest, of long ago only some.
    const std::vector<EvaluationPoint> &evaluations() const { return m_evaluations; }
    /// Of which the weights are kept.
    const std::optional<event::Best> &best() const { return m_best; }
    /// Minor marks are in `series().kept()`.
    const EventLog &log() const { return m_log; }
    const std::optional<Error> &error() const { return m_error; }
    double lastT() const { return m_lastT; }
    /// Of the rounds that are left, and of their evaluations as soon as one was done; NaN where that is not known.
    double secondsLeft() const;
    /// The part (0…1) that is done of an evaluation under way; nothing where none is.
    const std::optional<double> &evaluating() const { return m_evaluating; }

  Q_SIGNALS:
    void cleared();
    /// After every event that was new.
    void eventTaken();
    void stateChanged();
    void planChanged();
    void roundAdded();
    /// The last rounds, and what was evaluated after them, do not count any more: `rounds()` and `evaluations()` end
    /// before them.
    void roundsUndone();
    void evaluationAdded();
    /// `evaluating()` has another answer.
    void evaluatingChanged();
    void markAdded();
    void devicesChanged();
    void errorOccurred(const hearth::Error &error);

  private:
    void take(const event::Run &run);
    void take(const event::State &state);
    void take(const event::Device &device);
    void take(const event::Profile &profile);
    void take(const event::Plan &plan);
    void take(const event::Round &round);
    void take(const event::Evaluating &evaluating);
    void take(const event::Evaluation &evaluation);
    void take(const event::Best &best);
    void take(const event::CodecCheck &check) { m_series.take(check, m_lastT); }
    void take(const event::Failure &failure);
    void take(const event::Suspect &suspect) { setFate(suspect.id, Health::Suspect); }
    void take(const event::Lost &lost);
    void take(const event::Joined &joined);
    void take(const event::Left &left) { setFate(left.id, Health::Left); }
    void take(const event::Replica &replica);
    void take(const event::Checkpoint &checkpoint);
    void setFate(const QString &device, Health health);
    void setEvaluating(std::optional<double> part);
    qint64 evaluationsLeft() const;
    void undoFrom(qint64 round);
    void keep(const RoundPoint &point);
    void keep(const EvaluationPoint &point);
    double timeBefore(qint64 round) const;
    template <class Other>
    void take(const Other &) {}

    quint64 m_seq = 0;
    double m_lastT = 0;
    double m_beganT = 0;             // what an evaluation that is told next can have begun with
    double m_evaluationSeconds = 0;  // a moving average; 0 before the first
    std::optional<double> m_evaluating;
    bool m_ended = false;
    QString m_id, m_only, m_begunWith;
    QString m_state, m_stateBefore;
    std::optional<Job> m_job;
    CountedSamples m_samples;
    std::optional<Model> m_model;
    std::optional<Plan> m_plan, m_givenPlan;
    event::Plan m_planEvent;
    bool m_joinedSincePlan = false;
    KeptStates m_kept;
    std::optional<Error> m_error;
    RunDevices m_devices{*this};
    EventLog m_log;
    std::vector<RoundPoint> m_rounds;
    std::optional<RoundPoint> m_firstRound;
    std::vector<double> m_forgottenTimes;  // of every so manieth round that is not in m_rounds any more
    RunSeries m_series;
    std::vector<EvaluationPoint> m_evaluations;
    std::optional<event::Best> m_best;
};

}  // namespace hearth
