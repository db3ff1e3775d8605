#include "core/agent/knowledge_service.h"

#include <QCborMap>
#include <QFile>
#include <QFileInfo>

#include "core/agent/device_book.h"
#include "core/base/files.h"
#include "core/base/json_reader.h"

namespace hearth {
namespace {

bool isKnowledge(const QByteArray &json) {
    if (json.isEmpty() || json.size() > KnowledgeService::mostBytes)
        return false;
    const auto object = parseJsonObject(json, {});
    return object && (*object)[QStringLiteral("format")].toString() == QLatin1String("hearth-predictor/1");
}

}  // namespace

KnowledgeService::KnowledgeService(const QString &stateDir, DeviceBook &devices, HomeLinks &links)
    : m_folder(stateDir + QStringLiteral("/profiles/predictor")), m_devices(devices), m_links(links) {}

void KnowledgeService::serveLinks() {
    m_links.handle(QStringLiteral("knowledge.get"), [this](const Fingerprint &, const QCborMap &, const Reply &reply) {
        QFile own(fileOf(QStringLiteral("own")));
        const QByteArray json = own.open(QIODevice::ReadOnly) && own.size() <= mostBytes ? own.readAll() : QByteArray();
        reply.ok({{QStringLiteral("json"), json}});
    });
    connect(&m_links, &HomeLinks::linked, this, [this](const Fingerprint &device) { ask(device); });
    connect(&m_devices, &DeviceBook::removed, this, [this](const QString &id) { QFile::remove(fileOf(id)); });
}

/// A device that has none, or is of an older version, is no trouble; nor is a full disk: what is kept is of use alone.
void KnowledgeService::ask(const Fingerprint &device) {
    Rpc *link = m_links.rpc(device);
    if (!link)
        return;
    link->call(QStringLiteral("knowledge.get"), {}, Rpc::shortDeadline, this,
               [this, device](const Result<QCborMap> &reply) {
                   const QByteArray json = reply ? (*reply)[QStringLiteral("json")].toByteArray() : QByteArray();
                   if (isKnowledge(json) && m_devices.find(device.toHex()) &&
                       makePrivateFolder(QFileInfo(m_folder).path()) && makePrivateFolder(m_folder))
                       (void)saveFile(fileOf(device.toHex()), json);
               });
}

}  // namespace hearth
