#include "core/data/text_coder.h"

#include <algorithm>
#include <cstring>

namespace hearth {

TextCoder::TextCoder(std::shared_ptr<const Tokenizer> tokenizer, qsizetype texts, qint64 length)
    : m_tokenizer(std::move(tokenizer)) {
    const Slot slot{DType::Int64, {length}, false};
    m_parts = {{QStringLiteral("tokens"), slot, WholeRange{0, m_tokenizer->words() - 1}},
               {QStringLiteral("mask"), slot, WholeRange{0, 1}},
               {QStringLiteral("segments"), slot, WholeRange{0, texts > 1 ? 1 : 0}}};
}

TextCoder::Text TextCoder::tokenized(const QStringList &texts) const {
    Text text;
    text.tokens = m_tokenizer->framed(texts, length(), &text.segments);
    return text;
}

void TextCoder::write(const Text &text, std::size_t part, std::span<std::byte> out) const {
    std::vector<qint64> row(length(), part == Tokens ? m_tokenizer->padding() : 0);
    if (part == Mask)
        std::fill_n(row.begin(), text.tokens.size(), 1);
    else
        std::ranges::copy(part == Tokens ? text.tokens : text.segments, row.begin());
    std::memcpy(out.data(), row.data(), row.size() * sizeof(qint64));
}

}  // namespace hearth
