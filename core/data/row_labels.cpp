#include "core/data/row_labels.h"

#include <QJsonArray>
#include <algorithm>
#include <cmath>

#include "core/base/json_reader.h"
#include "core/data/split_files.h"

namespace hearth {
namespace {

Sentence moreRows() {
    return sentence("Add rows, or make a folder with a train.csv and a test.csv.");
}

Sentence otherColumn() {
    return sentence("Choose another column under \"Learn\", or say --label COLUMN.");
}

}  // namespace

bool isMissing(const QString &field) {
    static const std::set<QString> words{QString(),
                                         QStringLiteral("NA"),
                                         QStringLiteral("N/A"),
                                         QStringLiteral("NaN"),
                                         QStringLiteral("nan"),
                                         QStringLiteral("null"),
                                         QStringLiteral("NULL"),
                                         QStringLiteral("?")};
    return words.contains(field.trimmed());
}

Result<qsizetype> columnNamed(const RowFiles &rows, const QString &path, const QString &name) {
    const qsizetype at = rows.columns().indexOf(name);
    if (at >= 0)
        return at;
    return fail(QStringLiteral("data.no-column"), sentence("%1 has no column \"%2\".").arg(path, name.left(200)), {},
                didYouMean(name, rows.columns()));
}

tl::unexpected<Error> noTable(const QString &path, const Sentence &cause, const Sentence &advice) {
    return fail(QStringLiteral("data.no-table"), sentence("%1 is no table to learn from.").arg(path), cause, advice);
}

void RowLabels::addTo(QJsonObject &object) const {
    object[QStringLiteral("label")] = column;
    if (classes.isEmpty()) {
        object[QStringLiteral("mean")] = mean;
        object[QStringLiteral("deviation")] = deviation;
    } else {
        object[QStringLiteral("classes")] = QJsonArray::fromStringList(classes);
    }
}

RowLabels RowLabels::read(JsonReader &reader) {
    RowLabels labels;
    labels.column = reader.string("label");
    for (const QJsonValue name : reader.array("classes", false))
        labels.classes << name.toString();
    labels.mean = reader.number("mean", std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max(), 0);
    labels.deviation =
        reader.number("deviation", std::numeric_limits<double>::min(), std::numeric_limits<double>::max(), 1);
    return labels;
}

bool areManyNumbers(const std::set<QString> &texts) {
    return std::ranges::count_if(texts, [](const QString &text) { return numberOf(text).has_value(); }) >
           RowLabels::Limits::wholeClasses;
}

void Moments::add(double value) {
    ++m_count;
    const double from = value - m_mean;
    m_mean += from / static_cast<double>(m_count);
    m_squares += from * (value - m_mean);
}

double Moments::deviation() const {
    return m_count > 0 ? std::sqrt(m_squares / static_cast<double>(m_count)) : 0;
}

std::optional<Sentence> wrongLabel(const QString &label) {
    if (isMissing(label))
        return sentence("It has no label.");
    if (label.size() > RowLabels::Limits::letters)
        return sentence("Its label has more than %1 letters.").arg(RowLabels::Limits::letters);
    return std::nullopt;
}

std::optional<Sentence> SeenLabels::add(const QString &label, Split split, const QString &where) {
    if (auto wrong = wrongLabel(label))
        return wrong;
    if (const auto number = m_numbers.add(label, where)) {
        m_areWhole = m_areWhole && std::floor(*number) == *number;
        if (split == Split::Train)
            m_moments.add(*number);
        ++m_numberCounts[static_cast<std::size_t>(split)];
    }
    if (static_cast<qint64>(m_texts.size()) <= RowLabels::Limits::classes)
        m_texts.insert(label);
    ++m_counts[static_cast<std::size_t>(split)];
    return std::nullopt;
}

qint64 SeenLabels::testing(const Counts &counts) {
    return counts[static_cast<std::size_t>(Split::Test)] + counts[static_cast<std::size_t>(Split::Validation)];
}

Result<RowLabels> SeenLabels::found(const QString &path, const QString &column, const QString &task,
                                    const std::vector<BrokenFile> &broken) const {
    const bool areTooFew = m_counts.front() == 0 || testing(m_counts) == 0;
    const auto first = std::ranges::find(broken, BrokenFile::Fate::LeftOut, &BrokenFile::fate);
    if (areTooFew && first == broken.end()) {
        return noTable(path,
                       sentence("It has %1 {1|row|rows}, too few to set some apart for a test.")
                           .arg(m_counts.front() + testing(m_counts)),
                       moreRows());
    }
    if (areTooFew) {
        return noTable(path,
                       sentence("Of its rows %1 cannot be used; the first is %2: %3")
                           .arg(std::ranges::count(broken, BrokenFile::Fate::LeftOut, &BrokenFile::fate))
                           .arg(first->file, first->cause),
                       sentence("Correct them, or choose another column under \"Learn\", or say --label COLUMN."));
    }
    const bool isOpen = task.isEmpty();
    if (isOpen ? m_numbers.areNumbers() && (!m_areWhole || areManyNumbers(m_texts))
               : task == QLatin1String("regression"))
        return quantities(path, column);
    if (isOpen && !m_numbers.areNumbers() && m_numbers.areMostNumbers() && areManyNumbers(m_texts)) {
        return noTable(
            path,
            sentence("The column \"%1\" has numbers, and fields that are none: %2").arg(column, m_numbers.firstOther()),
            sentence("Correct such fields or leave them empty, or say whether labels are classes or a quantity: beside "
                     "\"Learn\", or with --task classification or --task regression."));
    }
    if (static_cast<qint64>(m_texts.size()) > RowLabels::Limits::classes) {
        return fail(QStringLiteral("data.too-many"), sentence("%1 is too large for one data set.").arg(path),
                    sentence("The column \"%1\" has more than %2 different labels.")
                        .arg(column)
                        .arg(RowLabels::Limits::classes),
                    otherColumn());
    }
    return RowLabels{column, classesOf(m_texts), 0, 1};
}

Result<RowLabels> SeenLabels::quantities(const QString &path, const QString &column) const {
    if (!m_numbers.areMostNumbers() || !m_numbers.areWrittenAlike()) {
        return noTable(
            path,
            sentence("The column \"%1\" has texts, which are no quantity: %2").arg(column, m_numbers.firstOther()),
            m_numbers.areMostNumbers()
                ? sentence("Correct such fields or leave them empty.")
                : sentence("Choose \"classes\" beside \"Learn\", or say --task classification."));
    }
    if (m_numberCounts.front() == 0 || testing(m_numberCounts) == 0) {
        return noTable(path,
                       sentence("The column \"%1\" has %2 {2|number|numbers}, too few to set some apart for a test.")
                           .arg(column)
                           .arg(m_numberCounts.front() + testing(m_numberCounts)),
                       moreRows());
    }
    if (m_moments.deviation() == 0)
        return noTable(path, sentence("All training rows have the same label."), otherColumn());
    return RowLabels{column, {}, m_moments.mean(), m_moments.deviation()};
}

}  // namespace hearth
