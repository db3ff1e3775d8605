// What a language network gives.
#pragma once

#include <QStringList>
#include <optional>

namespace hearth {

enum class TextHead {
    SequenceClassification,  // {classes} for the whole text
    TokenClassification,     // {tokens, classes}
    MaskedLanguage,          // {tokens, words}: the word that stood there
    CausalLanguage,          // {tokens, words}: the next word
    SequenceToSequence       // {tokens of the answer, words}
};

/// "sequence-classification", …
QString textHeadName(TextHead head);
std::optional<TextHead> textHeadFrom(const QString &name);
QStringList textHeadNames();

}  // namespace hearth
