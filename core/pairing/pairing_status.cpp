#include "core/pairing/pairing_status.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/cbor.h"
#include "core/home/plain_name.h"

namespace hearth {
namespace {

constexpr std::array<std::pair<PairingPhase, const char *>, 8> words{{{PairingPhase::None, "none"},
                                                                      {PairingPhase::WantsToPair, "wants-to-pair"},
                                                                      {PairingPhase::Connecting, "connecting"},
                                                                      {PairingPhase::Asking, "asking"},
                                                                      {PairingPhase::Compare, "compare"},
                                                                      {PairingPhase::WaitingForOther, "waiting"},
                                                                      {PairingPhase::Paired, "paired"},
                                                                      {PairingPhase::Failed, "failed"}}};

QString line(const QCborMap &map, const char *key) {
    const QString told = map[QLatin1String(key)].toString();
    return told.isEmpty() ? told : plainName(told);
}

}  // namespace

QString toWord(PairingPhase phase) {
    const auto *at = std::ranges::find(words, phase, [](const auto &each) { return each.first; });
    return QLatin1String(at == words.end() ? "none" : at->second);
}

QCborMap PairingStatus::toCbor() const {
    QCborMap map{{QStringLiteral("pairing"), toWord(phase)},
                 {QStringLiteral("incoming"), incoming},
                 {QStringLiteral("name"), name},
                 {QStringLiteral("fingerprint"), fingerprint},
                 {QStringLiteral("address"), address},
                 {QStringLiteral("code"), code},
                 {QStringLiteral("seconds_left"), secondsLeft}};
    if (error)
        map[QStringLiteral("error")] = error->toCbor();
    return map;
}

QJsonObject PairingStatus::toJson() const {
    QJsonObject json = toCbor().toJsonObject();
    for (const char *key : {"name", "fingerprint", "address", "code"}) {
        if (json[QLatin1String(key)].toString().isEmpty())
            json.remove(QLatin1String(key));
    }
    if (secondsLeft == 0)
        json.remove(QStringLiteral("seconds_left"));
    return json;
}

PairingStatus PairingStatus::fromCbor(const QCborMap &map) {
    PairingStatus status;
    const QString word = map[QStringLiteral("pairing")].toString();
    for (const auto &[phase, name] : words) {
        if (word == QLatin1String(name))
            status.phase = phase;
    }
    status.incoming = map[QStringLiteral("incoming")].toBool();
    status.name = line(map, "name");
    status.fingerprint = map[QStringLiteral("fingerprint")].toString().left(64);
    status.address = map[QStringLiteral("address")].toString().left(256);
    status.code = map[QStringLiteral("code")].toString().left(6);
    status.secondsLeft = static_cast<int>(std::clamp<qint64>(integerOf(map[QStringLiteral("seconds_left")]), 0, 3600));
    if (map.contains(QStringLiteral("error")))
        status.error = Error::fromCbor(map[QStringLiteral("error")].toMap());
    return status;
}

}  // namespace hearth
