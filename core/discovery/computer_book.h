// Turns what is seen of services into computers that Hearth may be installed on.
#pragma once

#include <QByteArrayList>
#include <QSet>
#include <map>
#include <vector>

#include "core/discovery/discovery_source.h"
#include "core/home/announcement.h"

namespace hearth {

/// By which computers are found: SSH, file transfer over SSH, and a computer that says nothing of SSH.
QByteArrayList computerServices();

/// A computer is known by its host name: its services of all types, interfaces and protocols are gathered. Pure
/// bookkeeping; one thread.
class ComputerBook {
  public:
    static constexpr std::size_t maximumServices = 256;
    static constexpr qsizetype maximumAddresses = 8;  // of one computer

    /// What does not say where it is, this computer's own services, and those beyond maximumServices are left out.
    void see(const ServiceSeen &service);
    void lose(const ServiceKey &key) { m_services.erase(key); }
    void clear() { m_services.clear(); }

    /// Those without Hearth first, by name. Addresses that lead elsewhere than home, by `subnets`, are left out.
    /// `withHearth`: addresses, and host names in lower case, of devices that are known to have it.
    std::vector<FoundComputer> computers(const QList<Subnet> &subnets, const QSet<QString> &withHearth) const;

  private:
    std::map<ServiceKey, ServiceSeen> m_services;  // their hosts in lower case
};

}  // namespace hearth
