#include "core/profile/unit_seconds.h"

#include <cmath>

#include "core/base/cbor.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

std::optional<UnitSeconds> unitOf(const QCborArray &row, int layers) {
    if (row.size() != 5)
        return std::nullopt;
    const qint64 layer = integerOf(row[0]), samples = integerOf(row[1]);
    UnitSeconds unit{static_cast<int>(layer), static_cast<int>(samples), row[2].toDouble(-1), row[3].toDouble(-1),
                     row[4].toDouble(-1)};
    const auto isTime = [](double seconds) { return seconds > 0 && seconds <= ProfileLimits::seconds; };
    const bool isGood = layer >= 0 && layer < layers && samples >= 1 && samples <= ProfileLimits::batch &&
                        isTime(unit.forward) && isTime(unit.backward) && unit.weights >= 0 &&
                        unit.weights <= unit.backward;
    return isGood ? std::optional(unit) : std::nullopt;
}

}  // namespace

QCborArray toCbor(const std::vector<UnitSeconds> &units) {
    QCborArray rows;
    for (const UnitSeconds &unit : units)
        rows.append(QCborArray{unit.layer, unit.samples, unit.forward, unit.backward, unit.weights});
    return rows;
}

Result<std::vector<UnitSeconds>> unitsFromCbor(const QCborValue &value, int layers) {
    const QCborArray rows = value.toArray();
    std::vector<UnitSeconds> units;
    bool isGood = value.isArray() && rows.size() <= ProfileLimits::layers;
    for (qsizetype i = 0; isGood && i < rows.size(); ++i) {
        const auto unit = unitOf(rows[i].toArray(), layers);
        isGood = unit.has_value();
        if (unit)
            units.push_back(*unit);
    }
    if (!isGood) {
        return fail(QStringLiteral("profile.invalid"), sentence("What a device measured cannot be read."),
                    sentence("A time of a layer is none."),
                    sentence("Install the same version of Hearth on every device."));
    }
    return units;
}

}  // namespace hearth
