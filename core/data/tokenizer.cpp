#include "core/data/tokenizer.h"

#include <algorithm>

namespace hearth {

Tokenizer::Finder Tokenizer::finderOf(std::vector<Added> tokens) {
    Finder finder;
    if (tokens.empty())
        return finder;
    // Where two begin at the same place, the longer one counts.
    std::ranges::stable_sort(tokens, std::ranges::greater(), [](const Added &token) { return token.text.size(); });
    QStringList patterns;
    for (const Added &token : tokens) {
        patterns << QStringLiteral("(%1%2%3)")
                        .arg(token.takesBefore ? QStringLiteral(R"(\s*)") : QString(),
                             QRegularExpression::escape(token.text),
                             token.takesBehind ? QStringLiteral(R"(\s*)") : QString());
    }
    finder.pattern = QRegularExpression(patterns.join(u'|'), QRegularExpression::UseUnicodePropertiesOption);
    finder.tokens = std::move(tokens);
    return finder;
}

template <class Between>
void Tokenizer::divide(const Finder &finder, const QString &text, std::vector<int> &ids, const Between &between) const {
    qsizetype from = 0;
    if (!finder.tokens.empty()) {
        for (auto each = finder.pattern.globalMatch(text); each.hasNext();) {
            const auto match = each.next();
            if (match.capturedStart() > from)
                between(text.mid(from, match.capturedStart() - from));
            ids.push_back(finder.tokens[static_cast<std::size_t>(match.lastCapturedIndex() - 1)].id);
            from = match.capturedEnd();
        }
    }
    if (from < text.size())
        between(text.mid(from));
}

std::vector<int> Tokenizer::encode(const QString &text, const std::function<bool()> &goesOn) const {
    const auto isOver = [&goesOn] { return goesOn && !goesOn(); };
    std::vector<int> ids;
    divide(m_raw, text, ids, [&](QString part) {
        if (isOver())
            return;
        for (const auto &normalise : m_normalisers)
            part = normalise(part);
        divide(m_normal, part, ids, [&](const QString &normal) {
            QStringList words{normal};
            for (const auto &split : m_splitters) {
                QStringList smaller;
                for (const QString &word : std::as_const(words))
                    smaller += split(word);
                words = std::move(smaller);
            }
            for (const QString &word : std::as_const(words)) {
                if (isOver())
                    return;
                m_model->append(word, ids);
            }
        });
    });
    return ids;
}

QString Tokenizer::decode(std::span<const int> ids) const {
    QByteArray text;
    for (const int id : ids) {
        if (const auto added = m_addedTexts.constFind(id); added != m_addedTexts.constEnd())
            text += added->toUtf8();
        else
            m_model->appendText(id, text);
    }
    return QString::fromUtf8(text);
}

std::vector<int> Tokenizer::framed(const QStringList &texts, std::size_t most, std::vector<int> *segments) const {
    const std::vector<TextFrame::Piece> &frame = texts.size() > 1 ? m_frame.two : m_frame.one;
    std::vector<int> first = encode(texts.value(0)), second;
    if (texts.size() > 1)
        second = encode(texts[1]);
    const auto own = static_cast<std::size_t>(
        std::ranges::count_if(frame, [](const TextFrame::Piece &piece) { return piece.id >= 0; }));
    const std::size_t room = most > own ? most - own : 0;
    while (first.size() + second.size() > room) {
        // The longer one first; of two equal ones the second.
        std::vector<int> &longer = first.size() > second.size() ? first : second;
        const std::size_t other = std::min(first.size(), second.size());
        const std::size_t over = first.size() + second.size() - room;
        longer.resize(longer.size() - std::clamp<std::size_t>(longer.size() - other, 1, over));
    }
    std::vector<int> ids;
    if (segments)
        segments->clear();
    for (const TextFrame::Piece &piece : frame) {
        if (piece.id >= 0)
            ids.push_back(piece.id);
        else
            ids.insert(ids.end(), piece.id == TextFrame::first ? first.begin() : second.begin(),
                       piece.id == TextFrame::first ? first.end() : second.end());
        if (segments)
            segments->resize(ids.size(), piece.segment);
    }
    ids.resize(std::min(ids.size(), most));
    if (segments)
        segments->resize(ids.size());
    return ids;
}

}  // namespace hearth
