// Rows of CSV, TSV and JSON Lines: what is found is read again, and the same; a set of them has the columns that were
// found.
#include <QFile>
#include <cstdlib>

#include "core/data/table_columns.h"
#include "fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    static const QTemporaryDir folder(fuzzFolderTemplate());
    // The first byte says which kind of file it is.
    static const char *const names[] = {"rows.csv", "rows.tsv", "rows.jsonl"};
    if (size == 0)
        return 0;
    const QString path = folder.filePath(QLatin1String(names[data[0] % 3]));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return 0;
    file.write(reinterpret_cast<const char *>(data) + 1, static_cast<qint64>(size) - 1);
    file.close();
    const auto rows = RowFiles::open(path);
    if (!rows)
        return 0;
    BrokenRows broken;
    const auto take = [&](const Row &row) -> std::optional<Sentence> {
        const auto again = (*rows)->read(row.place);
        if (!again || *again != row.fields || row.fields.size() != (*rows)->columns().size())
            std::abort();
        return std::nullopt;
    };
    if (!(*rows)->each(take, broken))
        return 0;
    const auto facts = findTable(path, {});
    const auto set = facts ? tableOf(QStringLiteral("fuzz"), *facts) : tl::unexpected(facts.error());
    if (set && (*set)->columns() != (*rows)->columns())
        std::abort();
    return 0;
}
