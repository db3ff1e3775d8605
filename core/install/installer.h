// Puts Hearth's agent on a computer that can be reached by SSH, and makes it a device of this home.
#pragma once

#include <functional>
#include <optional>

#include "core/install/agent_service.h"
#include "core/install/install_dialogue.h"
#include "core/install/install_record.h"
#include "core/install/local_home.h"
#include "core/install/package_copy.h"
#include "core/install/remote_programs.h"

namespace hearth {

enum class InstallEffect {
    NewDevice,   // the computer is a device of this home now
    NewVersion,  // it was one, and has another package now
    Nothing,     // it was one, and had this package already or keeps its own: a note says why
};
/// "new-device", "new-version", "nothing".
QString toWord(InstallEffect effect);

struct InstallResult {
    QString device;       // its name
    QString fingerprint;  // hexadecimal
    QString address;      // of its agent
    QString version;      // of what is there
    InstallEffect effect = InstallEffect::NewDevice;
    QList<Sentence> notes;  // sentences about what stays, or is not as one would expect
};

/// Runs in one thread and blocks: connect, host key, login, a look at the device, consent, copy, package, trust in both
/// directions, service, and waiting until the device is linked. Each step that changes something knows how to undo it;
/// when a later one fails or the person cancels, all of them are undone, the last one first: what this installation
/// made goes, and what was there before is as it was and runs again if it ran. apt-get alone is never broken off; what
/// it did is undone when it has ended. Where the connection is lost in between, or something cannot be undone, the
/// record on the device lets the next installation finish the work, or an uninstall remove it.
class Installer {
  public:
    static constexpr int maximumPasswords = 3;
    static constexpr std::chrono::minutes packageDeadline{20};  // libraries from a mirror, on a slow card
    static constexpr std::chrono::seconds awaitDeadline{30};

    Installer(SshTarget target, InstallOptions options, LocalHome &home, InstallDialogue &dialogue);
    ~Installer();

    Result<InstallResult> install();
    /// Removes what install() made on the device, and this home's trust in it.
    Result<InstallResult> uninstall();

  private:
    struct Undo {
        InstallStep step;
        std::function<Result<void>()> act;
        bool isForgetting = false;  // of what is there to undo: only when all else is undone
    };

    using Work = Result<void> (Installer::*)();
    Result<void> step(InstallStep step, Work work);
    Result<void> enter();
    void undoAll();
    bool isCancelled() const;
    void tell(InstallStep step, InstallProgress::State state, const Sentence &text = {}, double fraction = -1);
    void onUndo(InstallStep step, std::function<Result<void>()> act);
    void note(const Sentence &sentence);
    InstallResult result() const;

    // installer_look.cpp: up to the consent
    Result<void> connect();
    Result<void> checkHostKey();
    Result<void> logIn();
    Result<void> inspect();
    Result<void> askForSudo();
    Result<QStringList> choosePackage();
    Result<QStringList> missingFor(const AgentPackage &package);
    Result<void> report(const std::vector<InstallCheck> &checks);
    Result<void> confirm();

    // installer_steps.cpp: record, copy, trust in both directions, service
    Result<void> saveRecord();
    /// While it is undone: something of an earlier installation stays, and its record with it.
    bool keepsEarlier() const;
    Result<void> copyPackage();
    /// What one that broke off has copied there.
    Result<void> removeEarlierCopy();
    Result<void> pair();
    Result<IdentityFile> identityThere(const QString &newName);
    Result<void> trustHere();
    Result<void> trustThere();
    Result<void> startService();
    Result<void> startEarlier();
    Result<void> awaitDevice();

    // installer_package.cpp
    Result<void> installPackage();
    Result<void> installByApt();
    void keepPackage();
    Result<void> unpackIntoHome();
    /// What apt-get would install anew with these words; an error where it could not, or would remove something.
    Result<QStringList> simulateInstall(const QStringList &words);

    // installer_remove.cpp
    /// Nothing that anybody else put there goes with the package.
    Result<void> checkRemovable();
    Result<void> removePackage();
    Result<void> removeState();
    /// The state folder was there before: name and trust are again as they were.
    Result<void> restoreState();
    Result<void> lookForRecord();
    Result<void> removeEverything();

    SshTarget m_target;
    InstallOptions m_options;
    LocalHome &m_home;
    InstallDialogue &m_dialogue;
    TargetFacts m_facts;
    InstallPlan m_plan;
    RemotePrograms m_there{m_target, m_facts, m_plan};
    PackageCopy m_copy{m_there, m_target, m_plan};
    AgentPackage m_package;
    InstallRecord m_record;
    std::optional<InstallRecord> m_earlier;
    bool m_needsLibraries = false;
    bool m_mustFinish = false;  // a step that may not be broken off
    bool m_hasStarted = false;  // the agent that this installation brings
    AgentService m_service{{m_there, m_target, m_facts, m_plan, m_record, [this] { return saveRecord(); },
                            [this](const Sentence &sentence) { note(sentence); }}};
    QList<Sentence> m_notes;
    IdentityFile m_device;
    std::vector<Undo> m_undo;
    bool m_undoing = false;
};

}  // namespace hearth
