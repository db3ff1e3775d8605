#include "core/profile/device_profile.h"

#include "core/base/json_reader.h"
#include "core/profile/profile_limits.h"

namespace hearth {

Result<void> DeviceProfile::validate() const {
    const QString source = QStringLiteral("the profile of a device");
    const auto parsed = fromJson(toJson(), source);
    if (!parsed)
        return tl::unexpected(parsed.error());
    return {};
}

QJsonObject DeviceProfile::toJson() const {
    QJsonObject json{{QStringLiteral("device"), device},
                     {QStringLiteral("name"), name},
                     {QStringLiteral("library"), library},
                     {QStringLiteral("threads"), threads},
                     {QStringLiteral("memory_bytes"), memoryBytes},
                     {QStringLiteral("runtime_bytes"), runtimeBytes}};
    if (!codecs.measured.isEmpty())
        json[QStringLiteral("codecs")] = codecs.toJson();
    return json;
}

Result<DeviceProfile> DeviceProfile::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    DeviceProfile profile;
    profile.device = reader.string("device");
    profile.name = reader.string("name", QString());
    profile.library = reader.string("library", QString());
    profile.threads = static_cast<int>(reader.integer("threads", 1, ProfileLimits::threads, 1));
    profile.memoryBytes = reader.integer("memory_bytes", 0, ProfileLimits::bytes);
    profile.runtimeBytes = reader.integer("runtime_bytes", 0, ProfileLimits::bytes, 0);
    const QJsonObject codecs = reader.object("codecs", false);
    if (reader.ok() && profile.device.isEmpty())
        reader.reject(QStringLiteral("device"), sentence("It is empty."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    auto rates = CodecRates::fromJson(codecs, source, QStringLiteral("/codecs"));
    if (!rates)
        return tl::unexpected(rates.error());
    profile.codecs = std::move(*rates);
    return profile;
}

}  // namespace hearth
