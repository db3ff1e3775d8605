#include "core/data/row_dataset.h"

#include <QHash>
#include <cmath>
#include <cstring>

namespace hearth {
namespace {

template <class T>
void put(double label, std::size_t at, std::span<std::byte> out) {
    const T value = static_cast<T>(label);
    std::memcpy(out.data() + at * sizeof value, &value, sizeof value);
}

/// What a network learns of labels as they are written.
class LearntLabels {
  public:
    explicit LearntLabels(const RowLabels &labels) : m_labels(labels) {
        for (const QString &name : labels.classes)
            m_numbers[name] = static_cast<int>(m_numbers.size());
    }
    /// Or why the row cannot be used.
    tl::expected<double, Sentence> of(const QString &text) const {
        if (auto wrong = wrongLabel(text))
            return tl::unexpected(*wrong);
        if (m_labels.classes.isEmpty())
            return ofNumber(numberOf(text));
        auto known = m_numbers.constFind(text);
        if (known == m_numbers.constEnd())
            known = m_numbers.constFind(withComma(text));
        if (known == m_numbers.constEnd())
            return tl::unexpected(
                sentence("It has no label, or one that no other row had when the data were looked at."));
        return *known;
    }
    /// Where labels are quantities.
    tl::expected<double, Sentence> ofNumber(std::optional<double> number) const {
        if (!number)
            return tl::unexpected(sentence("Its label is no number."));
        return (*number - m_labels.mean) / m_labels.deviation;
    }

  private:
    const RowLabels &m_labels;
    QHash<QString, int> m_numbers;
};

}  // namespace

void RowDataset::begin(std::shared_ptr<const RowFiles> rows, const RowLabels &labels) {
    m_rows = std::move(rows);
    m_columns = m_rows->columns();
    m_fileBytes = m_rows->bytes();
    m_labelNames = labels.classes;
    m_classes = static_cast<int>(labels.classes.size());
    m_label = {labels.classes.isEmpty() ? DType::Float32 : DType::Int64, {}, false};
}

Result<void> RowDataset::find(std::shared_ptr<const RowFiles> rows, const QString &path, const RowLabels &labels,
                              const CheckProgress &progress) {
    begin(std::move(rows), labels);
    const auto column = columnNamed(*m_rows, path, labels.column);
    if (!column)
        return tl::unexpected(column.error());
    const LearntLabels learnt(labels);
    const auto entries = std::make_shared<Entries>();
    BrokenRows broken;
    const auto take = [&](const Row &row) -> std::optional<Sentence> {
        const auto label = learnt.of(row.fields[*column]);
        if (!label)
            return label.error();
        (*entries)[static_cast<std::size_t>(row.split)].push_back({row.place, *label});
        return std::nullopt;
    };
    if (auto read = m_rows->each(take, broken, progress); !read)
        return read;
    return end(entries, broken);
}

Result<void> RowDataset::takeSeen(SeenRows seen, const RowLabels &labels) {
    begin(seen.files(), labels);
    BrokenRows broken = seen.broken();
    const LearntLabels learnt(labels);
    std::vector<tl::expected<double, Sentence>> known;
    for (const QString &text : seen.texts())
        known.push_back(learnt.of(text));
    const auto entries = std::make_shared<Entries>();
    for (const Split split : allSplits)
        (*entries)[static_cast<std::size_t>(split)].reserve(static_cast<std::size_t>(seen.count(split)));
    while (!seen.isEmpty()) {
        const SeenRows::Each row = seen.takeFirst();
        const auto labelBehind = [&] {
            const double number = seen.numbers()[row.label - known.size()];
            return learnt.ofNumber(std::isnan(number) ? std::nullopt : std::optional(number));
        };
        if (const auto label = row.label < known.size() ? known[row.label] : labelBehind())
            (*entries)[static_cast<std::size_t>(row.split)].push_back({row.place, *label});
        else
            broken.add(row.place, m_rows->nameOf(row.place.file, row.line), label.error());
    }
    return end(entries, broken);
}

Result<void> RowDataset::end(std::shared_ptr<Entries> entries, const BrokenRows &broken) {
    const std::vector<BrokenFile> all = m_rows->allBroken(broken);
    m_broken.insert(m_broken.end(), all.begin(), all.end());
    auto &test = (*entries)[static_cast<std::size_t>(Split::Test)];
    if (test.empty())
        test = (*entries)[static_cast<std::size_t>(Split::Validation)];
    m_entries = std::move(entries);
    if (count(Split::Test) > 0 && count(Split::Train) > 0)
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
