// Tables of text: what was read, written again and read again, is the same.
#include <QBuffer>
#include <cstdlib>

#include "core/data/csv.h"

namespace {

using namespace hearth;

std::optional<QList<QStringList>> recordsOf(QByteArray text) {
    QBuffer buffer(&text);
    buffer.open(QIODevice::ReadOnly);
    CsvReader reader(buffer, ',', QStringLiteral("fuzz"));
    QList<QStringList> records;
    for (;;) {
        const auto record = reader.next();
        if (!record)
            return std::nullopt;
        if (!*record)
            return records;
        records << **record;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto records = recordsOf(QByteArray(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size)));
    if (!records)
        return 0;
    QByteArray again;
    for (const QStringList &record : *records) {
        for (qsizetype i = 0; i < record.size(); ++i)
            again += (i == 0 ? "\"" : ",\"") + QString(record[i]).replace(u'"', QStringLiteral("\"\"")).toUtf8() + '"';
        again += '\n';
    }
    if (recordsOf(again) != records)
        std::abort();
    return 0;
}
