// How fast a device writes and reads what crosses a cut under a codec.
#pragma once

#include <QJsonObject>
#include <QMap>
#include <QString>

#include "core/base/codec.h"

namespace hearth {

/// What one thread takes, as it was measured. Plain value, any thread.
struct CodecRates {
    /// By the codec's name. That of no codec: where a card computes, the way between its memory and the host's, which
    /// what other codecs write takes, too.
    QMap<QString, CodecSeconds> measured;

    /// The codec's usual ones where the device has not measured it; the way to the host and back included.
    CodecSeconds of(const Codec &codec) const;

    bool operator==(const CodecRates &) const = default;
    /// {"bfp8": {"encode_s": …, "decode_s": …}}, seconds per byte of the tensor.
    QJsonObject toJson() const;
    /// Codecs that this version does not know are kept.
    static Result<CodecRates> fromJson(const QJsonObject &object, const QString &source, const QString &path);
};

/// Encodes and decodes a few MiB by every codec there is, on this thread: some tens of milliseconds.
CodecRates measureCodecs();

}  // namespace hearth
