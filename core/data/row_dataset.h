// Internal to core/data: samples that are rows of files.
#pragma once

#include <array>

#include "core/data/check_progress.h"
#include "core/data/row_labels.h"
#include "core/data/seen_rows.h"

namespace hearth {

/// Knows where each row stands and what its label is; reads the rest whenever a sample is asked for. 24 bytes a row.
class RowDataset : public Dataset {
  public:
    bool isDecoded() const override { return true; }
    bool hasChanged() const override { return m_rows->hasChanged(); }
    qint64 count(Split split) const override { return static_cast<qint64>(of(split).size()); }
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override;
    Result<QStringList> readFields(Split split, qint64 index) const override {
        return m_rows->read(of(split)[static_cast<std::size_t>(index)].place);
    }

  protected:
    /// Finds all rows, for as long as `progress` wants them; a label is the number of its class, or standardised. A
    /// validation set without a test set is both.
    Result<void> find(std::shared_ptr<const RowFiles> rows, const QString &path, const RowLabels &labels,
                      const CheckProgress &progress);
    /// The same of rows that were read already.
    Result<void> takeSeen(SeenRows seen, const RowLabels &labels);

  private:
    struct Entry {
        RowPlace place;
        double label = 0;
    };
    using Entries = std::array<std::vector<Entry>, allSplits.size()>;
    const std::vector<Entry> &of(Split split) const { return (*m_entries)[static_cast<std::size_t>(split)]; }
    void begin(std::shared_ptr<const RowFiles> rows, const RowLabels &labels);
    Result<void> end(std::shared_ptr<Entries> entries, const BrokenRows &broken);

    std::shared_ptr<const RowFiles> m_rows;
    std::shared_ptr<const Entries> m_entries = std::make_shared<const Entries>();
};

}  // namespace hearth
