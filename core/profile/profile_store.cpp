#include "core/profile/profile_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

/// A profile of a thousand layers takes a megabyte.
constexpr qint64 mostFileBytes = 16 << 20;
constexpr qint64 mostLinkBytes = 4096;
constexpr qint64 mostSharingBytes = 1 << 20;

/// The files of a folder that may be ours.
QFileInfoList filesOf(const QString &folder) {
    return QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files | QDir::NoSymLinks, QDir::Name);
}

Result<LinkProfile::Pair> readLink(const QString &path) {
    const auto object = readJsonFile(path, mostLinkBytes);
    if (!object)
        return tl::unexpected(object.error());
    JsonReader reader(*object, path);
    reader.choice("format", {QStringLiteral("hearth-link/1")});
    LinkProfile::Pair link;
    link.from = reader.string("from");
    link.to = reader.string("to");
    link.bytesPerSecond = reader.number("bytes_per_s", 0, ProfileLimits::bytesPerSecond);
    link.latencySeconds = reader.number("latency_s", 0, ProfileLimits::seconds);
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return link;
}

Result<StoredSharing> readSharing(const QString &path) {
    const auto object = readJsonFile(path, mostSharingBytes);
    if (!object)
        return tl::unexpected(object.error());
    JsonReader reader(*object, path);
    reader.choice("format", {QStringLiteral("hearth-sharing/1")});
    StoredSharing sharing;
    const QJsonArray devices = reader.array("devices");
    for (const QJsonValue device : devices)
        sharing.devices << device.toString();
    auto links = LinkProfile::fromJson(reader.object("links"), path, QStringLiteral("/links"));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    if (!links)
        return tl::unexpected(links.error());
    sharing.links = std::move(*links);
    return sharing;
}

QString fileNameOf(const QStringList &key) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString &part : key) {
        hash.addData(part.toUtf8());
        hash.addData("\n");
    }
    return QString::fromLatin1(hash.result().toHex().left(32)) + QStringLiteral(".json");
}

Result<void> makeFolders(const QString &store, const QString &path) {
    return makePrivateFolder(store).and_then([&path] { return makePrivateFolder(QFileInfo(path).path()); });
}

}  // namespace

ProfileKey ProfileKey::of(const ModelProfile &profile) {
    return {profile.device,        profile.modelSha256, profile.library,
            profile.computeDevice, profile.precision,   profile.threads};
}

LinkProfile StoredSharing::of(const QStringList &wanted) const {
    LinkProfile left = links;
    std::erase_if(left.nics, [&](const LinkProfile::Nic &nic) { return !wanted.contains(nic.id); });
    std::erase_if(left.media, [&](const LinkProfile::Medium &medium) {
        return std::ranges::none_of(left.nics, [&](const LinkProfile::Nic &nic) { return nic.medium == medium.id; });
    });
    return left;
}

const StoredSharing *newestSharing(const std::vector<StoredSharing> &stored, const QStringList &devices) {
    const StoredSharing *newest = nullptr;
    for (const StoredSharing &each : stored) {
        const bool isOfAll =
            std::ranges::all_of(devices, [&](const QString &device) { return each.devices.contains(device); });
        if (isOfAll && (!newest || each.measured > newest->measured))
            newest = &each;
    }
    return newest;
}

ProfileStore::ProfileStore(QString folder) : m_folder(std::move(folder)) {}

QString ProfileStore::pathOf(const ProfileKey &key) const {
    return QDir(m_folder).filePath(fileNameOf(
        {key.device, key.modelSha256, key.library, key.computeDevice, key.precision, QString::number(key.threads)}));
}

QString ProfileStore::pathOfDevice(const QString &id) const {
    return QDir(m_folder).filePath(QStringLiteral("devices/") + fileNameOf({id}));
}

QString ProfileStore::pathOfLink(const QString &from, const QString &to) const {
    return QDir(m_folder).filePath(QStringLiteral("links/") + fileNameOf({from, to}));
}

