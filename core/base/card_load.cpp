#include "core/base/card_load.h"

#include <cmath>

namespace hearth {
namespace {

struct Field {
    const char *key;
    std::optional<double> CardLoad::*value;
};

constexpr Field fields[] = {{"busy_percent", &CardLoad::busyPercent},
                            {"memory_bytes", &CardLoad::memoryBytes},
                            {"celsius", &CardLoad::celsius},
                            {"watts", &CardLoad::watts}};

}  // namespace

QJsonObject CardLoad::toJson() const {
    QJsonObject json;
    for (const auto &[key, value] : fields) {
        if (this->*value)
            json[QLatin1String(key)] = *(this->*value);
    }
    return json;
}

CardLoad CardLoad::fromJson(const QJsonObject &json) {
    CardLoad load;
    for (const auto &[key, value] : fields) {
        const double number = json[QLatin1String(key)].toDouble(-1);
        if (std::isfinite(number) && number >= 0)
            load.*value = number;
    }
    return load;
}

}  // namespace hearth
