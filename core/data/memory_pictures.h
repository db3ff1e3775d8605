// Internal to core/data: pictures of one size, all in memory.
#pragma once

#include <QByteArray>
#include <array>

#include "core/data/dataset.h"

namespace hearth {

/// Samples are uint8 {channels, height, width}, labels int64 class numbers from 0 to classes()-1.
class MemoryPictures : public Dataset {
  public:
    struct Part {
        QByteArray pictures;  // one after the other
        QByteArray labels;    // a byte each
    };
    /// By Split; the caller has checked that sizes and labels fit.
    using Parts = std::array<Part, allSplits.size()>;
    MemoryPictures(const QString &name, const QString &kind, const QStringList &classes,
                   const std::vector<qint64> &shape, Parts parts, qint64 fileBytes);

    qint64 count(Split split) const override;
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override;
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override;

  private:
    const Part &of(Split split) const { return m_splits[static_cast<std::size_t>(split)]; }

    Parts m_splits;
};

}  // namespace hearth
