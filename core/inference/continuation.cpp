#include "core/inference/continuation.h"

#include "core/data/preparation.h"
#include "core/inference/answer_process.h"

namespace hearth {

Continuation::Continuation(AskedRun run, std::unique_ptr<AnswerSource> answers)
    : m_run(std::move(run)),
      m_answers(answers ? std::move(answers) : std::make_unique<AnswerProcess>(m_run.folder, m_run.weights)) {
    connect(m_answers.get(), &AnswerSource::prepares, this, &Continuation::prepares);
    connect(m_answers.get(), &AnswerSource::failed, this, [this](const Error &error) {
        m_isRunning = false;
        Q_EMIT failed(error);
    });
}

Continuation::~Continuation() = default;

Result<void> Continuation::start(const QString &prompt, const Choice &choice) {
    auto text = PromptTokens::of(prompt, m_run.preparation->tokenizer(), m_run.data.samples.front().elements());
    if (!text)
        return tl::unexpected(text.error());
    m_text = std::move(*text);
    m_choice = choice;
    m_isRunning = true;
    askNext();
    return {};
}

void Continuation::stop() {
    ++m_question;
    if (std::exchange(m_isRunning, false))
        Q_EMIT finished();
}

void Continuation::askNext() {
    m_answers->ask(m_text->sample(), m_text->row(), [this, question = ++m_question](const std::vector<double> &scores) {
        if (question == m_question)
            take(scores);
    });
}

void Continuation::take(const std::vector<double> &scores) {
    const bool isEnd = !m_text->take(scores, m_choice.draw);
    if (!isEnd)
        Q_EMIT grown();
    if (isEnd || tokens() >= m_choice.tokens)
        stop();
    else if (m_isRunning)
        askNext();
}

}  // namespace hearth
