// Tables for other programs.
#pragma once

#include <QByteArrayList>

class QIODevice;

namespace hearth {

/// RFC 4180: commas, lines that end in CR LF, fields with commas, quotes or line ends in quotes. Single thread.
class CsvFile {
  public:
    /// `device` is open for writing and outlives this.
    explicit CsvFile(QIODevice &device) : m_device(device) {}
    /// One line. False where the device takes no more.
    bool write(const QByteArrayList &fields);
    /// With a dot, and as many digits as it takes to read the same number back; what was not measured is empty.
    static QByteArray number(double value);

  private:
    QIODevice &m_device;
};

}  // namespace hearth
