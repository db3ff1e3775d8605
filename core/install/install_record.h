// What an installation leaves on a device, so that a later one updates it and an uninstall removes all of it.
#pragma once

#include <QStringList>

#include "core/install/install_plan.h"

namespace hearth {

/// "hearth-installation/1", ~/.local/share/hearth-install/record.json on the device. It is written before anything is
/// changed and again at the end: an installation that broke off can be finished or removed. Plain value.
struct InstallRecord {
    bool isComplete = false;
    bool isUpdate = false;  // of an installation that was complete
    QString version;        // of the package
    QString sha256;         // of the package or bundle that was installed; empty: none was, or nobody wrote it down
    PackageWay package = PackageWay::HomeFolder;
    ServiceWay service = ServiceWay::Plain;
    QString stateDir;
    quint16 agentPort = 47600;
    QString fingerprint;      // of the device; empty until it is known
    bool madePackage = true;  // false: the package was there before
    bool madeState = true;    // false: the state folder had a key before
    bool madeTrust = true;    // false: that device trusted this home's before
    bool madeLinger = false;
    bool wasEnabled = false;  // a service that was there before
    bool wasActive = false;
    QString nameBefore;       // of the device; empty where it got no other
    QStringList newPackages;  // that were installed with it
    QString copy;             // the folder in /tmp where the package lies for apt-get; empty where none is

    QByteArray toJson() const;
    static Result<InstallRecord> parse(const QByteArray &text);
};

}  // namespace hearth
