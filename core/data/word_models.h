// Internal to core/data: what tokenizers make of words.
#pragma once

#include <QHash>

#include "core/data/tokenizer.h"

namespace hearth {

using Vocabulary = QHash<QString, int>;

/// The longest pieces from the front; those within a word begin with `prefix` (Wu et al., 2016; Devlin et al., 2019).
/// What has more than `mostLetters` or is not made of pieces is unknown.
std::shared_ptr<const WordModel> wordPieces(Vocabulary vocabulary, int unknown, const QString &prefix, int mostLetters);

struct BytePairs {
    Vocabulary vocabulary;
    std::vector<std::pair<QString, QString>> merges;  // the earliest first
    int unknown = -1;                                 // -1: what is unknown is left out
    bool fusesUnknown = false;
    bool fallsBack = false;      // to tokens of bytes, "<0x41>"
    bool ignoresMerges = false;  // of words that the vocabulary has as a whole
    bool areBytes = false;       // letters stand for bytes (byteLevel())
};
/// Letters, of which pairs become one in the order of their merges (Sennrich et al., 2016).
std::shared_ptr<const WordModel> bytePairs(BytePairs pairs);

/// The likeliest pieces (Kudo, 2018), by the SentencePiece library. `model` is the content of a ".model" file; null:
/// it is none.
std::shared_ptr<const WordModel> sentencePieces(const QByteArray &model);
struct UnigramPieces {
    std::vector<std::pair<QString, float>> pieces;  // with the logarithms of their probabilities
    std::vector<int> special;                       // those that texts have not
    int unknown = 0;
    QByteArray charactersMap;  // of SentencePiece's normalisation; may be empty
    bool fallsBack = false;
    bool addsSpace = true;  // before the first word
};
std::shared_ptr<const WordModel> sentencePieces(const UnigramPieces &pieces);

/// UTF-8, as ByT5 numbers it: 0 fills, 1 ends, 2 is unknown, bytes follow.
std::shared_ptr<const WordModel> plainBytes();

}  // namespace hearth
