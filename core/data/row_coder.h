// What a network sees of a row.
#pragma once

#include <QStringList>
#include <span>
#include <vector>

#include "core/data/dataset.h"

namespace hearth {

/// Makes a sample of the fields of a row, the same whenever and wherever it is asked. Constant; any thread.
class RowCoder {
  public:
    virtual ~RowCoder() = default;
    const std::vector<DataPart> &parts() const { return m_parts; }
    /// `fields` are those of the columns that count, in their order; `out` has the bytes of this part.
    virtual void encode(const QStringList &fields, std::size_t part, std::span<std::byte> out) const = 0;

  protected:
    std::vector<DataPart> m_parts;
};

}  // namespace hearth
