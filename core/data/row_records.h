// Internal to core/data: records of one file of rows.
#pragma once

#include "core/data/row_files.h"

namespace hearth {

/// One after the other, whatever the file's format. `of` and `device` outlive it. One thread.
class RowFiles::Reader {
  public:
    Reader(const OneFile &of, QIODevice &device, CsvBegin begin = CsvBegin::OfFile) : m_of(of), m_device(device) {
        if (!of.isJson)
            m_csv.emplace(device, of.separator, of.file.path(), of.quotes, begin);
    }
    /// Nothing at the end. Error "data.malformed". Where a JSON file's columns are not known yet, the first object's.
    Result<std::optional<QStringList>> next();
    RowPlace place(std::size_t file) const {
        return {m_offset, static_cast<quint32>(m_end - m_offset), static_cast<quint32>(file)};
    }
    qint64 line() const { return m_line; }

  private:
    const OneFile &m_of;
    QIODevice &m_device;
    std::optional<CsvReader> m_csv;
    qint64 m_offset = 0, m_end = 0, m_line = 0;
};

}  // namespace hearth
