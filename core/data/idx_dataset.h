// Internal to core/data: a data set made of four IDX files, which it holds in memory.
#pragma once

#include <array>

#include "core/data/dataset.h"
#include "core/data/idx.h"

namespace hearth {

struct IdxFiles {
    QString images;
    QString labels;
};

struct IdxDescription {
    QString name;
    QStringList labelNames;
    IdxFiles train;
    IdxFiles test;
    QString package;  // the Debian package that brings the files; empty for one's own
};

/// Samples are uint8 {channels, height, width}, labels int64 class numbers from 0 to classes()-1.
class IdxDataset : public Dataset {
  public:
    static Result<std::shared_ptr<const Dataset>> load(const IdxDescription &description);

    qint64 count(Split split) const override;
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override;
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override;

  private:
    struct Half {
        QByteArray images;
        QByteArray labels;
    };
    const Half &half(Split split) const { return m_halves[split == Split::Test ? 1 : 0]; }

    std::array<Half, 2> m_halves;
};

}  // namespace hearth
