// The run that Train shows, on a phone: off until somebody wants it, and over when nobody does.
#pragma once

#include <QElapsedTimer>
#include <QHostAddress>
#include <QObject>
#include <QStringList>
#include <functional>
#include <memory>

#include "core/base/error.h"
#include "core/discovery/checks.h"

namespace hearth {

class HomeSource;
class PhoneServer;
class RunModel;

/// Where a phone of the home can reach this computer: addresses of IPv4, which every home has, or of IPv6 where there
/// are no others.
QList<QHostAddress> phoneHosts(const QList<InterfaceFacts> &interfaces);

/// Nobody can change anything by it. GUI thread; both arguments must outlive it.
class PhonePage : public QObject {
    Q_OBJECT
  public:
    PhonePage(const HomeSource &home, const RunModel &run, QObject *parent = nullptr);
    ~PhonePage() override;

    /// At a new address, unless it is shown already. Errors: "phone.no-address", "phone.no-port".
    Result<void> begin();
    /// The address is void from here on.
    void end();
    /// Whether the run is what somebody wrote down.
    void setRecording(bool recording) { m_recording = recording; }
    bool isShown() const { return m_server != nullptr; }
    /// The page's, one for each network that this computer is in; empty while nothing is shown.
    QStringList addresses() const;
    quint16 port() const;
    /// Shows at the address of another one, which ends.
    void takeOver(PhonePage &before);
    /// Looks for this computer's addresses; for tests.
    void setHosts(std::function<QList<QHostAddress>()> hosts);

  Q_SIGNALS:
    void shownChanged();

  private:
    void serve();

    const HomeSource &m_home;
    const RunModel &m_run;
    std::function<QList<QHostAddress>()> m_hosts;
    bool m_recording = false;
    QElapsedTimer m_heard;  // since the last event of the run
    std::unique_ptr<PhoneServer> m_server;
};

}  // namespace hearth
