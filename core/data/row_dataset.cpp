#include "core/data/row_dataset.h"

#include <QHash>
#include <cstring>

namespace hearth {
namespace {

template <class T>
void put(double label, std::size_t at, std::span<std::byte> out) {
    const T value = static_cast<T>(label);
    std::memcpy(out.data() + at * sizeof value, &value, sizeof value);
}

}  // namespace

Result<void> RowDataset::find(std::shared_ptr<const RowFiles> rows, const QString &path, const RowLabels &labels,
                              const CheckProgress &progress) {
    m_rows = std::move(rows);
    const auto column = columnNamed(*m_rows, path, labels.column);
    if (!column)
        return tl::unexpected(column.error());
    m_columns = m_rows->columns();
    m_fileBytes = m_rows->bytes();
    m_labelNames = labels.classes;
    m_classes = static_cast<int>(labels.classes.size());
    m_label = {labels.classes.isEmpty() ? DType::Float32 : DType::Int64, {}, false};
    QHash<QString, int> numbers;
    for (const QString &name : labels.classes)
        numbers[name] = static_cast<int>(numbers.size());
    const auto entries = std::make_shared<Entries>();
    const auto take = [&](const Row &row) -> std::optional<Sentence> {
        const QString &text = row.fields[*column];
        Entry entry{row.place};
        if (labels.classes.isEmpty()) {
            const auto number = numberOf(text);
            if (!number)
                return sentence("Its label is no number.");
            entry.label = (*number - labels.mean) / labels.deviation;
        } else {
            auto known = numbers.constFind(text);
            if (known == numbers.constEnd())
                known = numbers.constFind(withComma(text));
            if (known == numbers.constEnd())
                return sentence("It has no label, or one that no other row had when the data were looked at.");
            entry.label = *known;
        }
        (*entries)[static_cast<std::size_t>(row.split)].push_back(entry);
        return std::nullopt;
    };
    if (auto read = m_rows->each(take, m_broken, progress); !read)
        return read;
    auto &test = (*entries)[static_cast<std::size_t>(Split::Test)];
    if (test.empty())
        test = (*entries)[static_cast<std::size_t>(Split::Validation)];
    m_entries = entries;
    if (!test.empty() && count(Split::Train) > 0)
        return {};
    return fail(QStringLiteral("data.empty"), sentence("The data %1 are not what they were.").arg(m_name),
                sentence("There {1|is|are} %1 {1|row|rows} to train with and %2 to test.")
                    .arg(count(Split::Train))
                    .arg(count(Split::Test)),
                sentence("Have them looked at again: hearth data check \"%1\"").arg(m_name));
}

Result<void> RowDataset::readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const {
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const double label = of(split)[static_cast<std::size_t>(indices[i])].label;
        m_label.dtype == DType::Int64 ? put<qint64>(label, i, out) : put<float>(label, i, out);
    }
    return {};
}

}  // namespace hearth
