#include "core/protocol/transfer_progress.h"

#include <algorithm>

#include "core/base/cbor.h"
#include "core/profile/profile_limits.h"

namespace hearth {

QCborMap TransferProgress::toCbor() const {
    QCborMap peers;
    for (auto each = waiting.cbegin(); each != waiting.cend(); ++each)
        peers[each.key()] = each.value();
    return {{QStringLiteral("moved_bytes"), movedBytes}, {QStringLiteral("waiting"), peers}};
}

TransferProgress TransferProgress::fromCbor(const QCborMap &map) {
    const auto amount = [](const QCborValue &value) {
        return std::clamp<qint64>(integerOf(value), 0, ProfileLimits::bytes);
    };
    TransferProgress progress;
    progress.movedBytes = amount(map[QStringLiteral("moved_bytes")]);
    for (const auto &[peer, bytes] : map[QStringLiteral("waiting")].toMap()) {
        if (progress.waiting.size() < ProfileLimits::devices && amount(bytes) > 0)
            progress.waiting[peer.toString().left(ProfileLimits::idLength)] = amount(bytes);
    }
    return progress;
}

}  // namespace hearth
