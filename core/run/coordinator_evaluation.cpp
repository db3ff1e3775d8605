// The state machine: an evaluation between two rounds.
#include "core/model/loss_facts.h"
#include "core/run/coordinator_private.h"

namespace hearth {

void Coordinator::Private::evaluate() {
    enter(RunState::Evaluating);
    const qint64 round = rounds.completed();
    const auto all = membership.membersOf(deployment);
    const auto order =
        BatchOrder::once(*inputs.data, Split::Test, deployment.microBatch, LossFacts::byName(request.job.loss)->count);
    evaluation.reset(new EvaluationPass(inputs.data, order, FeedLayout::of(deployment, all),
                                        static_cast<quint64>(round), deadlines));
    const qint64 samples = evaluation->samples();
    if (!log.record(event::Evaluating{round, 0, samples}))
        return;
    connect(evaluation.get(), &EvaluationPass::progressed, q,
            [this, round, samples, told = log.seconds()](qint64 done) mutable {
                constexpr double leastSeconds = 1;
                const double now = log.seconds();
                if (now - told < leastSeconds)
                    return;
                told = now;
                log.record(event::Evaluating{round, done, samples});
            });
    connect(evaluation.get(), &EvaluationPass::failed, q, [this, round](const Error &error) {
        if (request.evaluateOnly) {
            fail(error);
            return;
        }
        if (tryAgain(QStringLiteral("evaluation"), error))
            return;
        wantsEvaluation = false;
        evaluated = round;
        continueWithout(error);
    });
    connect(evaluation.get(), &EvaluationPass::finished, q, [this, round](double accuracy, double loss) {
        evaluation.reset();
        rounds.passOver();
        failedSteps.remove(QStringLiteral("evaluation"));
        wantsEvaluation = false;  // not before: a loss in between begins it anew
        evaluated = round;
        if (!log.record(event::Evaluation{round, accuracy, loss}))
            return;
        enter(RunState::Training);
        advance();
    });
    evaluation->start(all);
}

}  // namespace hearth
