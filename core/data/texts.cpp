#include "core/data/texts.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <mutex>

#include "core/base/json_reader.h"
#include "core/data/row_dataset.h"
#include "core/data/split_files.h"
#include "core/data/text_coder.h"

namespace hearth {
namespace {

/// Of single texts, and of the two of a pair: what people and GLUE call them.
const QStringList &textWords() {
    static const QStringList words{QStringLiteral("text"),      QStringLiteral("sentence"),  QStringLiteral("review"),
                                   QStringLiteral("#1 string"), QStringLiteral("sentence1"), QStringLiteral("premise")};
    return words;
}

const QStringList &secondWords() {
    static const QStringList words{QStringLiteral("#2 string"), QStringLiteral("sentence2"),
                                   QStringLiteral("hypothesis")};
    return words;
}

const QStringList &classWords() {
    static const QStringList words{QStringLiteral("gold_label"), QStringLiteral("label"), QStringLiteral("quality"),
                                   QStringLiteral("class"), QStringLiteral("category")};
    return words;
}

class TextDataset final : public RowDataset, public OfAnyLength {
  public:
    static Result<std::shared_ptr<const Dataset>> load(const QString &name, const TextFacts &facts,
                                                       const CheckProgress &progress) {
        auto rows = RowFiles::open(facts.path, facts.texts + QStringList{facts.labels.column}, progress);
        if (!rows)
            return tl::unexpected(rows.error());
        auto set = std::make_shared<TextDataset>();
        if (auto described = set->describe(name, facts, **rows); !described)
            return tl::unexpected(described.error());
        if (auto found = set->find(std::move(*rows), facts.path, facts.labels, progress); !found)
            return tl::unexpected(found.error());
        return set;
    }
    /// Of rows that were read already.
    static Result<std::shared_ptr<const Dataset>> of(const QString &name, const TextFacts &facts, SeenRows seen) {
        auto set = std::make_shared<TextDataset>();
        if (auto described = set->describe(name, facts, *seen.files()); !described)
            return tl::unexpected(described.error());
        if (auto taken = set->takeSeen(std::move(seen), facts.labels); !taken)
            return tl::unexpected(taken.error());
        return set;
    }

    bool hasOwnSizes() const override { return true; }
    std::shared_ptr<const Dataset> ofLength(qint64 length) const override {
        auto other = std::make_shared<TextDataset>(*this);
        other->setCoder(std::make_shared<TextCoder>(m_coder->tokenizer(), m_places.size(), length));
        return other;
    }
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        const auto bytes = static_cast<std::size_t>(m_parts[part].slot.bytes());
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const auto text = textAt(split, indices[i]);
            if (!text)
                return tl::unexpected(text.error());
            m_coder->write(**text, part, out.subspan(i * bytes, bytes));
        }
        return {};
    }

  private:
    using Text = TextCoder::Text;
    /// Of the texts that were asked for last: every part of a sample is read on its own.
    struct Kept {
        static constexpr qsizetype most = 1024;
        std::mutex mutex;
        QHash<std::pair<int, qint64>, std::shared_ptr<const Text>> texts;
    };

    Result<void> describe(const QString &name, const TextFacts &facts, const RowFiles &rows) {
        auto tokenizer = Tokenizer::load(facts.tokenizer);
        if (!tokenizer)
            return tl::unexpected(tokenizer.error());
        m_name = name;
        m_kind = QStringLiteral("text");
        m_preparation = facts.toJson(name);
        for (const QString &column : facts.texts) {
            const auto at = columnNamed(rows, facts.path, column);
            if (!at)
                return tl::unexpected(at.error());
            m_places.push_back(*at);
        }
        setCoder(std::make_shared<TextCoder>(std::move(*tokenizer), facts.texts.size(), usualTextLength));
        return {};
    }

    void setCoder(std::shared_ptr<const TextCoder> coder) {
        m_coder = std::move(coder);
        m_kept = std::make_shared<Kept>();
        m_parts = m_coder->parts();
    }

    Result<std::shared_ptr<const Text>> textAt(Split split, qint64 index) const {
        const std::pair<int, qint64> key{static_cast<int>(split), index};
        {
            const std::lock_guard lock(m_kept->mutex);
            if (auto known = m_kept->texts.value(key))
                return known;
        }
        const auto fields = readFields(split, index);
        if (!fields)
            return tl::unexpected(fields.error());
        QStringList texts;
        for (const qsizetype place : m_places)
            texts << (*fields)[place];
        auto text = std::make_shared<const Text>(m_coder->tokenized(texts));
        const std::lock_guard lock(m_kept->mutex);
        if (m_kept->texts.size() >= Kept::most)
            m_kept->texts.clear();
        m_kept->texts.insert(key, text);
        return text;
    }

    std::shared_ptr<const TextCoder> m_coder;
    std::vector<qsizetype> m_places;  // of the texts, among the fields
    std::shared_ptr<Kept> m_kept;
};

bool isTextFile(const QString &path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == QLatin1String("txt") || suffix == QLatin1String("text") || suffix == QLatin1String("md") ||
           suffix == QLatin1String("rst");
}

}  // namespace

QJsonObject TextFacts::toJson(const QString &name) const {
    QJsonObject object{{QStringLiteral("format"), QStringLiteral("hearth-data/1")},
                       {QStringLiteral("name"), name},
                       {QStringLiteral("kind"), QStringLiteral("text")},
                       {QStringLiteral("path"), path},
                       {QStringLiteral("tokenizer"), tokenizer}};
    if (!texts.isEmpty()) {
        object[QStringLiteral("texts")] = QJsonArray::fromStringList(texts);
        labels.addTo(object);
    }
    return object;
}