std::optional<ModelProfile> ProfileStore::load(const ProfileKey &key) const {
    const QString path = pathOf(key);
    if (!QFileInfo::exists(path))
        return std::nullopt;
    const auto object = readJsonFile(path, mostFileBytes);
    if (!object)
        return std::nullopt;
    auto profile = ModelProfile::fromJson(*object, path);
    if (!profile || pathOf(ProfileKey::of(*profile)) != path)
        return std::nullopt;
    return std::move(*profile);
}

Result<void> ProfileStore::save(const ModelProfile &profile) const {
    if (auto ok = profile.validate(); !ok)
        return ok;
    if (auto ok = makePrivateFolder(m_folder); !ok)
        return ok;
    return saveFile(pathOf(ProfileKey::of(profile)), QJsonDocument(profile.toJson()).toJson(QJsonDocument::Compact));
}

std::optional<DeviceProfile> ProfileStore::loadDevice(const QString &id) const {
    const QString path = pathOfDevice(id);
    const auto object = readJsonFile(path, mostFileBytes);
    if (!object)
        return std::nullopt;
    auto device = DeviceProfile::fromJson(*object, path);
    if (!device || device->device != id)
        return std::nullopt;
    return std::move(*device);
}

Result<void> ProfileStore::saveDevice(const DeviceProfile &device) const {
    if (loadDevice(device.device) == device)
        return {};
    if (auto ok = device.validate(); !ok)
        return ok;
    const QString path = pathOfDevice(device.device);
    if (auto ok = makeFolders(m_folder, path); !ok)
        return ok;
    return saveFile(path, QJsonDocument(device.toJson()).toJson(QJsonDocument::Compact));
}

Result<void> ProfileStore::saveLink(const LinkProfile::Pair &link) const {
    const QString path = pathOfLink(link.from, link.to);
    if (auto made = makeFolders(m_folder, path); !made)
        return made;
    const QJsonObject object{{QStringLiteral("format"), QStringLiteral("hearth-link/1")},
                             {QStringLiteral("from"), link.from},
                             {QStringLiteral("to"), link.to},
                             {QStringLiteral("bytes_per_s"), link.bytesPerSecond},
                             {QStringLiteral("latency_s"), link.latencySeconds.value_or(0)}};
    return saveFile(path, QJsonDocument(object).toJson(QJsonDocument::Compact));
}

Result<void> ProfileStore::saveSharing(const QStringList &devices, const LinkProfile &found) const {
    QStringList sorted = devices;
    sorted.sort();
    const QString path = QDir(m_folder).filePath(QStringLiteral("sharing/") + fileNameOf(sorted));
    if (auto made = makeFolders(m_folder, path); !made)
        return made;
    const QJsonObject object{{QStringLiteral("format"), QStringLiteral("hearth-sharing/1")},
                             {QStringLiteral("devices"), QJsonArray::fromStringList(sorted)},
                             {QStringLiteral("links"), found.toJson()}};
    return saveFile(path, QJsonDocument(object).toJson(QJsonDocument::Compact));
}

std::vector<StoredProfile> ProfileStore::profiles() const {
    std::vector<StoredProfile> found;
    for (const QFileInfo &file : filesOf(m_folder)) {
        const auto object = readJsonFile(file.filePath(), mostFileBytes);
        if (!object)
            continue;
        if (auto profile = ModelProfile::fromJson(*object, file.filePath()))
            found.push_back({*std::move(profile), file.lastModified().toMSecsSinceEpoch()});
    }
    return found;
}

std::vector<LinkProfile::Pair> ProfileStore::links() const {
    std::vector<LinkProfile::Pair> found;
    for (const QFileInfo &file : filesOf(QDir(m_folder).filePath(QStringLiteral("links")))) {
        if (auto link = readLink(file.filePath()))
            found.push_back(*std::move(link));
    }
    return found;
}

std::vector<StoredSharing> ProfileStore::sharing() const {
    std::vector<StoredSharing> found;
    for (const QFileInfo &file : filesOf(QDir(m_folder).filePath(QStringLiteral("sharing")))) {
        if (auto sharing = readSharing(file.filePath())) {
            sharing->measured = file.lastModified().toMSecsSinceEpoch();
            found.push_back(*std::move(sharing));
        }
    }
    return found;
}

}  // namespace hearth
