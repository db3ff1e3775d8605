#include "core/pairing/pairing_message.h"

#include <QCborMap>
#include <QCborParserError>
#include <QCborValue>
#include <array>
#include <utility>

#include "core/base/cbor.h"
#include "core/base/sentence.h"
#include "core/home/plain_name.h"
#include "core/pairing/pairing_code.h"
#include "core/wire/stranger_link.h"

namespace hearth {
namespace {

constexpr qint64 version = 1;
constexpr QLatin1String versionKey("v"), kindKey("k"), nameKey("name"), portKey("port"), commitKey("commit"),
    nonceKey("nonce"), whyKey("why");

constexpr std::array<std::pair<PairingEnd, const char *>, 9> ends{{{PairingEnd::Cancelled, "cancelled"},
                                                                   {PairingEnd::Mismatch, "mismatch"},
                                                                   {PairingEnd::Busy, "busy"},
                                                                   {PairingEnd::Later, "later"},
                                                                   {PairingEnd::Late, "late"},
                                                                   {PairingEnd::Broken, "broken"},
                                                                   {PairingEnd::NotStored, "not-stored"},
                                                                   {PairingEnd::Refused, "refused"},
                                                                   {PairingEnd::Crossed, "crossed"}}};

tl::unexpected<Error> broken(const Sentence &cause) {
    return fail(QStringLiteral("pairing.broken"), sentence("The other device does not keep to the rules of pairing."),
                cause, sentence("Install the same version of Hearth on every device."));
}

struct Encoder {
    QCborMap map;

    void kind(const char *word) { map[kindKey] = QLatin1String(word); }
    void operator()(const PairingHello &hello) {
        kind("hello");
        map[nameKey] = hello.name;
        map[portKey] = hello.port;
        if (!hello.commitment.isEmpty())
            map[commitKey] = QCborValue(hello.commitment);
    }
    void operator()(const PairingNonce &nonce) {
        kind("nonce");
        map[nonceKey] = QCborValue(nonce.nonce);
    }
    void operator()(const PairingReveal &reveal) {
        kind("reveal");
        map[nonceKey] = QCborValue(reveal.nonce);
    }
    void operator()(const PairingConfirm &) { kind("confirm"); }
    void operator()(const PairingStored &) { kind("stored"); }
    void operator()(PairingEnd end) {
        kind("end");
        for (const auto &[value, word] : ends) {
            if (value == end)
                map[whyKey] = QLatin1String(word);
        }
    }
};

/// Bytes of exactly this length, or nothing.
QByteArray bytesOf(const QCborMap &map, QLatin1String key, qsizetype length) {
    const QByteArray bytes = map[key].toByteArray();
    return bytes.size() == length ? bytes : QByteArray();
}

Result<PairingMessage> readHello(const QCborMap &map) {
    const bool commits = map.contains(commitKey);
    const qint64 port = integerOf(map[portKey], -1);
    PairingHello hello{plainName(map[nameKey].toString()), static_cast<quint16>(port),
                       bytesOf(map, commitKey, pairingCommitmentBytes)};
    if (!map[nameKey].isString() || port < 0 || port > 65535 || hello.commitment.isEmpty() == commits ||
        map.size() != (commits ? 5 : 4))
        return broken(sentence("Its introduction cannot be read."));
    return hello;
}

Result<PairingMessage> readEnd(const QCborMap &map) {
    const QString why = map[whyKey].toString();
    for (const auto &[value, word] : ends) {
        if (why == QLatin1String(word) && map.size() == 3)
            return value;
    }
    return broken(sentence("It broke off for a reason that is unknown here."));
}

}  // namespace

QByteArray encodePairingMessage(const PairingMessage &message) {
    Encoder encoder;
    encoder.map[versionKey] = version;
    std::visit(encoder, message);
    return QCborValue(encoder.map).toCbor();
}

Result<PairingMessage> decodePairingMessage(const QByteArray &bytes) {
    if (bytes.size() > StrangerLink::maximumMessage)
        return broken(sentence("A message is too long."));
    QCborParserError parse;
    const QCborValue value = QCborValue::fromCbor(bytes, &parse);
    if (parse.error != QCborError::NoError || parse.offset != bytes.size() || !value.isMap())
        return broken(sentence("A message is not exactly one CBOR map."));
    const QCborMap map = value.toMap();
    if (integerOf(map[versionKey]) != version)
        return broken(sentence("It uses another version of pairing."));
    const QString kind = map[kindKey].toString();
    const QByteArray nonce = bytesOf(map, nonceKey, pairingNonceBytes);
    if (kind == QLatin1String("hello"))
        return readHello(map);
    if (kind == QLatin1String("nonce") && map.size() == 3 && !nonce.isEmpty())
        return PairingNonce{nonce};
    if (kind == QLatin1String("reveal") && map.size() == 3 && !nonce.isEmpty())
        return PairingReveal{nonce};
    if (kind == QLatin1String("confirm") && map.size() == 2)
        return PairingConfirm{};
    if (kind == QLatin1String("stored") && map.size() == 2)
        return PairingStored{};
    if (kind == QLatin1String("end"))
        return readEnd(map);
    return broken(sentence("A message is of no known kind, or holds too much or too little."));
}

}  // namespace hearth
