// Why a device cannot be seen: what the agent knows of its links, and the way back that only the other end can try.
#include <QDateTime>
#include <QTimer>
#include <algorithm>

#include "core/agent/agent_nearby.h"
#include "core/agent/home_service.h"
#include "core/base/cbor.h"
#include "core/base/one_line.h"
#include "core/discovery/probes.h"
#include "core/home/announcement.h"

namespace hearth {
namespace {

// The other end tries a connection first.
constexpr std::chrono::milliseconds backDeadline = Diagnosis::tcpDeadline + std::chrono::milliseconds(1500);

// Milliseconds since 1970 up to the year 9999: nobody's clock makes the difference overflow.
constexpr qint64 latestTime = 253'402'300'799'000;

constexpr qsizetype longestAddress = 256;

}  // namespace

/// A linked device asks whether its agent can be reached from here. It can have this device try its own place only.
void HomeService::serveDiagnosis() {
    m_links.handle(QStringLiteral("reach.back"), [this](const Fingerprint &from, const QCborMap &, const Reply &reply) {
        const DeviceInfo *known = m_devices.find(from.toHex());
        const QString address = known ? known->address : QString();
        const auto place = splitAddress(address);
        if (!place || !m_reachingBack.insert(from).second) {
            reply.fail(
                {QStringLiteral("reach.busy"), sentence("%1 cannot look now.").arg(m_devices.ownName()), {}, {}});
            return;
        }
        probeTcp(place->host, place->port, Diagnosis::tcpDeadline, this, [this, from, address, reply](Reach reach) {
            m_reachingBack.erase(from);
            QCborMap result;
            result[QStringLiteral("address")] = address;
            result[QStringLiteral("reached")] = reach == Reach::Connected;
            result[QStringLiteral("utc_ms")] = QDateTime::currentMSecsSinceEpoch();
            reply.ok(result);
        });
    });
}

DiagnosisOrder HomeService::diagnosisOrder() {
    DiagnosisOrder order;
    const Nearby around = nearby();
    order.status = around.status;
    order.listenHost = m_options.listenHost;
    order.port = m_port;
    order.lastPort = m_portNote.isEmpty() ? quint16(0) : m_workers.settings().lastPort;
    const QHash<QString, QStringList> announced = m_nearby ? m_nearby->addresses() : QHash<QString, QStringList>();
    for (const NearbyDevice &device : around.devices) {
        if (device.state == NearbyState::Found) {
            const QString name = device.name.isEmpty() ? device.prefix : device.name;
            order.devices.push_back({device.prefix, name, false, false, announced.value(device.prefix)});
        }
    }
    for (const TrustedDevice &device : m_trusted.devices()) {
        const QString prefix = announcedPrefix(device.fingerprint);
        const bool isLinked = m_links.isLinked(device.fingerprint);
        QStringList addresses = device.addresses + announced.value(prefix);
        if (const DeviceInfo *known = m_devices.find(device.fingerprint.toHex()); isLinked && known)
            addresses = QStringList{known->address};
        addresses.removeDuplicates();
        order.devices.insert(order.devices.begin(), {prefix, device.name, true, isLinked, addresses});
    }
    order.askBack = [this](const QString &id, QObject *context,
                           std::function<void(std::optional<DiagnosisOrder::Back>)> told) {
        for (const TrustedDevice &device : m_trusted.devices()) {
            Rpc *link = announcedPrefix(device.fingerprint) == id ? m_links.rpc(device.fingerprint) : nullptr;
            if (!link)
                continue;
            link->call(QStringLiteral("reach.back"), {}, backDeadline, context, [told](const Result<QCborMap> &answer) {
                if (!answer) {
                    told(std::nullopt);
                    return;
                }
                // What the way takes is nothing beside the minutes that matter.
                const qint64 theirs = std::clamp<qint64>(integerOf((*answer)[QStringLiteral("utc_ms")]), 0, latestTime);
                told(DiagnosisOrder::Back{oneLine((*answer)[QStringLiteral("address")].toString(), longestAddress),
                                          (*answer)[QStringLiteral("reached")].toBool(),
                                          theirs - QDateTime::currentMSecsSinceEpoch()});
            });
            return;
        }
        told(std::nullopt);
    };
    return order;
}

void HomeService::diagnose(QObject *context, std::function<void(const Finding &)> tell,
                           std::function<void(Result<std::vector<Finding>>)> answer) {
    QTimer::singleShot(nearbySettlesIn(), context, [this, context, tell = std::move(tell), answer = std::move(answer)] {
        if (m_diagnoses >= maximumDiagnoses) {
            answer(
                fail(QStringLiteral("diagnose.busy"), sentence("The agent is looking already."),
                     sentence("%1 {1|window or terminal has|windows or terminals have} asked it to.").arg(m_diagnoses),
                     sentence("Ask again in a few seconds.")));
            return;
        }
        ++m_diagnoses;
        auto *diagnosis = new Diagnosis(diagnosisOrder(), context);
        connect(diagnosis, &QObject::destroyed, this, [this] { --m_diagnoses; });
        connect(diagnosis, &Diagnosis::found, context, tell);
        connect(diagnosis, &Diagnosis::finished, context, [diagnosis, answer] {
            diagnosis->deleteLater();
            answer(diagnosis->findings());
        });
    });
}

}  // namespace hearth
