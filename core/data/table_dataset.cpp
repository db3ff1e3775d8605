// Rows of numbers and categories, as a network takes them.
#include <cstring>

#include "core/data/row_dataset.h"
#include "core/data/table_columns.h"

namespace hearth {
namespace {

class TableDataset : public RowDataset {
  public:
    static Result<std::shared_ptr<const Dataset>> load(const QString &name, const TableFacts &facts) {
        auto rows = RowFiles::open(facts.path);
        if (!rows)
            return tl::unexpected(rows.error());
        auto set = std::make_shared<TableDataset>();
        set->m_name = name;
        set->m_kind = QStringLiteral("table");
        set->m_broken = facts.left;
        set->m_facts = facts;
        for (const TableColumn &column : facts.columns) {
            const auto at = columnNamed(**rows, facts.path, column.name);
            if (!at)
                return tl::unexpected(at.error());
            set->m_places.push_back(*at);
        }
        const auto width = static_cast<qint64>(facts.width());
        set->m_parts = {{QStringLiteral("features"), {DType::Float32, {width}, false}, {}}};
        if (auto found = set->find(std::move(*rows), facts.path, facts.labels); !found)
            return tl::unexpected(found.error());
        return set;
    }

    Result<void> readSamples(Split split, std::size_t, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        std::vector<float> row(m_facts.width());
        const std::size_t bytes = row.size() * sizeof(float);
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const auto fields = readFields(split, indices[i]);
            if (!fields)
                return tl::unexpected(fields.error());
            std::size_t at = 0;
            for (std::size_t c = 0; c < m_places.size(); ++c) {
                const TableColumn &column = m_facts.columns[c];
                column.encode((*fields)[m_places[c]], std::span(row).subspan(at, column.width()));
                at += column.width();
            }
            std::memcpy(out.data() + i * bytes, row.data(), bytes);
        }
        return {};
    }

  private:
    TableFacts m_facts;
    std::vector<qsizetype> m_places;  // of the columns, among the fields
};

}  // namespace

Result<std::shared_ptr<const Dataset>> tableOf(const QString &name, const TableFacts &facts) {
    return TableDataset::load(name, facts);
}

}  // namespace hearth
