#include "core/agent/knowledge_service.h"

#include <QCborMap>
#include <QFile>
#include <QFileInfo>

#include "core/agent/device_book.h"
#include "core/base/cbor.h"
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
    const auto tell = [this](const Fingerprint &, const QCborMap &args, const Reply &reply) {
        QFile own(fileOf(QStringLiteral("own")));
        const qint64 from = integerOf(args[QStringLiteral("from")], -1);
        const bool isThere = own.open(QIODevice::ReadOnly) && own.size() <= mostBytes && from >= 0 &&
                             from < own.size() && own.seek(from);
        reply.ok({{QStringLiteral("json"), isThere ? own.read(pieceBytes) : QByteArray()}});
    };
    m_links.handle(QStringLiteral("knowledge.get"), tell);
    connect(&m_links, &HomeLinks::linked, this, [this](const Fingerprint &device) { ask(device); });
    connect(&m_devices, &DeviceBook::removed, this, [this](const QString &id) { QFile::remove(fileOf(id)); });
}

/// A device that has none, or is of an older version, is no trouble; nor is a full disk: what is kept is of use alone.
void KnowledgeService::ask(const Fingerprint &device, const QByteArray &before) {
    Rpc *link = m_links.rpc(device);
    if (!link)
        return;
    link->call(QStringLiteral("knowledge.get"), {{QStringLiteral("from"), before.size()}}, Rpc::shortDeadline, this,
               [this, device, before](const Result<QCborMap> &reply) {
                   if (!reply)
                       return;
                   const QByteArray piece = (*reply)[QStringLiteral("json")].toByteArray();
                   const QByteArray json = before + piece;
                   if (piece.size() == pieceBytes && json.size() <= mostBytes)
                       ask(device, json);
                   else if (isKnowledge(json) && m_devices.find(device.toHex()) &&
                            makePrivateFolder(QFileInfo(m_folder).path()) && makePrivateFolder(m_folder))
                       (void)saveFile(fileOf(device.toHex()), json);
               });
}

}  // namespace hearth
