#include "core/install/install_record.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include "core/base/json_reader.h"
#include "core/base/sentence.h"
#include "core/wire/identity.h"

namespace hearth {

QByteArray InstallRecord::toJson() const {
    QJsonObject json{{QStringLiteral("format"), QStringLiteral("hearth-installation/1")},
                     {QStringLiteral("complete"), isComplete},
                     {QStringLiteral("update"), isUpdate},
                     {QStringLiteral("version"), version},
                     {QStringLiteral("sha256"), sha256},
                     {QStringLiteral("package"), toWord(package)},
                     {QStringLiteral("service"), toWord(service)},
                     {QStringLiteral("state"), stateDir},
                     {QStringLiteral("agent_port"), agentPort},
                     {QStringLiteral("fingerprint"), fingerprint},
                     {QStringLiteral("made_package"), madePackage},
                     {QStringLiteral("made_state"), madeState},
                     {QStringLiteral("made_trust"), madeTrust},
                     {QStringLiteral("made_linger"), madeLinger},
                     {QStringLiteral("was_enabled"), wasEnabled},
                     {QStringLiteral("was_active"), wasActive},
                     {QStringLiteral("name_before"), nameBefore},
                     {QStringLiteral("new_packages"), QJsonArray::fromStringList(newPackages)}};
    if (!copy.isEmpty())
        json[QStringLiteral("copy")] = copy;
    return QJsonDocument(json).toJson();
}

Result<InstallRecord> InstallRecord::parse(const QByteArray &text) {
    static const QRegularExpression packageName(QStringLiteral("^[a-z0-9][a-z0-9+.-]+$"));
    static const QRegularExpression temporaryFolder(QStringLiteral("^/tmp/tmp\\.[A-Za-z0-9]+\\z"));
    const QString source = QStringLiteral("the record of the installation");
    const auto object = parseJsonObject(text, source);
    if (!object)
        return tl::unexpected(object.error());
    JsonReader reader(*object, source);
    InstallRecord record;
    reader.choice("format", {QStringLiteral("hearth-installation/1")});
    record.isComplete = reader.boolean("complete");
    record.isUpdate = reader.boolean("update");
    record.version = reader.string("version");
    record.sha256 = reader.string("sha256", QString());
    const QString apt = toWord(PackageWay::Apt), home = toWord(PackageWay::HomeFolder);
    record.package = reader.choice("package", {apt, home}) == apt ? PackageWay::Apt : PackageWay::HomeFolder;
    const QString service =
        reader.choice("service", {toWord(ServiceWay::System), toWord(ServiceWay::User), toWord(ServiceWay::Plain)});
    for (const ServiceWay way : {ServiceWay::System, ServiceWay::User, ServiceWay::Plain}) {
        if (service == toWord(way))
            record.service = way;
    }
    record.stateDir = reader.string("state");
    // It is removed one day: nothing but the two places that installations use.
    const bool isSystem = record.stateDir == QLatin1String("/var/lib/hearth");
    // What root removes is never in somebody's home.
    if ((record.service == ServiceWay::System && !isSystem) ||
        (!isSystem &&
         (!record.stateDir.startsWith(QLatin1Char('/')) || record.stateDir.contains(QLatin1String("/../")) ||
          !record.stateDir.endsWith(QLatin1String("/.local/share/hearth")))))
        reader.reject(QStringLiteral("state"), sentence("It is no place where installations keep their state."));
    record.agentPort = static_cast<quint16>(reader.integer("agent_port", 1, 65535));
    record.fingerprint = reader.string("fingerprint");
    if (!record.fingerprint.isEmpty() && !Fingerprint::fromHex(record.fingerprint))
        reader.reject(QStringLiteral("fingerprint"), sentence("It is none."));
    record.madePackage = reader.boolean("made_package");
    record.madeState = reader.boolean("made_state");
    record.madeTrust = reader.boolean("made_trust");
    record.madeLinger = reader.boolean("made_linger");
    record.wasEnabled = reader.boolean("was_enabled");
    record.wasActive = reader.boolean("was_active");
    record.nameBefore = reader.string("name_before", QString());
    for (const QJsonValue &each : reader.array("new_packages")) {
        if (!packageName.match(each.toString()).hasMatch())
            reader.reject(QStringLiteral("new_packages"), sentence("One of them is no name of a package."));
        record.newPackages << each.toString();
    }
    record.copy = reader.string("copy", QString());
    // Root removes it: nothing but what mktemp makes.
    if (!record.copy.isEmpty() && !temporaryFolder.match(record.copy).hasMatch())
        reader.reject(QStringLiteral("copy"), sentence("It is no temporary folder."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return record;
}

}  // namespace hearth
