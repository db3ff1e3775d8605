#include "core/base/sentence_list.h"

#include <algorithm>

namespace hearth {

Sentence listed(const QList<Sentence> &sentences, const char *between) {
    constexpr qsizetype mostPlaces = 9;
    QList<Sentence> parts = sentences;
    // From behind, so that no text has more places than there are digits.
    while (parts.size() > 1) {
        const qsizetype first = std::max<qsizetype>(0, parts.size() - mostPlaces);
        QByteArray places = "%1";
        for (qsizetype place = 2; place <= parts.size() - first; ++place)
            places += between + QByteArray("%") + QByteArray::number(place);
        Sentence row = sentence(places.constData());
        for (qsizetype i = first; i < parts.size(); ++i)
            row = row.arg(parts[i]);
        parts.resize(first);
        parts << row;
    }
    return parts.isEmpty() ? Sentence() : parts.first();
}

}  // namespace hearth
