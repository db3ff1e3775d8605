#include "core/pairing/device_list.h"

#include <QJsonArray>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/base/private_file.h"
#include "core/base/sentence.h"

namespace hearth {
namespace {

constexpr qint64 mostListBytes = 64 << 10;

}  // namespace

Result<DeviceList> DeviceList::load(const QString &path, const QString &format) {
    DeviceList loaded(path, format);
    const auto object = readPrivateJson(path, mostListBytes);
    if (!object)
        return tl::unexpected(object.error());
    if (!*object)
        return loaded;
    JsonReader reader(**object, path);
    reader.choice("format", {format});
    const QJsonArray list = reader.array("devices");
    if (static_cast<std::size_t>(list.size()) > maximumDevices)
        reader.reject(QStringLiteral("devices"), sentence("There are more than %1.").arg(maximumDevices));
    for (const QJsonValue &each : list) {
        const auto device = Fingerprint::fromHex(each.toString());
        if (!device)
            reader.reject(QStringLiteral("devices"), device.error().what, device.error().cause);
        else
            loaded.m_devices.push_back(*device);
    }
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return loaded;
}

bool DeviceList::contains(const Fingerprint &device) const {
    return std::ranges::find(m_devices, device) != m_devices.end();
}

Result<void> DeviceList::add(const Fingerprint &device) {
    if (contains(device))
        return {};
    std::vector<Fingerprint> devices = m_devices;
    if (devices.size() >= maximumDevices)
        devices.erase(devices.begin());
    devices.push_back(device);
    return save(std::move(devices));
}

Result<void> DeviceList::remove(const Fingerprint &device) {
    if (!contains(device))
        return {};
    std::vector<Fingerprint> devices = m_devices;
    std::erase(devices, device);
    return save(std::move(devices));
}

Result<void> DeviceList::save(std::vector<Fingerprint> devices) {
    QJsonArray list;
    for (const Fingerprint &device : devices)
        list << device.toHex();
    if (auto saved = savePrivateJson(m_path, {{QStringLiteral("format"), m_format}, {QStringLiteral("devices"), list}});
        !saved)
        return saved;
    m_devices = std::move(devices);
    return {};
}

}  // namespace hearth
