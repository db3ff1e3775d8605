#include "core/data/prompt_tokens.h"

#include <algorithm>
#include <cmath>

#include "core/base/generator.h"
#include "core/data/tokenizer.h"

namespace hearth {

Result<PromptTokens> PromptTokens::of(const QString &prompt, std::shared_ptr<const Tokenizer> tokenizer,
                                      qint64 length) {
    std::vector<int> tokens = tokenizer->encode(prompt);
    if (tokens.empty()) {
        return fail(QStringLiteral("predict.no-prompt"), sentence("There is nothing to continue."), {},
                    sentence("Give it the beginning of a text."));
    }
    const auto count = static_cast<qint64>(tokens.size());
    if (count > length) {
        return fail(QStringLiteral("predict.long-prompt"), sentence("The beginning is too long."),
                    sentence("It has %1 tokens, and the network sees %2 at once.").arg(count).arg(length),
                    sentence("Give it the end of that."));
    }
    return of(std::move(tokens), std::move(tokenizer), length);
}

PromptTokens PromptTokens::of(std::vector<int> prompt, std::shared_ptr<const Tokenizer> tokenizer, qint64 length) {
    PromptTokens tokens;
    tokens.m_tokens = std::move(prompt);
    tokens.m_prompted = tokens.m_tokens.size();
    tokens.m_tokenizer = std::move(tokenizer);
    tokens.m_length = length;
    return tokens;
}

QString PromptTokens::prompt() const {
    return m_tokenizer->decode(std::span(m_tokens).first(m_prompted));
}

QString PromptTokens::text() const {
    // A word may begin with a space or not, which only the token before it tells.
    const std::span<const int> all(m_tokens);
    const QString whole = m_tokenizer->decode(all), before = prompt();
    return whole.startsWith(before) ? whole.mid(before.size()) : m_tokenizer->decode(all.subspan(m_prompted));
}

qint64 PromptTokens::seen() const {
    return std::min(static_cast<qint64>(m_tokens.size()), m_length);
}

QByteArray PromptTokens::sample() const {
    std::vector<qint64> sample(static_cast<std::size_t>(m_length), m_tokenizer->padding());
    std::copy(m_tokens.end() - seen(), m_tokens.end(), sample.begin());
    return {reinterpret_cast<const char *>(sample.data()), static_cast<qsizetype>(sample.size() * sizeof(qint64))};
}

qint64 PromptTokens::row() const {
    return seen() - 1;
}

bool PromptTokens::take(std::span<const double> scores, const Draw &draw) {
    const int next = chosen(scores, draw);
    if (next < 0 || next == m_tokenizer->end())
        return false;
    m_tokens.push_back(next);
    return true;
}

/// -1: none of them is a number.
int PromptTokens::chosen(std::span<const double> scores, const Draw &draw) const {
    // Networks round their vocabulary up; what is beyond the tokenizer's stands for nothing.
    const auto words = std::min(scores.size(), static_cast<std::size_t>(m_tokenizer->words()));
    int best = -1;
    for (std::size_t i = 0; i < words; ++i) {
        if (std::isfinite(scores[i]) && (best < 0 || scores[i] > scores[static_cast<std::size_t>(best)]))
            best = static_cast<int>(i);
    }
    if (best < 0 || draw.temperature <= 0)
        return best;
    std::vector<double> sums(words);
    double sum = 0;
    for (std::size_t i = 0; i < words; ++i) {
        const double above = scores[i] - scores[static_cast<std::size_t>(best)];
        sums[i] = sum += std::isfinite(above) ? std::exp(above / draw.temperature) : 0;
    }
    const auto word = Generator(draw.seed).word(static_cast<std::uint64_t>(added()));
    const double drawn = static_cast<double>(word >> 11) * 0x1p-53 * sum;
    return static_cast<int>(std::ranges::upper_bound(sums, drawn) - sums.begin());
}

}  // namespace hearth
