// From texts to the ids of a network's vocabulary.
#pragma once

#include <QHash>
#include <QRegularExpression>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// What becomes of a piece of a text that steps before it made. Constant; any thread.
class WordModel {
  public:
    virtual ~WordModel() = default;
    virtual void append(const QString &word, std::vector<int> &ids) const = 0;
    /// Ids are below this number.
    virtual int words() const = 0;
    /// -1: there is none.
    virtual int idOf(const QString &word) const = 0;
    /// Adds what a text has for this id, in UTF-8, perhaps a part of a letter; `to` is what stands before it.
    virtual void appendText(int id, QByteArray &to) const = 0;
};

/// Which tokens stand around one text, or two. Plain value.
struct TextFrame {
    static constexpr int first = -1, second = -2;  // the places of the texts
    struct Piece {
        int id = first;
        int segment = 0;
    };
    std::vector<Piece> one{{first, 0}}, two{{first, 0}, {second, 0}};
};

/// Constant once loaded; any thread.
class Tokenizer {
  public:
    struct Limits {
        static constexpr qint64 fileBytes = 256 << 20;
        static constexpr int words = 4'000'000;
    };
    /// A file or a folder with one: tokenizer.json of Hugging Face (WordPiece, BPE, Unigram), vocab.txt of BERT,
    /// vocab.json with merges.txt of GPT-2, a SentencePiece model (.model). tokenizer_config.json beside it says which
    /// tokens fill and end texts, and of vocab.txt whether capitals become small; without it they do where the
    /// vocabulary has none. "bytes": UTF-8 as ByT5 numbers it (Xue et al., 2022). Errors: "data.unreadable",
    /// "data.no-tokenizer".
    static Result<std::shared_ptr<const Tokenizer>> load(const QString &path);

    /// Without what frames a text. `goesOn` is asked before each word; what is left when it says no is left out.
    std::vector<int> encode(const QString &text, const std::function<bool()> &goesOn = {}) const;
    /// Of one text or two, at most `most` tokens with what frames them: the longer text is cut at its end first.
    /// `segments` may be null.
    std::vector<int> framed(const QStringList &texts, std::size_t most, std::vector<int> *segments) const;
    /// The reverse of encode(), as far as it goes: what was made small or left out does not come back, and of tokens
    /// that steer (Tokenizer::end()) there is no text. Ids are from 0 to words()-1.
    QString decode(std::span<const int> ids) const;
    /// The name of the file that was read, without its folder; "bytes".
    const QString &file() const { return m_file; }
    /// Whether capitals become small; nullopt: it is no vocab.txt, and its file says what becomes of them.
    std::optional<bool> lowers() const { return m_lowers; }
    const TextFrame &frame() const { return m_frame; }
    int words() const { return m_words; }
    int padding() const { return m_padding; }
    int end() const { return m_end; }  // of a text; -1: there is none

  private:
    friend class TokenizerFile;
    /// A token that is found in texts as it stands.
    struct Added {
        QString text;
        int id = 0;
        bool isNormal = false;                                             // found after the text was normalised
        bool isSpecial = false, takesBefore = false, takesBehind = false;  // white space
    };
    struct Finder {
        QRegularExpression pattern;  // invalid: there are none
        std::vector<Added> tokens;
    };
    static Finder finderOf(std::vector<Added> tokens);
    template <class Between>
    void divide(const Finder &finder, const QString &text, std::vector<int> &ids, const Between &between) const;

    std::vector<std::function<QString(const QString &)>> m_normalisers;
    std::vector<std::function<QStringList(const QString &)>> m_splitters;  // each of what the one before made
    std::shared_ptr<const WordModel> m_model;
    Finder m_raw, m_normal;
    QHash<int, QString> m_addedTexts;  // empty: of one that steers
    QString m_file;
    std::optional<bool> m_lowers;
    TextFrame m_frame;
    int m_words = 0, m_padding = 0, m_end = -1;
};

}  // namespace hearth
