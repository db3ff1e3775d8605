#include "core/history/csv_file.h"

#include <QIODevice>
#include <QLocale>
#include <cmath>

namespace hearth {
namespace {

QByteArray quoted(QByteArray field) {
    if (!field.contains(',') && !field.contains('"') && !field.contains('\n') && !field.contains('\r'))
        return field;
    return '"' + field.replace('"', "\"\"") + '"';
}

}  // namespace

QByteArray CsvFile::number(double value) {
    return std::isfinite(value) ? QByteArray::number(value, 'g', QLocale::FloatingPointShortest) : QByteArray();
}

bool CsvFile::write(const QByteArrayList &fields) {
    QByteArray line;
    for (const QByteArray &field : fields)
        line += quoted(field) + ',';
    line.chop(1);
    line += "\r\n";
    return m_device.write(line) == line.size();
}

}  // namespace hearth
