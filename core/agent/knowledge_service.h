// What devices have learned of how long networks take, from agent to agent of a home.
#pragma once

#include <QObject>
#include <QString>

#include "core/home/home_links.h"

namespace hearth {

class DeviceBook;

/// Asks each device that comes for its file (hearth-predictor/1), and keeps it beside this one's own, under the
/// device's fingerprint, until the device is removed from the home. What is in it, the coordinator judges that plans
/// with it: here it is bytes. Calls of linked devices: knowledge.get {from} → {json}, a piece of the file from that
/// byte on; one that is not pieceBytes long is the last. Main thread; what it is given outlives it.
class KnowledgeService : public QObject {
  public:
    /// Of a file; one of a home of eight devices has half of that.
    static constexpr qint64 mostBytes = 512 << 10;
    /// With what is around it, it is within what an agent takes of another in one message (onlyWords).
    static constexpr qint64 pieceBytes = 48 << 10;

    KnowledgeService(const QString &stateDir, DeviceBook &devices, HomeLinks &links);
    void serveLinks();

  private:
    /// For what comes after the bytes that it has told already.
    void ask(const Fingerprint &device, const QByteArray &before = {});
    QString fileOf(const QString &name) const { return m_folder + QLatin1Char('/') + name + QStringLiteral(".json"); }

    const QString m_folder;
    DeviceBook &m_devices;
    HomeLinks &m_links;
};

}  // namespace hearth
