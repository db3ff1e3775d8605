#include "core/profile/profile_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>

#include "core/base/files.h"
#include "core/base/json_reader.h"

namespace hearth {
namespace {

/// A profile of a thousand layers takes a megabyte.
constexpr qint64 mostFileBytes = 16 << 20;

ProfileKey keyOf(const ModelProfile &profile) {
    return {profile.device, profile.modelSha256, profile.library, profile.precision, profile.threads};
}

QString fileNameOf(const QStringList &key) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString &part : key) {
        hash.addData(part.toUtf8());
        hash.addData("\n");
    }
    return QString::fromLatin1(hash.result().toHex().left(32)) + QStringLiteral(".json");
}

}  // namespace

ProfileStore::ProfileStore(QString folder) : m_folder(std::move(folder)) {}

QString ProfileStore::pathOf(const ProfileKey &key) const {
    return QDir(m_folder).filePath(
        fileNameOf({key.device, key.modelSha256, key.library, key.precision, QString::number(key.threads)}));
}

QString ProfileStore::pathOfDevice(const QString &id) const {
    return QDir(m_folder).filePath(QStringLiteral("devices/") + fileNameOf({id}));
}

std::optional<ModelProfile> ProfileStore::load(const ProfileKey &key) const {
    const QString path = pathOf(key);
    if (!QFileInfo::exists(path))
        return std::nullopt;
    const auto object = readJsonFile(path, mostFileBytes);
    if (!object)
        return std::nullopt;
    auto profile = ModelProfile::fromJson(*object, path);
    if (!profile || pathOf(keyOf(*profile)) != path)
        return std::nullopt;
    return std::move(*profile);
}

Result<void> ProfileStore::save(const ModelProfile &profile) const {
    if (auto ok = profile.validate(); !ok)
        return ok;
    if (auto ok = makePrivateFolder(m_folder); !ok)
        return ok;
    return saveFile(pathOf(keyOf(profile)), QJsonDocument(profile.toJson()).toJson(QJsonDocument::Compact));
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
    if (auto ok = makePrivateFolder(QFileInfo(path).path()); !ok)
        return ok;
    return saveFile(path, QJsonDocument(device.toJson()).toJson(QJsonDocument::Compact));
}

}  // namespace hearth
