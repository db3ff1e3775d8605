#include "core/data/word_models.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <queue>

#include "core/data/text_steps.h"

namespace hearth {
namespace {

class OfVocabulary : public WordModel {
  public:
    explicit OfVocabulary(Vocabulary vocabulary) : m_vocabulary(std::move(vocabulary)) {
        for (const int id : std::as_const(m_vocabulary))
            m_words = std::max(m_words, id + 1);
    }
    int words() const override { return m_words; }
    int idOf(const QString &word) const override { return m_vocabulary.value(word, -1); }

  protected:
    /// Empty: there is none.
    QString wordOf(int id) const {
        std::call_once(m_listed, [this] {
            m_list.resize(static_cast<std::size_t>(m_words));
            for (auto word = m_vocabulary.begin(); word != m_vocabulary.end(); ++word)
                m_list[static_cast<std::size_t>(*word)] = word.key();
        });
        return id >= 0 && id < m_words ? m_list[static_cast<std::size_t>(id)] : QString();
    }

  private:
    const Vocabulary m_vocabulary;
    int m_words = 0;
    mutable std::once_flag m_listed;  // only who reads answers needs it
    mutable std::vector<QString> m_list;
};

class WordPieces final : public OfVocabulary {
  public:
    WordPieces(Vocabulary vocabulary, int unknown, const QString &prefix, int mostLetters)
        : OfVocabulary(std::move(vocabulary)), m_unknown(unknown), m_prefix(prefix), m_mostLetters(mostLetters) {}

    void append(const QString &word, std::vector<int> &ids) const override {
        const auto letters = std::ranges::count_if(word, [](QChar unit) { return !unit.isLowSurrogate(); });
        const std::size_t before = ids.size();
        for (qsizetype from = 0; from < word.size();) {
            int found = -1;
            qsizetype to = letters > m_mostLetters ? from : word.size();
            for (; to > from; --to) {
                if (to < word.size() && word[to].isLowSurrogate())
                    continue;
                const QString piece = word.mid(from, to - from);
                found = idOf(from == 0 ? piece : m_prefix + piece);
                if (found >= 0)
                    break;
            }
            if (found < 0) {
                ids.resize(before);
                ids.push_back(m_unknown);
                return;
            }
            ids.push_back(found);
            from = to;
        }
    }

    void appendText(int id, QByteArray &to) const override {
        const QString word = wordOf(id);
        if (word.startsWith(m_prefix)) {
            to += QStringView(word).mid(m_prefix.size()).toUtf8();
            return;
        }
        if (!to.isEmpty())
            to += ' ';
        to += word.toUtf8();
    }

  private:
    const int m_unknown;
    const QString m_prefix;
    const int m_mostLetters;
};

class BytePairModel final : public OfVocabulary {
  public:
    explicit BytePairModel(BytePairs pairs) : OfVocabulary(std::move(pairs.vocabulary)), m_of(std::move(pairs)) {
        int rank = 0;
        for (const auto &[left, right] : m_of.merges) {
            const int a = idOf(left), b = idOf(right), both = idOf(left + right);
            if (a >= 0 && b >= 0 && both >= 0)
                m_merges.insert({a, b}, {rank, both});
            ++rank;
        }
        m_of.merges.clear();
    }

    void append(const QString &word, std::vector<int> &ids) const override {
        if (const int whole = m_of.ignoresMerges ? idOf(word) : -1; whole >= 0) {
            ids.push_back(whole);
            return;
        }
        const bool isKept = word.size() <= keptLetters;
        if (isKept) {
            const std::lock_guard lock(m_mutex);
            if (const auto known = m_kept.constFind(word); known != m_kept.constEnd()) {
                ids.insert(ids.end(), known->begin(), known->end());
                return;
            }
        }
        const std::vector<int> merged = mergedOf(lettersOf(word));
        ids.insert(ids.end(), merged.begin(), merged.end());
        if (!isKept)
            return;
        const std::lock_guard lock(m_mutex);
        if (m_kept.size() >= keptWords)
            m_kept.clear();
        m_kept.insert(word, merged);
    }

    void appendText(int id, QByteArray &to) const override {
        QString word = wordOf(id);
        if (m_of.areBytes)
            return appendBytes(word, to);
        if (const int byte = m_of.fallsBack ? byteOf(word) : -1; byte >= 0)
            to += static_cast<char>(byte);
        else
            to += word.replace(wordBegin, u' ').toUtf8();
    }

  private:
    static constexpr QChar wordBegin{0x2581};  // in place of a space, as SentencePiece writes it
    static constexpr qsizetype keptLetters = 64, keptWords = 1 << 16;
    struct Merge {
        int rank = 0, id = 0;
    };

