// The one error value of Hearth: what happened, why, and what a person can do about it.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QString>
#include <tl/expected.hpp>

#include "core/base/sentence.h"

namespace hearth {

/// A recoverable failure. `code` is a stable kebab-case identifier ("model.unknown-key") that tests and translations
/// hang on; the other three are for a person, each of one or more sentences. Plain value, any thread.
struct Error {
    QString code;
    Sentence what;    // what happened, naming the thing
    Sentence cause;   // why; may be empty where `what` says it
    Sentence advice;  // the next step; may be empty

    bool operator==(const Error &) const = default;
    /// One paragraph: "what cause advice".
    Sentence toSentence() const { return Sentence::joined({what, cause, advice}); }
    /// The same in English.
    QString toString() const { return toSentence().english(); }
    QCborMap toCbor() const;
    QJsonObject toJson() const;  // the fields of the "error" event, with "code"
    /// Made for words of a peer, as sentenceAt() is.
    static Error fromCbor(const QCborMap &map);
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(QString code, Sentence what, Sentence cause = {}, Sentence advice = {}) {
    return tl::unexpected<Error>(Error{std::move(code), std::move(what), std::move(cause), std::move(advice)});
}

}  // namespace hearth
