// How programs are run on the device: as the person who logged in, as root, as the agent's user.
#pragma once

#include <memory>

#include "core/install/install_plan.h"
#include "core/install/ssh_host.h"

namespace hearth {

/// Asks what it is given with each call: facts and plan become known on the way. One thread; calls block once there is
/// a host.
class RemotePrograms {
  public:
    /// All of them outlive it.
    RemotePrograms(const SshTarget &target, const TargetFacts &facts, const InstallPlan &plan)
        : m_target(target), m_facts(facts), m_plan(plan) {}

    void setHost(std::unique_ptr<SshHost> host) { m_host = std::move(host); }
    /// From setHost() on.
    SshHost &host() { return *m_host; }
    /// That this user has there; an empty one: none.
    void setSudoPassword(Secret password) { m_sudoPassword = std::move(password); }
    bool hasSudoPassword() const { return !m_sudoPassword.isEmpty(); }
    /// What it said where it refuses this user.
    void setSudoSaid(const Sentence &said) { m_sudoSaid = said; }

    Result<RemoteOutput> run(const QStringList &words, const QByteArray &input = {},
                             std::chrono::milliseconds deadline = RemoteHost::usualDeadline);
    Result<RemoteOutput> asRoot(const QStringList &words, const QByteArray &input = {},
                                std::chrono::milliseconds deadline = RemoteHost::usualDeadline);
    /// The words with what makes them root's.
    Result<RemoteCommand> rootCommand(const QStringList &words);
    /// As whoever installs the package: what root is going to install lies where nobody else can change it.
    Result<RemoteCommand> packageCommand(const QStringList &words);
    Result<RemoteOutput> asPackager(const QStringList &words);
    /// As the user that the agent has.
    Result<RemoteOutput> asAgent(const QStringList &words, const QByteArray &input = {});
    /// A script of sh with its arguments, as the user who logged in.
    Result<RemoteOutput> script(const QByteArray &text, const QStringList &arguments);

  private:
    const SshTarget &m_target;
    const TargetFacts &m_facts;
    const InstallPlan &m_plan;
    std::unique_ptr<SshHost> m_host;
    Secret m_sudoPassword;
    Sentence m_sudoSaid;
};

}  // namespace hearth
