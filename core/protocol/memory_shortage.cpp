#include "core/protocol/memory_shortage.h"

#include "core/base/cbor.h"
#include "core/profile/profile_limits.h"

namespace hearth {

QCborMap MemoryShortage::toCbor() const {
    return {{QStringLiteral("needed_bytes"), neededBytes}, {QStringLiteral("available_bytes"), availableBytes}};
}

std::optional<MemoryShortage> MemoryShortage::fromCbor(const QCborMap &map) {
    const MemoryShortage shortage{integerOf(map[QStringLiteral("needed_bytes")], -1),
                                  integerOf(map[QStringLiteral("available_bytes")], -1)};
    if (shortage.availableBytes <= 0 || shortage.neededBytes <= shortage.availableBytes ||
        shortage.neededBytes > ProfileLimits::bytes)
        return std::nullopt;
    return shortage;
}

}  // namespace hearth
