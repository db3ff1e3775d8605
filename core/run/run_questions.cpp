#include "core/run/run_questions.h"

#include "core/run/asked_samples.h"

namespace hearth {

RunQuestions::RunQuestions(const RunContext &run, const PlanInForce &current, QObject *parent)
    : QObject(parent), m_run(run), m_current(current) {
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience);
    connect(&m_patience, &QTimer::timeout, this, &RunQuestions::idle);
    if (run.request.kind == RunKind::Answer)
        m_patience.start();
}

Result<AskedOutputs> RunQuestions::outputsOf(const QByteArray &samples, std::optional<qint64> row) const {
    const auto count = countSamples(samples.size(), m_run.inputs.data->sampleBytes());
    if (!count)
        return tl::unexpected(count.error());
    auto outputs = AskedOutputs::of(m_run.request.model.layers.back().shape.outputs.front().shape, row);
    if (!outputs)
        return outputs;
    constexpr qint64 most = (Channel::maximumControlBytes - 4096) / qint64{sizeof(double)};
    if (*count > most / std::max<qint64>(1, outputs->count)) {
        return fail(
            QStringLiteral("answer.too-large"), sentence("The answers are too many for one message."),
            sentence("%1 {1|sample has|samples have} %2 {2|number|numbers}{1|| each}.").arg(*count).arg(outputs->count),
            sentence("Ask about fewer samples at once."));
    }
    return outputs;
}

void RunQuestions::ask(const QByteArray &samples, std::optional<qint64> row, Answer answer) {
    const auto outputs = m_end ? tl::unexpected(*m_end) : outputsOf(samples, row);
    if (!outputs) {
        answer(tl::unexpected(outputs.error()));
        return;
    }
    m_patience.stop();
    m_waiting.push_back({samples, *outputs, std::move(answer)});
}

void RunQuestions::begin(qint64 round) {
    const Question &question = m_waiting.front();
    m_pass.reset(
        passOf(m_run, m_current.deployment(), round, *m_run.request.asked, question.samples, question.outputs));
    connect(m_pass.get(), &EvaluationPass::failed, this, &RunQuestions::failed);
    connect(m_pass.get(), &EvaluationPass::finished, this, [this] {
        tell(m_pass->outputs());
        m_pass.reset();
        Q_EMIT finished();
    });
    m_pass->start(m_run.membership.membersOf(m_current.deployment()));
}

void RunQuestions::giveUp(const Error &error) {
    tell(tl::unexpected(error));
}

void RunQuestions::tell(const Result<std::vector<double>> &answer) {
    const Question told = std::move(m_waiting.front());
    m_waiting.pop_front();
    if (m_waiting.empty())
        m_patience.start();
    told.answer(answer);
}

void RunQuestions::end(const Error &error) {
    if (m_end)
        return;
    m_end = error;
    m_pass.reset();
    while (isDue())
        tell(tl::unexpected(error));
    m_patience.stop();
}

}  // namespace hearth
