#include "core/data/row_labels.h"

#include <QJsonArray>
#include <cmath>

#include "core/base/json_reader.h"
#include "core/data/split_files.h"

namespace hearth {

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

tl::unexpected<Error> noTable(const QString &path, const Sentence &cause) {
    return fail(QStringLiteral("data.no-table"), sentence("%1 is no table to learn from.").arg(path), cause,
                sentence("Name the column to learn: hearth data add NAME PATH --label COLUMN"));
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

void Moments::add(double value) {
    ++m_count;
    const double from = value - m_mean;
    m_mean += from / static_cast<double>(m_count);
    m_squares += from * (value - m_mean);
}

double Moments::deviation() const {
    return m_count > 0 ? std::sqrt(m_squares / static_cast<double>(m_count)) : 0;
}

std::optional<Sentence> SeenLabels::add(const QString &label, Split split) {
    if (isMissing(label))
        return sentence("It has no label.");
    if (label.size() > RowLabels::Limits::letters)
        return sentence("Its label has more than %1 letters.").arg(RowLabels::Limits::letters);
    const auto number = m_areNumbers ? numberOf(label) : std::nullopt;
    m_areNumbers = number.has_value();
    m_areWhole = m_areWhole && number && std::floor(*number) == *number;
    if (number && split == Split::Train)
        m_moments.add(*number);
    if (static_cast<qint64>(m_texts.size()) <= RowLabels::Limits::classes)
        m_texts.insert(label);
    ++m_counts[static_cast<std::size_t>(split)];
    return std::nullopt;
}

Result<RowLabels> SeenLabels::found(const QString &path, const QString &column, const QString &task,
                                    const std::vector<BrokenFile> &broken) const {
    if (count(Split::Train) == 0 || count(Split::Test) + count(Split::Validation) == 0) {
        return noTable(path, broken.empty() ? sentence("It has %1 {1|row|rows}, too few to set some apart for a test.")
                                                  .arg(count(Split::Train) + count(Split::Test))
                                            : sentence("Of its rows %1 cannot be used; the first is %2: %3")
                                                  .arg(static_cast<qint64>(broken.size()))
                                                  .arg(broken.front().file, broken.front().cause));
    }
    RowLabels labels{column, {}, 0, 1};
    const bool areQuantities = task.isEmpty()
                                   ? m_areNumbers && !(m_areWhole && m_texts.size() <= RowLabels::Limits::wholeClasses)
                                   : task == QLatin1String("regression");
    if (!areQuantities) {
        if (static_cast<qint64>(m_texts.size()) > RowLabels::Limits::classes) {
            return fail(QStringLiteral("data.too-many"), sentence("%1 is too large for one data set.").arg(path),
                        sentence("The column \"%1\" has more than %2 different labels.")
                            .arg(column)
                            .arg(RowLabels::Limits::classes),
                        sentence("Name another column with --label."));
        }
        labels.classes = classesOf(m_texts);
        return labels;
    }
    if (!m_areNumbers)
        return noTable(path, sentence("The column \"%1\" has texts, which are no quantity.").arg(column));
    if (m_moments.deviation() == 0)
        return noTable(path, sentence("All training rows have the same label."));
    labels.mean = m_moments.mean();
    labels.deviation = m_moments.deviation();
    return labels;
}

}  // namespace hearth
