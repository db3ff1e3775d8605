// Texts that a tokenizer makes into the ids of a network's vocabulary.
#pragma once

#include <QJsonObject>

#include "core/data/check_progress.h"
#include "core/data/data_choice.h"
#include "core/data/dataset.h"
#include "core/data/row_labels.h"

namespace hearth {

class JsonReader;
class SeenRows;

/// JSON, a part of a "hearth-data/1" file, with the keys of RowLabels: {"path":"/home/me/reviews.csv",
/// "texts":["review"],"tokenizer":"/home/me/bert","label":…}; of plain texts "path" and "tokenizer" alone. Plain value.
struct TextFacts {
    QString path;  // absolute
    QString tokenizer;
    QStringList texts;  // one column, or two that belong together; empty: plain texts, for language models
    RowLabels labels;

    bool operator==(const TextFacts &) const = default;
    /// All of such a file.
    QJsonObject toJson(const QString &name) const;
    /// The reverse; the caller asks finish().
    static TextFacts read(JsonReader &reader);
};

/// One or two of the columns, that people call so: "text", "sentence", "sentence1", … Empty: there is none.
QStringList textColumns(const QStringList &columns);
bool haveTexts(const QStringList &columns);
/// Which of such columns is learnt: the one that people call "label" or so, else the last.
QString labelColumn(const QStringList &columns);
/// A text file, or a folder whose files are some.
bool isPlainText(const QString &path);
/// Looks at all rows. GLUE's files are known: SST-2, MRPC, CoLA, MNLI. Errors: those of RowFiles and of the tokenizer;
/// "data.no-column", "data.same-column", "data.no-table", "data.no-choice". Where `kept` is not null it gets them.
/// Blocks.
Result<TextFacts> findTexts(const QString &path, const DataChoice &choice, const CheckProgress &progress = {},
                            SeenRows *kept = nullptr);

/// Of rows: "tokens", "mask" (1 = a token, 0 = filling) and "segments" of {length}, read and tokenized whenever a
/// sample is asked for. Of plain texts: "tokens" of {length} and as many labels, the tokens that follow; blocks of all
/// texts one after the other, in memory (2 bytes a token, 4 where there are more than 65,536). In both, length is
/// usualTextLength. Blocks.
Result<std::shared_ptr<const Dataset>> textsOf(const QString &name, const TextFacts &facts,
                                               const CheckProgress &progress = {});
constexpr qint64 usualTextLength = 128;
/// findTexts() and textsOf(), and all is read once for both; the set tells its facts (Dataset::preparation()).
Result<std::shared_ptr<const Dataset>> readTexts(const QString &name, const QString &path, const DataChoice &choice,
                                                 const CheckProgress &progress);
/// The same data for a network that takes so many tokens; other data stay as they are.
std::shared_ptr<const Dataset> fitTexts(const std::shared_ptr<const Dataset> &data, qint64 length);

/// Internal to core/data.
class OfAnyLength {
  public:
    virtual ~OfAnyLength() = default;
    virtual std::shared_ptr<const Dataset> ofLength(qint64 length) const = 0;
};
Result<std::shared_ptr<const Dataset>> blocksOf(const QString &name, const TextFacts &facts,
                                                const CheckProgress &progress);

}  // namespace hearth
