#include "ui/run/run_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/files/state_words.h"
#include "ui/run/event_marks.h"
#include "ui/run/event_sentences.h"
#include "ui/run/moving_average.h"

namespace hearth {

namespace {

// More samples no data have; times the most epochs of a job it is still a number.
constexpr qint64 mostToldSamples = 1'000'000'000;

/// Averages the time that a sample takes: a round whose report came late, so that the next one seems to take no time,
/// weighs no more than others.
double smoothedRate(double before, double now) {
    if (before <= 0 || now <= 0)
        return now;
    double secondsPerSample = 1 / before;
    hearth::blend(secondsPerSample, 1 / now, false);
    return 1 / secondsPerSample;
}

}  // namespace

void RunModel::clear() {
    m_seq = 0;
    m_lastT = m_beganT = m_evaluationSeconds = 0;
    m_evaluating.reset();
    m_ended = false;
    m_id.clear();
    m_only.clear();
    m_begunWith.clear();
    m_state.clear();
    m_stateBefore.clear();
    m_job.reset();
    m_samples = {};
    m_model.reset();
    m_plan.reset();
    m_givenPlan.reset();
    m_planEvent = {};
    m_joinedSincePlan = false;
    m_kept = {};
    m_error.reset();
    m_devices.clear();
    m_log.clear();
    m_rounds.clear();
    m_firstRound.reset();
    m_best.reset();
    m_forgottenTimes.clear();
    m_series.clear();
    m_evaluations.clear();
    Q_EMIT cleared();
}

void RunModel::add(const RunEvent &event) {
    if (event.seq <= m_seq) {
        return;
    }
    m_seq = event.seq;
    m_lastT = std::max(m_lastT, event.t);
    std::visit([this](const auto &body) { take(body); }, event.body);
    if (std::optional<EventSentence> sentence = sentenceOf(event, *this)) {
        m_log.tell(*sentence);
    }
    if (std::optional<EventMark> mark = markOf(event, *this)) {
        if (mark->minor)
            m_series.tick(m_lastT);
        else
            m_log.mark(*std::move(mark));
        Q_EMIT markAdded();
    }
    if (std::holds_alternative<event::Recovered>(event.body)) {
        m_devices.recovered();
    }
    Q_EMIT eventTaken();
}

void RunModel::end() {
    m_ended = true;
    if (!isEmpty() && !isFinalState(m_state)) {
        m_state = QStringLiteral("interrupted");
    }
    Q_EMIT stateChanged();
}

bool RunModel::isLive() const {
    return m_seq > 0 && !m_ended && !isFinalState(m_state);
}

bool RunModel::isMeasuringBreak() const {
    return m_state == QLatin1String("profiling") && m_stateBefore == QLatin1String("training") && !m_rounds.empty();
}

qint64 RunModel::totalRounds() const {
    return m_job ? JobLength::of(*m_job, m_samples).rounds : 0;
}

double RunModel::epochsPerRound() const {
    return m_job && m_samples.training > 0
               ? static_cast<double>(m_job->roundSamples()) / static_cast<double>(m_samples.training)
               : 0;
}

void RunModel::take(const event::Run &run) {
    m_id = run.id;
    m_only = run.only;
    m_begunWith = run.weights;
    m_samples = {std::min(run.trainingSamples, mostToldSamples), std::min(run.evaluationSamples, mostToldSamples)};
    m_devices.take(run);
    // A run of a later version may say more than this one understands; what cannot be read is not shown.
    if (auto job = Job::validFromJson(run.job, QStringLiteral("the run"))) {
        m_job = *std::move(job);
    }
    if (auto model = Model::fromJson(run.model, QStringLiteral("the run"))) {
        m_model = *std::move(model);
    }
    Q_EMIT stateChanged();
}

void RunModel::take(const event::State &state) {
    m_stateBefore = std::exchange(m_state, state.state);
    m_beganT = m_lastT;
    setEvaluating({});
    if (m_state != QLatin1String("training"))
        m_series.breakHere();
    // A run that had ended may be taken up again.
    if (isUnderWay(m_state)) {
        m_error.reset();
        m_ended = false;
    }
    m_devices.stateBegins(m_state);
    Q_EMIT devicesChanged();
    Q_EMIT stateChanged();
}

void RunModel::take(const event::Device &device) {
    m_devices.take(device);
    Q_EMIT devicesChanged();
}

void RunModel::take(const event::Profile &profile) {
    m_devices.take(profile);
    Q_EMIT devicesChanged();
}

void RunModel::take(const event::Plan &plan) {
    if (auto read = Plan::fromJson(plan.plan, QStringLiteral("the run"))) {
        m_devices.planEnds();
        // A later one belongs to what happened then.
        if (!m_plan && plan.reason == QLatin1String("user"))
            m_givenPlan = *read;
        m_plan = *std::move(read);
        m_planEvent = plan;
        m_joinedSincePlan = false;
        m_kept = {};
        m_log.endRoutine();
        m_devices.planBegins();
        Q_EMIT planChanged();
        Q_EMIT devicesChanged();
    }
}

void RunModel::setFate(const QString &device, Health health) {
    m_devices.setFate(device, health);
    Q_EMIT devicesChanged();
}

void RunModel::take(const event::Lost &lost) {
    m_devices.take(lost);
    Q_EMIT devicesChanged();
}

void RunModel::take(const event::Joined &joined) {
    m_joinedSincePlan = true;
    setFate(joined.id, Health::Returned);
}

void RunModel::take(const event::Replica &replica) {
    ++m_kept.copies;
    m_kept.copiedVersion = std::max(m_kept.copiedVersion, replica.version);
}

void RunModel::take(const event::Checkpoint &checkpoint) {
    ++m_kept.checkpoints;
    m_kept.savedVersion = checkpoint.version;
    m_kept.savedBytes = checkpoint.bytes;
}

void RunModel::take(const event::Best &best) {
    m_best = best;
    const auto evaluated = std::ranges::find(m_evaluations, best.round, &EvaluationPoint::round);
    if (evaluated != m_evaluations.end())
        m_series.setBest(*evaluated);
    Q_EMIT evaluationAdded();
}

void RunModel::take(const event::Round &round) {
    undoFrom(round.round);
    const bool newTerm = m_rounds.empty() || m_rounds.back().term != round.term;
    RoundPoint point;
    point.round = round.round;
    point.term = round.term;
    point.t = m_lastT;
    point.samplesPerSecond = round.samplesPerS;
    point.smoothed = newTerm ? round.samplesPerS : smoothedRate(m_rounds.back().smoothed, round.samplesPerS);
    point.predicted = std::nan("");
    if (round.predictedRoundS > 0 && m_job) {
        point.predicted = m_job->roundSamples() / round.predictedRoundS;
    }
    point.loss = round.loss;
    keep(point);
    m_series.take(round, point);
    m_beganT = m_lastT;
    setEvaluating({});

    if (m_devices.take(round))
        Q_EMIT devicesChanged();
    Q_EMIT roundAdded();
}

void RunModel::take(const event::Evaluating &evaluating) {
    if (evaluating.done == 0)
        m_beganT = m_lastT;
    const bool known = evaluating.total > 0;
    setEvaluating(known ? static_cast<double>(evaluating.done) / static_cast<double>(evaluating.total) : 0);
}

void RunModel::setEvaluating(std::optional<double> part) {
    if (std::exchange(m_evaluating, part) != part)
        Q_EMIT evaluatingChanged();
}

void RunModel::take(const event::Evaluation &evaluation) {
    blend(m_evaluationSeconds, m_lastT - m_beganT, m_evaluationSeconds == 0);
    m_beganT = m_lastT;
    setEvaluating({});
    keep(EvaluationPoint{evaluation.round, m_lastT, evaluation.accuracy, evaluation.loss});
    Q_EMIT evaluationAdded();
}

void RunModel::take(const event::Failure &failure) {
    m_error = failure.error;
    Q_EMIT errorOccurred(failure.error);
}

double RunModel::secondsLeft() const {
    if (m_rounds.empty() || totalRounds() == 0 || !m_job || m_rounds.back().smoothed <= 0) {
        return std::nan("");
    }
    const double perRound = m_job->roundSamples() / m_rounds.back().smoothed;
    return static_cast<double>(totalRounds() - completedRounds()) * perRound +
           static_cast<double>(evaluationsLeft()) * m_evaluationSeconds;
}

qint64 RunModel::evaluationsLeft() const {
    const qint64 every = m_job->evaluateEvery, done = completedRounds(), total = totalRounds();
    if (every <= 0)
        return 0;
    const bool isDue =
        m_job->evaluatesAfter(done, total) && (m_evaluations.empty() || m_evaluations.back().round < done);
    const bool endsBetween = done < total && total % every != 0;
    return total / every - done / every + (isDue ? 1 : 0) + (endsBetween ? 1 : 0);
}

}  // namespace hearth
