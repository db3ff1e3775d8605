#include "core/plan/held_states.h"

#include "core/base/cbor.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

/// A worker keeps a handful of versions; what it holds of each may lie in as many pieces as there are layers.
constexpr qsizetype mostRanges = 16 * ProfileLimits::layers;

}  // namespace

QCborArray heldStatesToCbor(const std::vector<HeldState> &states) {
    QCborArray array;
    for (const HeldState &state : states)
        array.append(QCborArray{static_cast<qint64>(state.version), state.firstLayer, state.lastLayer});
    return array;
}

Result<std::vector<HeldState>> heldStatesFromCbor(const QCborArray &array) {
    const auto bad = [] {
        return fail(QStringLiteral("run.bad-states"), sentence("A worker tells nonsense about what it holds."),
                    sentence("Its list of states is too long or has impossible layers."),
                    sentence("Install the same version of Hearth on every device."));
    };
    if (array.size() > mostRanges)
        return bad();
    std::vector<HeldState> states;
    for (const QCborValue &value : array) {
        const QCborArray row = value.toArray();
        const qint64 version = integerOf(row.at(0), -1), first = integerOf(row.at(1), -1), last = integerOf(row.at(2));
        if (version < 0 || version > 0xffffffffLL || first < 0 || last <= first || last > ProfileLimits::layers)
            return bad();
        states.push_back({static_cast<quint64>(version), static_cast<int>(first), static_cast<int>(last)});
    }
    return states;
}

}  // namespace hearth
