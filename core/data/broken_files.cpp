#include "core/data/broken_files.h"

#include <QCborMap>
#include <QJsonObject>

#include "core/base/json_reader.h"

namespace hearth {

QJsonArray brokenToJson(const std::vector<BrokenFile> &broken) {
    QJsonArray left;
    for (const BrokenFile &file : broken) {
        QCborMap each{{QStringLiteral("file"), file.file}};
        insertSentence(each, QLatin1String("cause"), file.cause);
        if (file.fate == BrokenFile::Fate::Doubtful)
            each.insert(QStringLiteral("doubtful"), true);
        left << each.toJsonObject();
    }
    return left;
}

std::vector<BrokenFile> readBroken(JsonReader &reader) {
    std::vector<BrokenFile> found;
    const QJsonArray broken = reader.array("broken", false);
    for (qsizetype i = 0; i < broken.size(); ++i) {
        JsonReader each(broken[i], reader.source(), jsonPointer(reader.pathOf(QStringLiteral("broken")), i));
        each.string("cause");
        each.object("sentences", false);
        const auto fate = each.boolean("doubtful", false) ? BrokenFile::Fate::Doubtful : BrokenFile::Fate::LeftOut;
        found.push_back({each.string("file"),
                         sentenceAt(QCborMap::fromJsonObject(broken[i].toObject()), QLatin1String("cause")), fate});
        if (auto finished = each.finish(); !finished)
            reader.reject(QStringLiteral("broken"), finished.error().cause);
    }
    return found;
}

}  // namespace hearth
