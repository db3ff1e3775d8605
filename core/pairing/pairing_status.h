// What a person sees of a pairing: a value for window, terminal and JSON.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QMetaType>
#include <QString>
#include <optional>

#include "core/base/error.h"

namespace hearth {

enum class PairingPhase {
    None,
    WantsToPair,      // a stranger waits for a person here
    Connecting,       // to the device that a person here has named
    Asking,           // a person there has to accept
    Compare,          // both ends show the digits
    WaitingForOther,  // confirmed here, not there yet
    Paired,
    Failed,
};
QString toWord(PairingPhase phase);  // "none", "wants-to-pair", "connecting", "asking", "compare", "waiting", …

/// Plain value. `code` is for the two people alone: it is never logged, and empty but in Compare and WaitingForOther.
struct PairingStatus {
    PairingPhase phase = PairingPhase::None;
    bool incoming = false;  // the other device has begun
    QString name;           // as plainName() leaves what the other end says; until it has, the address
    QString fingerprint;    // 64 digits, once the other end has proved its key
    QString address;        // "host:port" or host
    QString code;           // six digits
    int secondsLeft = 0;    // as of this word; 0 once it is over
    std::optional<Error> error;

    bool operator==(const PairingStatus &) const = default;
    bool isOver() const {
        return phase == PairingPhase::None || phase == PairingPhase::Paired || phase == PairingPhase::Failed;
    }
    QCborMap toCbor() const;
    QJsonObject toJson() const;  // {"pairing": word, …} without what is empty
    /// Bounds every field.
    static PairingStatus fromCbor(const QCborMap &map);
};

}  // namespace hearth

Q_DECLARE_METATYPE(hearth::PairingStatus)
