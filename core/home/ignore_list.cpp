#include "core/home/ignore_list.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <algorithm>

#include "core/base/cbor.h"
#include "core/base/json_reader.h"
#include "core/base/private_file.h"
#include "core/base/sentence.h"
#include "core/home/announcement.h"
#include "core/home/plain_name.h"

namespace hearth {
namespace {

constexpr qint64 mostIgnoredBytes = 128 << 10;
constexpr qint64 latestMoment = qint64(1) << 53;
const QString ignoredFormat = QStringLiteral("hearth-ignored/2");
const QString formatOfKeys = QStringLiteral("hearth-ignored/1");  // whole fingerprints without names

/// plainName() makes up a name where there is none.
QString nameOf(const QString &told) {
    return told.isEmpty() ? QString() : plainName(told);
}

}  // namespace

bool isKeyStart(const QString &text) {
    static const QRegularExpression digits(QStringLiteral("\\A[0-9a-f]{%1,64}\\z").arg(Announcement::prefixDigits));
    return digits.match(text).hasMatch();
}

bool isSameKey(const QString &one, const QString &other) {
    return one.startsWith(other) || other.startsWith(one);
}

QCborMap IgnoredDevice::toCbor() const {
    return {{QStringLiteral("key"), key}, {QStringLiteral("name"), name}, {QStringLiteral("since_ms"), since}};
}

Result<IgnoredDevice> IgnoredDevice::fromCbor(const QCborMap &map) {
    IgnoredDevice device{map[QStringLiteral("key")].toString(), nameOf(map[QStringLiteral("name")].toString()),
                         integerOf(map[QStringLiteral("since_ms")])};
    if (!isKeyStart(device.key))
        return fail(QStringLiteral("ignored.invalid"), sentence("An ignored device has no key."));
    return device;
}

Result<IgnoreList> IgnoreList::load(const QString &path) {
    IgnoreList loaded(path);
    const auto object = readPrivateJson(path, mostIgnoredBytes);
    if (!object)
        return tl::unexpected(object.error());
    if (!*object)
        return loaded;
    JsonReader reader(**object, path);
    const bool hasNames = reader.choice("format", {ignoredFormat, formatOfKeys}) == ignoredFormat;
    const QJsonArray list = reader.array("devices");
    if (static_cast<std::size_t>(list.size()) > maximumDevices)
        reader.reject(QStringLiteral("devices"), sentence("There are more than %1.").arg(maximumDevices));
    for (qsizetype i = 0; i < list.size() && reader.ok(); ++i) {
        IgnoredDevice device;
        if (hasNames) {
            JsonReader each(list[i], path, jsonPointer(QStringLiteral("/devices"), i));
            device = {each.string("key"), nameOf(each.string("name")), each.integer("since_ms", 0, latestMoment)};
            if (auto ok = each.finish(); !ok)
                return tl::unexpected(ok.error());
        } else {
            device.key = list[i].toString();
        }
        if (!isKeyStart(device.key))
            reader.reject(QStringLiteral("devices"), sentence("One of them is no key."));
        loaded.m_devices.push_back(device);
    }
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return loaded;
}

bool IgnoreList::contains(const QString &key) const {
    return std::ranges::any_of(m_devices, [&key](const IgnoredDevice &each) { return isSameKey(each.key, key); });
}

Result<void> IgnoreList::add(const IgnoredDevice &device) {
    std::vector<IgnoredDevice> devices = m_devices;
    std::erase_if(devices, [&device](const IgnoredDevice &each) { return isSameKey(each.key, device.key); });
    if (devices.size() >= maximumDevices)
        devices.erase(devices.begin());
    devices.push_back(device);
    return save(std::move(devices));
}

Result<void> IgnoreList::remove(const QString &key) {
    if (!contains(key))
        return {};
    std::vector<IgnoredDevice> devices = m_devices;
    std::erase_if(devices, [&key](const IgnoredDevice &each) { return isSameKey(each.key, key); });
    return save(std::move(devices));
}

Result<void> IgnoreList::save(std::vector<IgnoredDevice> devices) {
    QJsonArray list;
    for (const IgnoredDevice &device : devices)
        list << device.toCbor().toJsonObject();
    if (auto saved =
            savePrivateJson(m_path, {{QStringLiteral("format"), ignoredFormat}, {QStringLiteral("devices"), list}});
        !saved)
        return saved;
    m_devices = std::move(devices);
    return {};
}

}  // namespace hearth
