#include "core/run/data_source.h"

namespace hearth {

DataSource DataSource::of(const QString &word) {
    const qsizetype mark = word.lastIndexOf(QLatin1Char('@'));
    const bool isElsewhere = mark > 0 && mark + 1 < word.size() && !word.contains(QLatin1Char('/'));
    return isElsewhere ? DataSource{word.left(mark), word.mid(mark + 1)} : DataSource{word, {}};
}

std::vector<DataSource> DataSource::of(const QStringList &data) {
    if (data.size() == 1)
        return {{data.front(), {}}};
    std::vector<DataSource> sources;
    for (const QString &word : data)
        sources.push_back(of(word));
    return sources;
}

}  // namespace hearth
