// A text that a language model continues, token by token.
#pragma once

#include <QString>
#include <memory>
#include <span>
#include <vector>

#include "core/base/error.h"

namespace hearth {

class Tokenizer;

/// The prompt's tokens and those that came. One thread.
class PromptTokens {
  public:
    /// How a token is chosen.
    struct Draw {
        double temperature = 0;  // 0: always the likeliest; 1: as likely as the network holds it
        quint64 seed = 1;        // of chance: the same one gives the same text
    };

    /// `length` tokens are what the network sees at once. Errors: "predict.no-prompt": it is empty;
    /// "predict.long-prompt": it has more tokens than that. Of what comes out the network sees the last ones.
    static Result<PromptTokens> of(const QString &prompt, std::shared_ptr<const Tokenizer> tokenizer, qint64 length);

    /// The same of the prompt's tokens, as the tokenizer reads them; at least one and at most `length`.
    static PromptTokens of(std::vector<int> prompt, std::shared_ptr<const Tokenizer> tokenizer, qint64 length);

    /// What the network is asked: `length` numbers (int64), ...
    QByteArray sample() const;
    /// ... and the row of its output that tells the next token.
    qint64 row() const;
    /// Takes the next token, of this row. False: the text has come to its end.
    bool take(std::span<const double> scores, const Draw &draw);

    /// Tokens that came.
    int added() const { return static_cast<int>(m_tokens.size() - m_prompted); }
    QString prompt() const;
    /// What follows the prompt, so far.
    QString text() const;

  private:
    PromptTokens() = default;
    int chosen(std::span<const double> scores, const Draw &draw) const;
    qint64 seen() const;

    std::shared_ptr<const Tokenizer> m_tokenizer;
    qint64 m_length = 0;
    std::vector<int> m_tokens;
    std::size_t m_prompted = 0;
};

}  // namespace hearth
