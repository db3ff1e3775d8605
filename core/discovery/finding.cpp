#include "core/discovery/finding.h"

#include <algorithm>
#include <array>

namespace hearth {
namespace {

constexpr qsizetype longestText = 4096;

const QLatin1String subjectKey("subject"), findingKey("finding"), cureKey("cure");

QString text(const QCborMap &map, const char *key) {
    return map[QLatin1String(key)].toString().left(longestText);
}

}  // namespace

QString toWord(Verdict verdict) {
    switch (verdict) {
        case Verdict::Pending:
            return QStringLiteral("pending");
        case Verdict::Ok:
            return QStringLiteral("ok");
        case Verdict::Warn:
            return QStringLiteral("warn");
        case Verdict::Bad:
            return QStringLiteral("bad");
        case Verdict::Unknown:
            break;
    }
    return QStringLiteral("unknown");
}

QCborMap Finding::toCbor() const {
    QCborMap map;
    map[QStringLiteral("id")] = id;
    insertSentence(map, subjectKey, subject);
    map[QStringLiteral("verdict")] = toWord(verdict);
    insertSentence(map, findingKey, finding);
    insertSentence(map, cureKey, cure);
    map[QStringLiteral("command")] = command;
    return map;
}

QJsonObject Finding::toJson() const {
    QJsonObject json = toCbor().toJsonObject();
    for (const QString &key : {QStringLiteral("cure"), QStringLiteral("command")}) {
        if (json[key].toString().isEmpty())
            json.remove(key);
    }
    return json;
}

Finding Finding::fromCbor(const QCborMap &map) {
    constexpr std::array verdicts{Verdict::Pending, Verdict::Ok, Verdict::Warn, Verdict::Bad};
    Finding finding;
    finding.id = text(map, "id");
    finding.subject = sentenceAt(map, subjectKey);
    const QString word = text(map, "verdict");
    const auto verdict =
        std::find_if(verdicts.begin(), verdicts.end(), [&](Verdict each) { return toWord(each) == word; });
    finding.verdict = verdict == verdicts.end() ? Verdict::Unknown : *verdict;
    finding.finding = sentenceAt(map, findingKey);
    finding.cure = sentenceAt(map, cureKey);
    finding.command = text(map, "command");
    return finding;
}

}  // namespace hearth
