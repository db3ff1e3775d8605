// The devices that the window shows. The app implements it over the local agent; tests over recorded homes. Nothing
// here knows sockets, processes or tensors.
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/agent/agent_restart.h"
#include "core/base/error.h"
#include "core/discovery/finding.h"
#include "core/discovery/nearby.h"
#include "core/home/device_info.h"

namespace hearth {

class DemoSwitches;
class Installation;
class MeasureControl;
class PairingControl;
struct InstallRequest;

/// How far looking for computers that offer SSH has come.
enum class ComputerSearch {
    Looking,     // those who are there may not have answered yet
    Looked,      // nearby() has them
    Impossible,  // the agent does not answer, or is of a version that does not look for them
};

/// The devices of one home. GUI thread; all signals are emitted there.
class HomeSource : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// A demo home lives inside this program and ends with it.
    virtual bool isDemo() const = 0;
    /// Nobody was ever trusted here and nothing trained: the window then begins with the ways to begin.
    virtual bool isFresh() const { return false; }
    /// Goes over to a demo home inside this program, or back to this computer's own. What is known of the home before
    /// is forgotten: `demoChanged` follows at once, devices as they come, or `failed`. A run of the own home goes on;
    /// one of the demo ends, and its story is kept with the own home's.
    virtual void enterDemo() = 0;
    virtual void leaveDemo() = 0;
    /// Trusts the device that made this file ("hearth-agent init"); `address` ("host:port") may be empty: then those of
    /// the file count. `trusted` follows, or `failed`.
    virtual void trust(const QString &identityFile, const QString &address) = 0;
    /// How devices come into this home and leave it, the same object as long as this lives; of no use in a demo home.
    virtual PairingControl &pairing() = 0;
    /// What training may take of a device from now on; `devicesChanged` follows, or `failed`.
    virtual void setLimits(const QString &device, const DeviceLimits &limits) = 0;
    /// What a device is called here from now on; `devicesChanged` follows, or `failed`.
    virtual void rename(const QString &device, const QString &name) = 0;
    /// The same object as long as this lives.
    virtual MeasureControl &measuring() = 0;
    /// Nothing outside a demo home.
    virtual DemoSwitches *switches() const { return nullptr; }
    /// How the agent of this computer can begin again.
    virtual AgentRestart agentRestart() const { return AgentRestart::ByHand; }
    /// Where that is possible: its workers and the runs that it leads end with it. `waitingChanged` follows, devices as
    /// they come, or `failed`.
    virtual void restartAgent() {}
    /// Where its agent keeps runs, measurements and log; empty where that cannot be read from here.
    virtual QString stateDir() const { return {}; }
    /// A device that is to join by SSH; nothing is begun yet. Null where none can: in a demo home, in a record.
    virtual Installation *makeInstallation(const InstallRequest &request, QObject *owner) {
        Q_UNUSED(request)
        Q_UNUSED(owner)
        return nullptr;
    }
    /// One sentence while the home is being reached ("Starting three devices …"); empty once it answers.
    virtual QString waitingFor() const = 0;
    /// In a stable order, this computer first.
    virtual std::vector<DeviceInfo> devices() const = 0;
    /// This computer; nothing before its agent has answered.
    std::optional<DeviceInfo> ownDevice() const {
        for (const DeviceInfo &device : devices()) {
            if (device.self)
                return device;
        }
        return std::nullopt;
    }
    /// Who announces itself in the network; nothing in a demo home.
    virtual Nearby nearby() const { return {}; }
    /// nearby() tells of computers that offer SSH, too, for some seconds: who shows them asks again and again.
    virtual void lookForComputers() {}
    virtual ComputerSearch computerSearch() const { return ComputerSearch::Impossible; }
    /// Looks for the reasons why a device cannot be seen: `finding` tells each as it comes, pending ones first;
    /// `diagnosed` follows, or `failed`.
    virtual void diagnose() {}

  Q_SIGNALS:
    /// Another home from here on.
    void demoChanged();
    void trusted(const QString &name);
    void devicesChanged();
    /// `nearby()` or `computerSearch()` has another answer.
    void nearbyChanged();
    void finding(const hearth::Finding &finding);
    void diagnosed();
    /// `waitingFor()` has another answer.
    void waitingChanged();
    void failed(const hearth::Error &error);
};

}  // namespace hearth
