// Internal to core/data: what one reading of all rows leaves for a set of them.
#pragma once

#include <QHash>
#include <deque>

#include "core/data/row_files.h"

namespace hearth {

/// Rows that can be used, in order, before anybody knows what their labels are: so many numbers or classes have to be
/// counted first. 32 bytes a row, and as many labels as there can be classes; of further ones, 8 bytes a row. One
/// thread.
class SeenRows {
  public:
    struct Each {
        RowPlace place;
        qint64 line = 0;
        quint32 label = 0;  // below texts().size() one of these, else one of numbers() behind them
        Split split = Split::Train;
    };

    /// `label` is as it is written.
    void add(const Row &row, const QString &label);
    /// Those of `files`, with the ones that cannot be used.
    void end(std::shared_ptr<const RowFiles> files, BrokenRows broken);

    const std::shared_ptr<const RowFiles> &files() const { return m_files; }
    const BrokenRows &broken() const { return m_broken; }
    const std::vector<QString> &texts() const { return m_texts; }
    /// NaN: it is none.
    const std::vector<double> &numbers() const { return m_numbers; }
    qint64 count(Split split) const { return m_counts[static_cast<std::size_t>(split)]; }
    /// The first row that is left; the caller asks that there is one.
    Each takeFirst();
    bool isEmpty() const { return m_rows.empty(); }

  private:
    std::shared_ptr<const RowFiles> m_files;
    BrokenRows m_broken;
    std::deque<Each> m_rows;  // its memory goes as they are taken
    std::array<qint64, allSplits.size()> m_counts{};
    QHash<QString, quint32> m_labels;
    std::vector<QString> m_texts;
    std::vector<double> m_numbers;
};

}  // namespace hearth
