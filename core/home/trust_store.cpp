#include "core/home/trust_store.h"

#include <sys/stat.h>
#include <unistd.h>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/base/sentence.h"
#include "core/base/system_reason.h"
#include "core/home/device_info.h"
#include "core/home/plain_name.h"

namespace hearth {
namespace {

constexpr qint64 mostTrustBytes = 4 << 20;
constexpr qsizetype maximumAddresses = 16;

QJsonObject deviceJson(const Fingerprint &fingerprint, const QString &name, const QStringList &addresses) {
    return {{QStringLiteral("name"), name},
            {QStringLiteral("fingerprint"), fingerprint.toHex()},
            {QStringLiteral("addresses"), QJsonArray::fromStringList(addresses)}};
}

struct Common {
    QString name;
    Fingerprint fingerprint;
    QStringList addresses;
};

Common readCommon(JsonReader &reader) {
    Common common;
    common.name = reader.string("name");
    if (common.name.isEmpty() || common.name.size() > maximumDeviceName)
        reader.reject(QStringLiteral("name"), sentence("It must have 1 to %1 characters.").arg(maximumDeviceName));
    // It is shown in terminals, where control characters do things.
    if (!std::all_of(common.name.cbegin(), common.name.cend(), [](QChar c) { return c.isPrint(); }))
        reader.reject(QStringLiteral("name"), sentence("It has characters that cannot be printed."));
    if (const auto fingerprint = Fingerprint::fromHex(reader.string("fingerprint")); !fingerprint) {
        reader.reject(QStringLiteral("fingerprint"), sentence("It is not a fingerprint of 64 hexadecimal digits."));
    } else if (fingerprint->isNull()) {
        reader.reject(QStringLiteral("fingerprint"), sentence("The empty key can belong to anybody."));
    } else {
        common.fingerprint = *fingerprint;
    }
    const QJsonArray addresses = reader.array("addresses", false);
    if (addresses.size() > maximumAddresses)
        reader.reject(QStringLiteral("addresses"), sentence("There are more than %1.").arg(maximumAddresses));
    for (const QJsonValue &value : addresses) {
        if (const auto parts = splitAddress(value.toString()); !parts)
            reader.reject(QStringLiteral("addresses"), parts.error().what, parts.error().advice);
        common.addresses << value.toString();
    }
    return common;
}

Error damaged(const QString &path, const Sentence &cause) {
    return {QStringLiteral("trust.damaged"), sentence("The list of trusted devices %1 cannot be used.").arg(path),
            cause, sentence("Restore the file from a backup, or remove it and trust your devices again.")};
}

}  // namespace

QJsonObject IdentityFile::toJson() const {
    QJsonObject json = deviceJson(fingerprint, name, addresses);
    json[QStringLiteral("format")] = QStringLiteral("hearth-identity/1");
    return json;
}

Result<IdentityFile> IdentityFile::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    reader.choice("format", {QStringLiteral("hearth-identity/1")});
    const Common common = readCommon(reader);
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return IdentityFile{common.name, common.fingerprint, common.addresses};
}

