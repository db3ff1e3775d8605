#include "core/data/table_columns.h"

#include <QDir>
#include <QJsonArray>
#include <algorithm>
#include <set>

#include "core/base/json_reader.h"
#include "core/data/broken_files.h"
#include "core/data/seen_rows.h"

namespace hearth {
namespace {

/// What is known of a column so far.
class SeenColumn {
  public:
    /// `where` as in Row; `row` counts those that can be used.
    void add(const QString &field, Split split, const QString &where, qint64 row) {
        const bool learns = split == Split::Train;
        if (isMissing(field)) {
            m_lacks = m_lacks || learns;
            m_countsRows = false;
            return;
        }
        const auto number = m_numbers.add(field, where);
        m_countsRows =
            m_countsRows && number && (*number == static_cast<double>(row) || *number == static_cast<double>(row + 1));
        if (!learns)
            return;
        if (number)
            m_moments.add(*number);
        else
            m_lacksNumbers = true;
        if (!isFull())
            m_texts.insert(field.left(RowLabels::Limits::letters));
    }
    /// Too many different ones to be categories, as texts that people write are.
    bool hasTexts() const { return !m_numbers.areMostNumbers() && isFull(); }
    /// What somebody who wrote numbers must know of a column that is not left out.
    std::optional<Sentence> doubt() const {
        if (hasNumbers() && m_numbers.others() > 0) {
            return sentence("%1 {1|field is no number and counts|fields are no numbers and count} as missing: %2")
                .arg(m_numbers.others())
                .arg(m_numbers.firstOther());
        }
        if (!m_numbers.areNumbers() && m_numbers.areMostNumbers() && areManyNumbers(m_texts)) {
            return sentence("All %1 different fields are categories, since some are no numbers: %2")
                .arg(static_cast<qint64>(m_texts.size()))
                .arg(m_numbers.firstOther());
        }
        return std::nullopt;
    }
    /// As the network sees it, or why it does not.
    tl::expected<TableColumn, Sentence> column(const QString &name) const {
        TableColumn column{name, 0, 1, {}, m_lacks};
        if (m_texts.empty())
            return tl::unexpected(sentence("No training row has a value in this column."));
        if (m_countsRows)
            return tl::unexpected(sentence("The column counts the rows."));
        if (hasNumbers()) {
            column.mean = m_moments.mean();
            column.deviation = m_moments.deviation();
            column.lacks = m_lacks || m_lacksNumbers;
            return column;
        }
        if (isFull() && m_numbers.areMostNumbers()) {
            return tl::unexpected(
                sentence("The column has numbers, and fields that are none: %1 Correct such fields, or "
                         "leave them empty.")
                    .arg(m_numbers.firstOther()));
        }
        if (isFull()) {
            return tl::unexpected(sentence("The column has more than %1 different texts: %2 To learn from it, choose "
                                           "it under \"Texts\", or say --text.")
                                      .arg(TableFacts::Limits::categories)
                                      .arg(m_numbers.firstOther()));
        }
        if (m_texts.size() == 1 && !m_lacks)
            return tl::unexpected(sentence("All rows have the same value in this column."));
        for (const QString &text : m_texts)
            column.categories << text;
        return column;
    }

  private:
    bool hasNumbers() const { return m_numbers.areNumbers() && m_moments.deviation() > 0; }
    bool isFull() const { return m_texts.size() > static_cast<std::size_t>(TableFacts::Limits::categories); }

