// The one error value of Hearth: what happened, why, and what a person can do about it.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QString>
#include <tl/expected.hpp>

namespace hearth {

/// A recoverable failure. `code` is a stable kebab-case identifier ("model.unknown-key") that tests and translations
/// hang on; the other three are full English sentences for a person. Plain value, any thread.
struct Error {
    QString code;
    QString what;    // what happened, naming the thing
    QString cause;   // why; may be empty where `what` says it
    QString advice;  // the next step; may be empty

    bool operator==(const Error &) const = default;
    /// One paragraph: "what cause advice".
    QString toString() const;
    QCborMap toCbor() const;
    QJsonObject toJson() const;  // the fields of the "error" event, with "code"
    /// Made for words of a peer: each is clipped, and control characters but the line end become spaces.
    static Error fromCbor(const QCborMap &map);
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(QString code, QString what, QString cause = {}, QString advice = {}) {
    return tl::unexpected<Error>(Error{std::move(code), std::move(what), std::move(cause), std::move(advice)});
}

}  // namespace hearth
