// The package that is sent to the device, until it is installed.
#pragma once

#include <functional>

#include "core/install/agent_package.h"
#include "core/install/remote_programs.h"

namespace hearth {

/// In a folder of its own there, of whoever installs it. Calls block, in one thread.
class PackageCopy {
  public:
    /// All of them outlive it.
    PackageCopy(RemotePrograms &there, const SshTarget &target, const InstallPlan &plan)
        : m_there(there), m_target(target), m_plan(plan) {}

    /// In the home the package lies on the disk that was looked at, and goes with the folder whatever happens. What
    /// root is going to install lies where nobody else can change it.
    Result<void> makeFolder();
    /// Empty before makeFolder().
    const QString &folder() const { return m_folder; }
    /// Whether it outlives the installation's own folder, so that somebody has to know of it.
    bool isApart() const { return m_plan.package == PackageWay::Apt; }
    QString file(const AgentPackage &package) const;
    /// `moved` hears how many bytes are there. What did not arrive as it was sent is an error.
    Result<void> upload(const AgentPackage &package, const std::function<void(qint64 bytes)> &moved);
    /// This folder, or that of one that broke off.
    Result<RemoteOutput> remove(const QString &folder);

  private:
    RemotePrograms &m_there;
    const SshTarget &m_target;
    const InstallPlan &m_plan;
    QString m_folder;
};

}  // namespace hearth
