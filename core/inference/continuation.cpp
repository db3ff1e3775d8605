#include "core/inference/continuation.h"

#include <algorithm>
#include <cmath>

#include "core/base/generator.h"
#include "core/data/preparation.h"
#include "core/data/tokenizer.h"
#include "core/inference/answer_process.h"

namespace hearth {

Continuation::Continuation(AskedRun run, std::unique_ptr<AnswerSource> answers)
    : m_run(std::move(run)),
      m_length(m_run.data.samples.front().elements()),
      m_answers(answers ? std::move(answers) : std::make_unique<AnswerProcess>(m_run.folder, m_run.weights)) {
    connect(m_answers.get(), &AnswerSource::prepares, this, &Continuation::prepares);
    connect(m_answers.get(), &AnswerSource::failed, this, [this](const Error &error) {
        m_isRunning = false;
        Q_EMIT failed(error);
    });
}

Continuation::~Continuation() = default;

Result<void> Continuation::start(const QString &prompt, const Choice &choice) {
    std::vector<int> tokens = m_run.preparation->tokenizer()->encode(prompt);
    if (tokens.empty()) {
        return fail(QStringLiteral("predict.no-prompt"), sentence("There is nothing to continue."), {},
                    sentence("Give it the beginning of a text."));
    }
    const auto count = static_cast<qint64>(tokens.size());
    if (count > m_length) {
        return fail(QStringLiteral("predict.long-prompt"), sentence("The beginning is too long."),
                    sentence("It has %1 tokens, and the network sees %2 at once.").arg(count).arg(m_length),
                    sentence("Give it the end of that."));
    }
    m_prompted = tokens.size();
    m_tokens = std::move(tokens);
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

QString Continuation::text() const {
    // A word may begin with a space or not, which only the token before it tells.
    const Tokenizer &tokenizer = *m_run.preparation->tokenizer();
    const std::span<const int> all(m_tokens);
    const QString whole = tokenizer.decode(all), prompt = tokenizer.decode(all.first(m_prompted));
    return whole.startsWith(prompt) ? whole.mid(prompt.size()) : tokenizer.decode(all.subspan(m_prompted));
}

void Continuation::askNext() {
    const qint64 seen = std::min(static_cast<qint64>(m_tokens.size()), m_length);
    std::vector<qint64> sample(static_cast<std::size_t>(m_length), m_run.preparation->tokenizer()->padding());
    std::copy(m_tokens.end() - seen, m_tokens.end(), sample.begin());
    const QByteArray bytes(reinterpret_cast<const char *>(sample.data()),
                           static_cast<qsizetype>(sample.size() * sizeof(qint64)));
    m_answers->ask(bytes, seen - 1, [this, question = ++m_question](const std::vector<double> &scores) {
        if (question == m_question)
            take(scores);
    });
}

void Continuation::take(const std::vector<double> &scores) {
    const int next = chosen(scores);
    const bool isEnd = next < 0 || next == m_run.preparation->tokenizer()->end();
    if (!isEnd) {
        m_tokens.push_back(next);
        Q_EMIT grown();
    }
    if (isEnd || tokens() >= m_choice.tokens)
        stop();
    else if (m_isRunning)
        askNext();
}

/// -1: none of them is a number.
int Continuation::chosen(const std::vector<double> &scores) const {
    // Networks round their vocabulary up; what is beyond the tokenizer's stands for nothing.
    const auto words = std::min(scores.size(), static_cast<std::size_t>(m_run.preparation->tokenizer()->words()));
    int best = -1;
    for (std::size_t i = 0; i < words; ++i) {
        if (std::isfinite(scores[i]) && (best < 0 || scores[i] > scores[static_cast<std::size_t>(best)]))
            best = static_cast<int>(i);
    }
    if (best < 0 || m_choice.temperature <= 0)
        return best;
    std::vector<double> sums(words);
    double sum = 0;
    for (std::size_t i = 0; i < words; ++i) {
        const double above = scores[i] - scores[static_cast<std::size_t>(best)];
        sums[i] = sum += std::isfinite(above) ? std::exp(above / m_choice.temperature) : 0;
    }
    const auto word = Generator(m_choice.seed).word(static_cast<std::uint64_t>(tokens()));
    const double drawn = static_cast<double>(word >> 11) * 0x1p-53 * sum;
    return static_cast<int>(std::ranges::upper_bound(sums, drawn) - sums.begin());
}

}  // namespace hearth
