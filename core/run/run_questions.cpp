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
    const qint64 each = m_run.inputs.data->sampleBytes(), size = samples.size();
    if (size == 0 || size % each != 0) {
        return fail(QStringLiteral("answer.bad-samples"), sentence("The samples do not fit the network."),
                    sentence("%1 bytes are no whole number of samples of %2.").arg(size).arg(each));
    }
    const Shape &shape = m_run.request.model.layers.back().shape.outputs.front().shape;
    if (row && (shape.size() < 2 || *row < 0 || *row >= shape.front())) {
        return fail(QStringLiteral("answer.bad-row"), sentence("The network does not answer so."),
                    sentence("Its output %1 has no row %2.").arg(shapeText(shape)).arg(*row));
    }
    const qint64 numbers = elementCount(shape) / (row ? shape.front() : 1);
    constexpr qint64 most = (Channel::maximumControlBytes - 4096) / qint64{sizeof(double)};
    if (size / each > most / std::max<qint64>(1, numbers)) {
        return fail(QStringLiteral("answer.too-large"), sentence("The answers are too many for one message."),
                    sentence("%1 samples have %2 numbers each.").arg(size / each).arg(numbers),
                    sentence("Ask about fewer samples at once."));
    }
    return AskedOutputs{numbers, row};
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
