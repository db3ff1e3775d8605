// What an installation will do on one computer: decided before anything is changed there.
#pragma once

#include <QStringList>

#include "core/install/agent_package.h"
#include "core/install/target_facts.h"

namespace hearth {

struct InstallRecord;

enum class Rights { None, Root, Sudo, SudoWithPassword };
enum class PackageWay {
    Apt,        // apt-get install, for the whole computer
    HomeFolder  // unpacked into the user's home: the Debian package as well as the bundle
};
enum class ServiceWay {
    System,  // systemd, as user hearth
    User,    // the user's systemd, with lingering
    Plain    // started in the background; nobody starts it again after a restart of the computer
};

struct InstallOptions {
    quint16 agentPort = 0;            // 0: the usual one, or that of an earlier installation
    QString deviceName;               // empty: the device's own
    QString packagePath;              // empty: the one that fits, of packageFolders
    bool forThisUser = false;         // change nothing outside the home, rights or not
    QString hostKey;                  // the fingerprint that the host must show; empty: the person is asked
    QStringList packageFolders = {};  // where packages are; empty: packageFolders()
};

/// Plain value.
struct InstallPlan {
    Rights rights = Rights::None;
    PackageWay package = PackageWay::HomeFolder;
    ServiceWay service = ServiceWay::Plain;
    bool isOurs = false;    // something of ours is there already
    bool isUpdate = false;  // and it was whole
    QString agentProgram;   // where hearth-agent will be
    QString stateDir;
    QString folder;  // ~/.local/share/hearth-install: the record, and what is unpacked
    quint16 agentPort = 47600;
    QString sha256;  // of what an earlier installation installed; empty where that is not known

    /// What apt has installed stays: it is this very package or a newer one, or nobody there may replace it.
    bool keeps(const TargetFacts &facts, const AgentPackage &other) const;
    /// Sentences that say what will be changed there, for a person who is asked.
    QList<Sentence> changes(const TargetFacts &facts, const AgentPackage &package) const;
};

/// The names of these ways in records: "apt", "home-folder"; "system", "user", "plain".
QString toWord(PackageWay way);
QString toWord(ServiceWay way);

/// What an earlier installation chose stays; `earlier` is null where there is none.
InstallPlan planInstall(const TargetFacts &facts, const InstallOptions &options,
                        const InstallRecord *earlier = nullptr);

/// Whether a Debian package whose dependencies `missing` are not there would be of no use: the C library is older than
/// its programs need, or nobody can install the libraries, for want of rights or because the system is another one.
bool isOfNoUse(const AgentPackage &package, const TargetFacts &facts, const InstallPlan &plan,
               const QStringList &missing);

}  // namespace hearth