    std::vector<int> lettersOf(const QString &word) const {
        std::vector<int> ids;
        bool wasUnknown = false;
        for (qsizetype i = 0; i < word.size();) {
            const qsizetype units = word[i].isHighSurrogate() && i + 1 < word.size() ? 2 : 1;
            const QString letter = word.mid(i, units);
            i += units;
            const int id = idOf(letter);
            const bool isUnknown = id < 0 && !(m_of.fallsBack && addBytes(letter, ids));
            if (id >= 0)
                ids.push_back(id);
            else if (isUnknown && m_of.unknown >= 0 && !(m_of.fusesUnknown && wasUnknown))
                ids.push_back(m_of.unknown);
            wasUnknown = isUnknown;
        }
        return ids;
    }

    /// Of "<0x41>".
    static int byteOf(const QString &word) {
        bool isHex = false;
        const int byte =
            word.size() == 6 && word.startsWith(QLatin1String("<0x")) ? word.mid(3, 2).toInt(&isHex, 16) : -1;
        return isHex ? byte : -1;
    }

    bool addBytes(const QString &letter, std::vector<int> &ids) const {
        std::vector<int> found;
        for (const char byte : letter.toUtf8()) {
            const QString name = QStringLiteral("<0x%1>").arg(static_cast<quint8>(byte), 2, 16, QLatin1Char('0'));
            found.push_back(idOf(QStringLiteral("<0x") + name.mid(3, 2).toUpper() + QLatin1Char('>')));
        }
        if (std::ranges::any_of(found, [](int id) { return id < 0; }))
            return false;
        ids.insert(ids.end(), found.begin(), found.end());
        return true;
    }

    /// The pair of the earliest merge first, of equal ones the leftmost, until there is none.
    std::vector<int> mergedOf(std::vector<int> ids) const {
        struct Waiting {
            int rank;
            std::size_t left;
            int a, b;
            bool operator>(const Waiting &other) const {
                return std::pair(rank, left) > std::pair(other.rank, other.left);
            }
        };
        const std::size_t count = ids.size();
        std::vector<std::size_t> next(count), before(count);
        for (std::size_t i = 0; i < count; ++i) {
            next[i] = i + 1;
            before[i] = i == 0 ? count : i - 1;
        }
        std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue;
        const auto look = [&](std::size_t left) {
            if (left >= count || next[left] >= count)
                return;
            const int a = ids[left], b = ids[next[left]];
            if (const auto merge = m_merges.constFind({a, b}); merge != m_merges.constEnd())
                queue.push({merge->rank, left, a, b});
        };
        for (std::size_t i = 0; i < count; ++i)
            look(i);
        constexpr int gone = -2;
        while (!queue.empty()) {
            const Waiting pair = queue.top();
            queue.pop();
            const std::size_t left = pair.left, right = next[left];
            // It may have become part of another since.
            if (ids[left] != pair.a || right >= count || ids[right] != pair.b)
                continue;
            ids[left] = m_merges.value({pair.a, pair.b}).id;
            ids[right] = gone;
            next[left] = next[right];
            if (next[left] < count)
                before[next[left]] = left;
            look(before[left]);
            look(left);
        }
        std::erase(ids, gone);
        return ids;
    }

    BytePairs m_of;
    QHash<std::pair<int, int>, Merge> m_merges;
    mutable std::mutex m_mutex;
    mutable QHash<QString, std::vector<int>> m_kept;
};

class PlainBytes final : public WordModel {
  public:
    void append(const QString &word, std::vector<int> &ids) const override {
        for (const char byte : word.toUtf8())
            ids.push_back(static_cast<quint8>(byte) + firstByte);
    }
    int words() const override { return firstByte + 256; }
    int idOf(const QString &) const override { return -1; }
    void appendText(int id, QByteArray &to) const override {
        if (id >= firstByte && id < words())
            to += static_cast<char>(id - firstByte);
    }

  private:
    static constexpr int firstByte = 3;
};

}  // namespace

std::shared_ptr<const WordModel> wordPieces(Vocabulary vocabulary, int unknown, const QString &prefix,
                                            int mostLetters) {
    return std::make_shared<WordPieces>(std::move(vocabulary), unknown, prefix, mostLetters);
}

std::shared_ptr<const WordModel> bytePairs(BytePairs pairs) {
    return std::make_shared<BytePairModel>(std::move(pairs));
}

std::shared_ptr<const WordModel> plainBytes() {
    return std::make_shared<PlainBytes>();
}

}  // namespace hearth
