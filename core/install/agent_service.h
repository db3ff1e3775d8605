// The agent as a service of the device: of the system, of a user, or just started.
#pragma once

#include <functional>

#include "core/install/install_record.h"
#include "core/install/remote_programs.h"

namespace hearth {

/// By the way that the plan says when it is asked. One thread; calls block.
class AgentService {
  public:
    /// What it is of; all of it outlives the service.
    struct Installation {
        RemotePrograms &there;
        const SshTarget &target;
        const TargetFacts &facts;
        const InstallPlan &plan;
        InstallRecord &record;
        std::function<Result<void>()> save;  // the record, on the device
        std::function<void(const Sentence &)> note;
    };
    explicit AgentService(Installation installation) : m_of(std::move(installation)) {}

    Result<void> start();
    /// Until it answers.
    Result<void> await();
    /// What is left of the service after this runs, or does not, as before the installation.
    Result<void> stop();

  private:
    Result<void> startOfSystem();
    Result<void> startOfUser();
    Result<void> startAlone();
    RemoteOutput lastOfLog();

    Installation m_of;
};

}  // namespace hearth