TextFacts TextFacts::read(JsonReader &reader) {
    TextFacts facts;
    facts.path = reader.string("path");
    facts.tokenizer = reader.string("tokenizer");
    for (const QJsonValue column : reader.array("texts", false))
        facts.texts << column.toString();
    if (facts.texts.size() > 2)
        reader.reject(QStringLiteral("texts"), sentence("There are %1.").arg(facts.texts.size()));
    if (!facts.texts.isEmpty())
        facts.labels = RowLabels::read(reader);
    return facts;
}

QStringList textColumns(const QStringList &columns) {
    QStringList found;
    for (const QStringList &words : {textWords(), secondWords()}) {
        if (const qsizetype at = columnOf(columns, words); at >= 0)
            found << columns[at];
    }
    return found;
}

bool haveTexts(const QStringList &columns) {
    return !textColumns(columns).isEmpty();
}

QString labelColumn(const QStringList &columns) {
    // In the order of words, not of columns: MNLI has several labels.
    for (const QString &word : classWords()) {
        if (const qsizetype at = columnOf(columns, {word}); at >= 0)
            return columns[at];
    }
    return columns.last();
}

bool isPlainText(const QString &path) {
    if (!QFileInfo(path).isDir())
        return isTextFile(path);
    constexpr int looked = 100;
    QDirIterator files(path, QDir::Files, QDirIterator::Subdirectories);
    int count = 0;
    for (; files.hasNext() && count < looked; ++count) {
        if (!isTextFile(files.next()))
            return false;
    }
    return count > 0;
}

Result<TextFacts> findTexts(const QString &path, const DataChoice &choice, const CheckProgress &progress,
                            SeenRows *kept) {
    TextFacts facts{path, choice.tokenizer.isEmpty() ? QStringLiteral("bytes") : choice.tokenizer, choice.texts, {}};
    if (facts.tokenizer != QLatin1String("bytes"))
        facts.tokenizer = QFileInfo(facts.tokenizer).absoluteFilePath();
    if (auto tokenizer = Tokenizer::load(facts.tokenizer); !tokenizer)
        return tl::unexpected(tokenizer.error());
    if (isPlainText(path)) {
        if (choice.task.isEmpty() && choice.columns().isEmpty())
            return facts;
        return fail(
            QStringLiteral("data.no-choice"), sentence("%1 has no columns to choose from.").arg(path),
            sentence("These are plain texts, which a language model learns to continue."),
            sentence("For classes, make a table with the columns text and label; else leave out what is only for "
                     "tables."));
    }
    const auto rows = RowFiles::open(path, choice.columns(), progress);
    if (!rows)
        return tl::unexpected(rows.error());
    const QStringList &columns = (*rows)->columns();
    if (facts.texts.isEmpty())
        facts.texts = textColumns(columns);
    if (facts.texts.isEmpty() || facts.texts.size() > 2) {
        return fail(QStringLiteral("data.no-column"), sentence("Which column of %1 has the texts?").arg(path), {},
                    sentence("Choose it under \"Texts\", or say --text COLUMN, or two of them for pairs."));
    }
    const QString learnt = choice.label.isEmpty() ? labelColumn(columns) : choice.label;
    if (facts.texts.contains(learnt)) {
        return fail(QStringLiteral("data.same-column"),
                    sentence("The column \"%1\" of %2 cannot be both a text and what is learnt.").arg(learnt, path), {},
                    sentence("Choose another column under \"Learn\", or say --label COLUMN."));
    }
    std::vector<qsizetype> places;
    for (const QString &column : facts.texts + QStringList{learnt}) {
        const auto at = columnNamed(**rows, path, column);
        if (!at)
            return tl::unexpected(at.error());
        places.push_back(*at);
    }
    SeenLabels labels;
    BrokenRows broken;
    const bool isGrouped = (*rows)->groupedColumns(progress)[static_cast<std::size_t>(places.back())];
    const auto take = [&](const Row &row) {
        const QString &label = row.fields[places.back()];
        auto problem = labels.add(isGrouped ? withComma(label) : label, row.split, row.where);
        if (!problem && kept != nullptr)
            kept->add(row, label);
        return problem;
    };
    if (auto read = (*rows)->each(take, broken, progress); !read)
        return tl::unexpected(read.error());
    auto found = labels.found(path, learnt, choice.task, (*rows)->allBroken(broken));
    if (!found)
        return tl::unexpected(found.error());
    facts.labels = std::move(*found);
    if (kept != nullptr)
        kept->end(*rows, std::move(broken));
    return facts;
}

Result<std::shared_ptr<const Dataset>> textsOf(const QString &name, const TextFacts &facts,
                                               const CheckProgress &progress) {
    return facts.texts.isEmpty() ? blocksOf(name, facts, progress) : TextDataset::load(name, facts, progress);
}

Result<std::shared_ptr<const Dataset>> readTexts(const QString &name, const QString &path, const DataChoice &choice,
                                                 const CheckProgress &progress) {
    SeenRows seen;
    return findTexts(path, choice, progress, &seen)
        .and_then([&](const TextFacts &facts) -> Result<std::shared_ptr<const Dataset>> {
            return facts.texts.isEmpty() ? blocksOf(name, facts, progress)
                                         : TextDataset::of(name, facts, std::move(seen));
        });
}

std::shared_ptr<const Dataset> fitTexts(const std::shared_ptr<const Dataset> &data, qint64 length) {
    const auto *texts = dynamic_cast<const OfAnyLength *>(data.get());
    return texts ? texts->ofLength(length) : data;
}

}  // namespace hearth
