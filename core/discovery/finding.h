// One answer to "Why can't I see my device?".
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QList>
#include <QMetaType>
#include <QString>

#include "core/base/sentence.h"

namespace hearth {

enum class Verdict {
    Pending,  // being looked at
    Ok,
    Warn,     // may be the reason
    Bad,      // is in the way
    Unknown,  // could not be found out
};
QString toWord(Verdict verdict);  // "pending", "ok", "warn", "bad", "unknown"

/// What was looked at, what was found, and what helps: full sentences for a person. Plain value.
struct Finding {
    QString id;  // stable: "avahi", "reach:0123456789abcdef"; a later finding with the same id replaces the former
    Sentence subject;  // "Avahi daemon"
    Verdict verdict = Verdict::Pending;
    Sentence finding;
    Sentence cure;    // empty where nothing is to be done
    QString command;  // that does it, for a terminal; may be empty

    bool operator==(const Finding &) const = default;
    QCborMap toCbor() const;
    QJsonObject toJson() const;
    static Finding fromCbor(const QCborMap &map);
};

}  // namespace hearth

Q_DECLARE_METATYPE(hearth::Finding)
