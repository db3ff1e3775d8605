#include "core/run/continued_prompts.h"

#include "core/run/asked_samples.h"

namespace hearth {

ContinuedPrompts::ContinuedPrompts(const RunContext &run, const PlanInForce &current, QObject *parent)
    : QObject(parent), m_run(run), m_current(current) {}

void ContinuedPrompts::begin(qint64 round) {
    m_texts = m_run.inputs.prompts;
    m_at = 0;
    m_round = round;
    m_end = m_run.log.seconds() + mostSeconds;
    askNext();
}

void ContinuedPrompts::askNext() {
    if (m_run.log.seconds() > m_end)
        m_at = m_texts.size();
    if (m_at == m_texts.size()) {
        Q_EMIT finished();
        return;
    }
    const RunRequest &request = m_run.request;
    PromptTokens &text = m_texts[m_at];
    const Shape &output = request.model.layers.back().shape.outputs.front().shape;
    m_pass.reset(passOf(m_run, m_current.deployment(), m_round, m_run.inputs.described(request.job), text.sample(),
                        *AskedOutputs::of(output, text.row())));
    connect(m_pass.get(), &EvaluationPass::failed, this, &ContinuedPrompts::failed);
    connect(m_pass.get(), &EvaluationPass::finished, this, [this, &text] {
        const bool goesOn = text.take(m_pass->outputs(), {}) && text.added() < m_run.request.job.promptTokens;
        m_pass.reset();
        if (!goesOn)
            ++m_at;
        askNext();
    });
    m_pass->start(m_run.membership.membersOf(m_current.deployment()));
}

}  // namespace hearth
