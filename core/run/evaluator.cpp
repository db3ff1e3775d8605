#include "core/run/evaluator.h"

#include "core/data/dataset.h"
#include "core/model/loss_facts.h"
#include "core/run/job_data.h"

namespace hearth {

Evaluator::Evaluator(const RunContext &run, const PlanInForce &current, QObject *parent)
    : QObject(parent), m_run(run), m_current(current), m_prompts(run, current), m_best(run.request.job, run.total) {
    connect(&m_prompts, &ContinuedPrompts::finished, this, &Evaluator::conclude);
    connect(&m_prompts, &ContinuedPrompts::failed, this, &Evaluator::failed);
}

bool Evaluator::isDue(qint64 done) const {
    const RunKind kind = m_run.request.kind;
    const bool isPlanned =
        kind == RunKind::Evaluate || (kind == RunKind::Train && m_run.request.job.evaluatesAfter(done, m_run.total));
    return m_isWanted || (isPlanned && m_lastRound < done);
}

qint64 Evaluator::roundsUntilNext(qint64 done) const {
    // What was lost behind it is repeated as far as that.
    const qint64 end = std::max(done, m_best.endRound().value_or(m_run.total));
    const qint64 every = m_run.request.job.evaluateEvery;
    if (every <= 0)
        return end;
    if (m_run.request.job.evaluatesAfter(done, m_run.total) && m_lastRound < done)
        return done;
    return std::min(end, (done / every + 1) * every);
}

void Evaluator::begin(qint64 round) {
    const Deployment &deployment = m_current.deployment();
    const auto members = m_run.membership.membersOf(deployment);
    const LossFacts &loss = *LossFacts::byName(m_run.request.job.loss);
    const auto order = BatchOrder::once(*m_run.inputs.data, split(), deployment.microBatch, loss.count);
    m_pass.reset(new EvaluationPass(m_run.inputs.data, order, FeedLayout::of(deployment, members),
                                    static_cast<quint64>(round), m_run.deadlines, loss.classesOf(outputShape())));
    const qint64 samples = m_pass->samples();
    if (!m_run.log.record(event::Evaluating{round, 0, samples}))
        return;
    connect(m_pass.get(), &EvaluationPass::progressed, this,
            [this, round, samples, told = m_run.log.seconds()](qint64 done) mutable {
                constexpr double leastSeconds = 1;
                const double now = m_run.log.seconds();
                if (now - told < leastSeconds)
                    return;
                told = now;
                m_run.log.record(event::Evaluating{round, done, samples});
            });
    connect(m_pass.get(), &EvaluationPass::failed, this, &Evaluator::failed);
    connect(m_pass.get(), &EvaluationPass::waiting, this, &Evaluator::waiting);
    connect(m_pass.get(), &EvaluationPass::found, this, &Evaluator::found);
    connect(m_pass.get(), &EvaluationPass::finished, this, [this, round] { m_prompts.begin(round); });
    m_pass->start(members);
}

Split Evaluator::split() const {
    const RunRequest &request = m_run.request;
    return request.kind == RunKind::Evaluate ? Split::Test : evaluatedSplit(request.job);
}

const Shape &Evaluator::outputShape() const {
    return m_run.request.model.layers.back().shape.outputs.front().shape;
}

void Evaluator::conclude() {
    // Quantities of rows are learnt in deviations from their mean.
    const double deviation = m_run.inputs.data->preparation()[QLatin1String("deviation")].toDouble(1);
    const EvaluationScores scores = EvaluationScores::of(*LossFacts::byName(m_run.request.job.loss), outputShape(),
                                                         m_pass->tally(), m_pass->counted(), deviation);
    EvaluationDetails details = m_pass->details();
    m_pass.reset();
    m_isWanted = false;  // not before: a loss in between begins it anew
    m_lastRound = details.round;
    details.split = split() == Split::Validation ? QStringLiteral("validation") : QStringLiteral("test");
    // What an earlier coordinator of the run followed is read once.
    if (!m_watched)
        m_watched = EvaluationDetails::load(m_run.directory.path()).value_or(EvaluationDetails()).watched;
    details.follow(*m_watched);
    m_watched = details.watched;
    // Before the event, which says that it is there.
    const auto saved =
        m_run.directory.saveJson(EvaluationDetails::fileName(), details.toJson(), QJsonDocument::Compact);
    if (!saved && !m_run.log.warn(saved.error()))
        return;
    event::Evaluation told{details.round,     scores.accuracy,         scores.loss, scores.top5, scores.f1,
                           scores.perplexity, scores.meanAbsoluteError};
    for (const PromptTokens &text : m_prompts.texts())
        told.continued.push_back({text.prompt(), text.text()});
    m_best.take(told);
    if (m_run.log.record(told))
        Q_EMIT finished();
}

void Evaluator::giveUp(qint64 round) {
    m_isWanted = false;
    m_lastRound = m_givenUp = round;
}

void Evaluator::goBackTo(qint64 round, const std::optional<BestEvaluation::Scores> &inFile) {
    m_lastRound = std::max(std::min(m_lastRound, round), m_givenUp);
    m_best.goBackTo(round, inFile);
}

}  // namespace hearth