Result<TrustStore> TrustStore::load(const QString &path) {
    TrustStore store(path);
    struct stat info {};
    if (::lstat(QFile::encodeName(path).constData(), &info) != 0) {
        if (errno == ENOENT)
            return store;
        return tl::unexpected(damaged(path, systemReason(errno)));
    }
    if (!S_ISREG(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return tl::unexpected(
            damaged(path, sentence("It is not a plain file that belongs to you and that only you may write.")));
    }
    const auto object = readJsonFile(path, mostTrustBytes);
    if (!object)
        return tl::unexpected(damaged(path, Sentence::joined({object.error().what, object.error().cause})));
    JsonReader reader(*object, path);
    reader.choice("format", {QStringLiteral("hearth-trust/1")});
    const QJsonArray devices = reader.array("devices");
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(damaged(path, Sentence::joined({ok.error().what, ok.error().cause})));
    if (devices.size() > maximumDevices)
        return tl::unexpected(damaged(path, sentence("It lists more than %1 devices.").arg(maximumDevices)));
    for (qsizetype i = 0; i < devices.size(); ++i) {
        JsonReader entry(devices[i].toObject(), path, jsonPointer(QStringLiteral("/devices"), i));
        const Common common = readCommon(entry);
        if (auto ok = entry.finish(); !ok)
            return tl::unexpected(damaged(path, Sentence::joined({ok.error().what, ok.error().cause})));
        if (store.trusts(common.fingerprint))
            return tl::unexpected(damaged(path, sentence("It lists a device twice.")));
        store.m_devices.push_back({common.fingerprint, common.name, common.addresses});
    }
    return store;
}

const TrustedDevice *TrustStore::find(const Fingerprint &fingerprint) const {
    const auto at = std::find_if(m_devices.begin(), m_devices.end(),
                                 [&](const TrustedDevice &each) { return each.fingerprint == fingerprint; });
    return at == m_devices.end() ? nullptr : &*at;
}

bool TrustStore::trusts(const Fingerprint &fingerprint) const {
    return !fingerprint.isNull() && find(fingerprint) != nullptr;
}

Result<void> TrustStore::add(const TrustedDevice &device) {
    if (device.fingerprint.isNull())
        return fail(QStringLiteral("trust.no-key"), sentence("A device without a key cannot be trusted."));
    // By the very rules of load(): one entry that it refuses would cost the whole list.
    JsonReader entry(deviceJson(device.fingerprint, device.name, device.addresses), m_path);
    readCommon(entry);
    if (const auto ok = entry.finish(); !ok) {
        return fail(QStringLiteral("trust.bad-device"),
                    sentence("\"%1\" cannot be put on the list of trusted devices.").arg(device.name.left(80)),
                    Sentence::joined({ok.error().what, ok.error().cause}),
                    sentence("Give the device another name there, then pair it again."));
    }
    auto devices = m_devices;
    const auto at = std::find_if(devices.begin(), devices.end(),
                                 [&](const TrustedDevice &each) { return each.fingerprint == device.fingerprint; });
    if (at != devices.end()) {
        *at = device;
    } else if (devices.size() < maximumDevices) {
        devices.push_back(device);
    } else {
        return fail(QStringLiteral("trust.full"), sentence("This home has %1 devices already.").arg(maximumDevices),
                    QString(), sentence("Remove one first."));
    }
    if (auto saved = save(devices); !saved)
        return saved;
    m_devices = std::move(devices);
    return {};
}

Result<void> TrustStore::remove(const Fingerprint &fingerprint) {
    auto devices = m_devices;
    std::erase_if(devices, [&](const TrustedDevice &each) { return each.fingerprint == fingerprint; });
    if (devices.size() == m_devices.size())
        return {};
    if (auto saved = save(devices); !saved)
        return saved;
    m_devices = std::move(devices);
    return {};
}

QString TrustStore::nameOf(const Fingerprint &fingerprint, const QString &ownName) const {
    const TrustedDevice *known = find(fingerprint);
    return known ? known->name : ownName;
}

QStringList TrustStore::addressesBeside(const Fingerprint &fingerprint, const QString &address) const {
    const TrustedDevice *known = find(fingerprint);
    QStringList others = known ? known->addresses : QStringList();
    others.removeAll(address);
    return others;
}

Result<void> TrustStore::rename(const Fingerprint &fingerprint, const QString &name) {
    const TrustedDevice *known = find(fingerprint);
    if (!known || known->name == name)
        return {};
    return add({fingerprint, name, known->addresses});
}

Result<void> TrustStore::save(const std::vector<TrustedDevice> &devices) const {
    QJsonArray list;
    for (const TrustedDevice &device : devices)
        list << deviceJson(device.fingerprint, device.name, device.addresses);
    const QJsonObject object{{QStringLiteral("format"), QStringLiteral("hearth-trust/%1").arg(formatVersion)},
                             {QStringLiteral("devices"), list}};
    const QByteArray text = QJsonDocument(object).toJson();
    return saveFile(m_path, [&](QIODevice &file) -> Result<void> {
        // Before a single byte is in it: nobody else learns whom this device trusts.
        if (auto *plain = qobject_cast<QFileDevice *>(&file))
            plain->setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        if (file.write(text) != text.size())
            return fail(QStringLiteral("trust.not-saved"), sentence("The list of trusted devices was not saved."),
                        file.errorString() + QLatin1Char('.'), sentence("Free some space; nothing has changed."));
        return {};
    });
}

}  // namespace hearth
