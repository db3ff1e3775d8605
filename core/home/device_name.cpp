#include "core/home/device_name.h"

#include <QFile>
#include <QJsonDocument>
#include <QSysInfo>
#include <algorithm>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/base/sentence.h"
#include "core/home/plain_name.h"
#include "core/wire/identity.h"

namespace hearth {
namespace {

bool isName(const QString &name) {
    return !name.isEmpty() && name.size() <= maximumDeviceName &&
           std::all_of(name.begin(), name.end(), [](QChar c) { return c.isPrint(); });
}

Error badName(const QString &given) {
    return {QStringLiteral("device.bad-name"), sentence("\"%1\" cannot be a device's name.").arg(given.left(80)),
            QString(), sentence("Take 1 to %1 printable characters.").arg(maximumDeviceName)};
}

}  // namespace

Result<QString> givenDeviceName(const QString &text) {
    const QString name = text.trimmed();
    if (!isName(name))
        return tl::unexpected(badName(text));
    if (Fingerprint::fromHex(name)) {
        Error error = badName(text);
        error.cause = sentence("A name cannot look like a fingerprint.");
        return tl::unexpected(error);
    }
    return name;
}

Result<QString> deviceName(const QString &stateDir, const QString &given) {
    const QString path = stateDir + QStringLiteral("/device.json");
    if (!given.isEmpty()) {
        if (!isName(given))
            return tl::unexpected(badName(given));
        const QJsonObject object{{QStringLiteral("format"), QStringLiteral("hearth-device/1")},
                                 {QStringLiteral("name"), given}};
        if (auto saved = saveFile(path, QJsonDocument(object).toJson()); !saved)
            return tl::unexpected(saved.error());
        return given;
    }
    if (QFile::exists(path)) {
        const auto object = readJsonFile(path, 64 << 10);
        if (!object)
            return tl::unexpected(object.error());
        JsonReader reader(*object, path);
        reader.choice("format", {QStringLiteral("hearth-device/1")});
        const QString name = reader.string("name");
        if (!isName(name))
            reader.reject(QStringLiteral("name"), sentence("It is empty or too long."));
        if (auto ok = reader.finish(); !ok)
            return tl::unexpected(ok.error());
        return name;
    }
    const QString host = QSysInfo::machineHostName().left(maximumDeviceName);
    return isName(host) ? host : QStringLiteral("device");
}

}  // namespace hearth
