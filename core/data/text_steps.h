// Internal to core/data: what tokenizers do to a text before they look words up.
#pragma once

#include <QJsonValue>
#include <QStringList>
#include <functional>
#include <vector>

#include "core/base/error.h"

namespace hearth {

using Normaliser = std::function<QString(const QString &)>;
using Splitter = std::function<QStringList(const QString &)>;

/// What BERT does to a text (Devlin et al., 2019).
struct BertSteps {
    bool cleans = true;   // control characters go, white space becomes spaces
    bool spreads = true;  // spaces around Chinese characters
    bool strips = true;   // marks on letters go
    bool lowers = true;
    QString operator()(const QString &text) const;
};
/// At white space, and around each punctuation mark.
QStringList splitAsBert(const QString &text);
/// Letters for bytes, as GPT-2 has them; at what its pattern finds.
Splitter byteLevel(bool addsSpace, bool splits);
/// Adds the bytes of such letters.
void appendBytes(const QString &letters, QByteArray &to);

/// "normalizer" of a tokenizer.json but for "Precompiled", whose characters map it takes. Error: the cause alone.
tl::expected<std::vector<Normaliser>, Sentence> normalisersOf(const QJsonValue &value, QByteArray *charactersMap);
/// "pre_tokenizer" of one; without "Metaspace", which `metaspace` tells: whether a space is added in front. `areBytes`:
/// letters stand for bytes.
tl::expected<std::vector<Splitter>, Sentence> splittersOf(const QJsonValue &value, std::optional<bool> *metaspace,
                                                          bool *areBytes);

}  // namespace hearth