    SeenNumbers m_numbers;
    bool m_countsRows = true, m_lacks = false, m_lacksNumbers = false;  // in training rows, the last two
    Moments m_moments;
    std::set<QString> m_texts;  // of training rows, one more than can be categories
};

TableColumn readColumn(const QJsonValue &value, const JsonReader &parent, qsizetype at, Result<void> &wrong) {
    JsonReader reader(value, parent.source(), jsonPointer(parent.pathOf(QStringLiteral("columns")), at));
    TableColumn column;
    column.name = reader.string("name");
    for (const QJsonValue category : reader.array("categories", false))
        column.categories << category.toString();
    if (column.categories.size() > TableFacts::Limits::categories)
        reader.reject(QStringLiteral("categories"), sentence("There are %1.").arg(column.categories.size()));
    column.mean = reader.number("mean", std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max(), 0);
    column.deviation =
        reader.number("deviation", std::numeric_limits<double>::min(), std::numeric_limits<double>::max(), 1);
    column.lacks = reader.boolean("lacks", false);
    if (auto finished = reader.finish(); !finished && wrong)
        wrong = finished;
    return column;
}

tl::unexpected<Error> onlyTexts(const QString &path, const Sentence &cause, const QString &column) {
    return fail(
        QStringLiteral("data.no-table"), sentence("%1 is no table to learn from.").arg(path), cause,
        sentence("\"%1\" has texts: to learn from them, choose it under \"Texts\", or say --text \"%1\".").arg(column));
}

}  // namespace

void TableColumn::encode(const QString &field, std::span<float> out) const {
    std::ranges::fill(out, 0.0F);
    if (isNumber()) {
        if (const auto number = isMissing(field) ? std::nullopt : numberOf(field))
            out.front() = static_cast<float>((*number - mean) / deviation);
        else if (lacks)
            out.back() = 1;
        return;
    }
    const auto mark = [&](const QString &category) {
        const auto at = std::ranges::lower_bound(categories, category);
        if (at == categories.end() || *at != category)
            return false;
        out[static_cast<std::size_t>(at - categories.begin())] = 1;
        return true;
    };
    if (!mark(field) && !mark(withComma(field)) && lacks && isMissing(field))
        out.back() = 1;
}

QJsonObject TableColumn::toJson() const {
    QJsonObject object{{QStringLiteral("name"), name}};
    if (isNumber()) {
        object[QStringLiteral("mean")] = mean;
        object[QStringLiteral("deviation")] = deviation;
    } else {
        object[QStringLiteral("categories")] = QJsonArray::fromStringList(categories);
    }
    if (lacks)
        object[QStringLiteral("lacks")] = true;
    return object;
}

std::size_t TableFacts::width() const {
    std::size_t width = 0;
    for (const TableColumn &column : columns)
        width += column.width();
    return width;
}

QJsonObject TableFacts::toJson(const QString &name) const {
    QJsonArray all;
    for (const TableColumn &column : columns)
        all << column.toJson();
    QJsonObject object{{QStringLiteral("format"), QStringLiteral("hearth-data/1")},
                       {QStringLiteral("name"), name},
                       {QStringLiteral("kind"), QStringLiteral("table")},
                       {QStringLiteral("path"), path},
                       {QStringLiteral("columns"), all},
                       {QStringLiteral("broken"), brokenToJson(left)}};
    labels.addTo(object);
    return object;
}

TableFacts TableFacts::read(JsonReader &reader) {
    TableFacts facts;
    facts.path = reader.string("path");
    facts.labels = RowLabels::read(reader);
    const QJsonArray columns = reader.array("columns");
    Result<void> wrong;
    for (qsizetype i = 0; i < columns.size(); ++i)
        facts.columns.push_back(readColumn(columns[i], reader, i, wrong));
    if (!wrong)
        reader.reject(QStringLiteral("columns"), wrong.error().cause);
    if (facts.width() == 0 || facts.width() > Limits::width)
        reader.reject(QStringLiteral("columns"), sentence("They make %1 numbers.").arg(facts.width()));
    facts.left = readBroken(reader);
    return facts;
}

Result<TableFacts> findTable(const QString &path, const DataChoice &choice, const CheckProgress &progress,
                             SeenRows *kept) {
    const auto rows = RowFiles::open(path, choice.columns(), progress);
    if (!rows)
        return tl::unexpected(rows.error());
    TableFacts facts;
    facts.path = path;
    const QString learnt = choice.label.isEmpty() ? (*rows)->columns().last() : choice.label;
    const auto label = columnNamed(**rows, path, learnt);
    if (!label)
        return tl::unexpected(label.error());
    const std::vector<bool> grouped = (*rows)->groupedColumns(progress);
    const auto fieldOf = [&grouped](const Row &row, qsizetype at) {
        return grouped[static_cast<std::size_t>(at)] ? withComma(row.fields[at]) : row.fields[at];
    };
    std::vector<SeenColumn> seen(static_cast<std::size_t>((*rows)->columns().size()));
    SeenLabels labels;
    BrokenRows broken;
    qint64 number = 0;
    const auto take = [&](const Row &row) -> std::optional<Sentence> {
        if (auto problem = labels.add(fieldOf(row, *label), row.split, row.where))
            return problem;
        for (qsizetype i = 0; i < row.fields.size(); ++i)
            seen[static_cast<std::size_t>(i)].add(fieldOf(row, i), row.split, row.where, number);
        if (kept != nullptr)
            kept->add(row, row.fields[*label]);
        ++number;
        return std::nullopt;
    };
    if (auto read = (*rows)->each(take, broken, progress); !read)
        return tl::unexpected(read.error());
    auto found = labels.found(path, learnt, choice.task, (*rows)->allBroken(broken));
    if (!found)
        return tl::unexpected(found.error());
    facts.labels = std::move(*found);
    for (qsizetype i = 0; i < (*rows)->columns().size(); ++i) {
        if (i == *label)
            continue;
        const QString &name = (*rows)->columns()[i];
        const SeenColumn &one = seen[static_cast<std::size_t>(i)];
        auto column = one.column(name);
        if (!column) {
            facts.left.push_back({name, column.error()});
            continue;
        }
        facts.columns.push_back(std::move(*column));
        if (const auto doubt = one.doubt())
            facts.left.push_back({name, *doubt, BrokenFile::Fate::Doubtful});
    }
    if (facts.columns.empty()) {
        const Sentence cause = sentence("No column but the label tells rows apart.");
        for (qsizetype i = 0; i < (*rows)->columns().size(); ++i) {
            if (i != *label && seen[static_cast<std::size_t>(i)].hasTexts())
                return onlyTexts(path, cause, (*rows)->columns()[i]);
        }
        return noTable(
            path, cause,
            sentence("Add columns of numbers or categories, or choose another column under \"Learn\", or say "
                     "--label COLUMN."));
    }
    if (facts.width() > TableFacts::Limits::width)
        return noTable(path, sentence("Its columns make more than %1 numbers.").arg(TableFacts::Limits::width),
                       sentence("Take columns out of the table: each different text of a category is a number."));
    if (kept != nullptr)
        kept->end(*rows, std::move(broken));
    return facts;
}

}  // namespace hearth
