// Internal to core/data: what a network sees of a text, or of two.
#pragma once

#include <memory>

#include "core/data/row_coder.h"
#include "core/data/tokenizer.h"

namespace hearth {

/// "tokens", "mask" (1 = a token, 0 = filling) and "segments" of {length}.
class TextCoder final : public RowCoder {
  public:
    struct Text {
        std::vector<int> tokens, segments;
    };

    /// `texts` is 1 or 2.
    TextCoder(std::shared_ptr<const Tokenizer> tokenizer, qsizetype texts, qint64 length);
    const std::shared_ptr<const Tokenizer> &tokenizer() const { return m_tokenizer; }
    /// Framed and cut, without filling.
    Text tokenized(const QStringList &texts) const;
    void write(const Text &text, std::size_t part, std::span<std::byte> out) const;
    void encode(const QStringList &texts, std::size_t part, std::span<std::byte> out) const override {
        write(tokenized(texts), part, out);
    }

  private:
    enum Part : std::size_t { Tokens, Mask, Segments };
    std::size_t length() const { return static_cast<std::size_t>(parts().front().slot.elements()); }

    std::shared_ptr<const Tokenizer> m_tokenizer;
};

}  // namespace hearth
