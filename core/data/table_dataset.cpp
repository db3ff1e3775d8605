// Rows of numbers and categories, as a network takes them.
#include <cstring>

#include "core/data/row_dataset.h"
#include "core/data/table_columns.h"

namespace hearth {
namespace {

class TableCoder final : public RowCoder {
  public:
    explicit TableCoder(const TableFacts &facts) : m_columns(facts.columns), m_width(facts.width()) {
        m_parts = {{QStringLiteral("features"), {DType::Float32, {static_cast<qint64>(m_width)}, false}, {}}};
    }
    void encode(const QStringList &fields, std::size_t, std::span<std::byte> out) const override {
        std::vector<float> row(m_width);
        std::span<float> rest(row);
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            m_columns[c].encode(fields[static_cast<qsizetype>(c)], rest.first(m_columns[c].width()));
            rest = rest.subspan(m_columns[c].width());
        }
        std::memcpy(out.data(), row.data(), row.size() * sizeof(float));
    }

  private:
    const std::vector<TableColumn> m_columns;
    const std::size_t m_width;
};

class TableDataset : public RowDataset {
  public:
    static Result<std::shared_ptr<const Dataset>> load(const QString &name, const TableFacts &facts,
                                                       const CheckProgress &progress) {
        QStringList known{facts.labels.column};
        for (const TableColumn &column : facts.columns)
            known << column.name;
        auto rows = RowFiles::open(facts.path, known, progress);
        if (!rows)
            return tl::unexpected(rows.error());
        auto set = std::make_shared<TableDataset>();
        if (auto described = set->describe(name, facts, **rows); !described)
            return tl::unexpected(described.error());
        if (auto found = set->find(std::move(*rows), facts.path, facts.labels, progress); !found)
            return tl::unexpected(found.error());
        return set;
    }
    /// Of rows that were read already.
    static Result<std::shared_ptr<const Dataset>> of(const QString &name, const TableFacts &facts, SeenRows seen) {
        auto set = std::make_shared<TableDataset>();
        if (auto described = set->describe(name, facts, *seen.files()); !described)
            return tl::unexpected(described.error());
        if (auto taken = set->takeSeen(std::move(seen), facts.labels); !taken)
            return tl::unexpected(taken.error());
        return set;
    }

    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        const auto bytes = static_cast<std::size_t>(sample().bytes());
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const auto fields = readFields(split, indices[i]);
            if (!fields)
                return tl::unexpected(fields.error());
            QStringList used;
            for (const qsizetype place : m_places)
                used << (*fields)[place];
            m_coder->encode(used, part, out.subspan(i * bytes, bytes));
        }
        return {};
    }

  private:
    Result<void> describe(const QString &name, const TableFacts &facts, const RowFiles &rows) {
        m_name = name;
        m_kind = QStringLiteral("table");
        m_broken = facts.left;
        m_preparation = facts.toJson(name);
        for (const TableColumn &column : facts.columns) {
            const auto at = columnNamed(rows, facts.path, column.name);
            if (!at)
                return tl::unexpected(at.error());
            m_places.push_back(*at);
        }
        m_coder = coderOf(facts);
        m_parts = m_coder->parts();
        return {};
    }

    std::shared_ptr<const RowCoder> m_coder;
    std::vector<qsizetype> m_places;  // of the columns, among the fields
};

}  // namespace

std::shared_ptr<const RowCoder> coderOf(const TableFacts &facts) {
    return std::make_shared<TableCoder>(facts);
}

Result<std::shared_ptr<const Dataset>> tableOf(const QString &name, const TableFacts &facts,
                                               const CheckProgress &progress) {
    return TableDataset::load(name, facts, progress);
}

Result<std::shared_ptr<const Dataset>> readTable(const QString &name, const QString &path, const DataChoice &choice,
                                                 const CheckProgress &progress) {
    SeenRows seen;
    return findTable(path, choice, progress, &seen).and_then([&](const TableFacts &facts) {
        return TableDataset::of(name, facts, std::move(seen));
    });
}

}  // namespace hearth
