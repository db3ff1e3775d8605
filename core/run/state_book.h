// What the coordinator knows of the states that its workers hold, and which version is complete in the home.
#pragma once

#include <QStringList>
#include <optional>
#include <set>
#include <vector>

#include "core/protocol/deployment.h"
#include "core/run/recovery_choice.h"

namespace hearth {

/// Per term: the coordinator asks for one version at a time to be kept by all; it is complete when every member has
/// reported that it keeps it, and every backup that it is whole. Devices are plan ids. One thread; no timers.
class StateBook {
  public:
    struct Copy {  // of a stage's layers on another device
        QString holder;
        int stage = 0;
        int firstLayer = 0;
        int lastLayer = 0;
    };

    StateBook() = default;
    /// `complete`: held by everybody from the start of the term, or nothing.
    StateBook(const std::vector<Deployment::Stage> &stages, std::vector<Deployment::Backup> backups,
              std::optional<quint64> complete);

    /// Nothing, or the version that is being kept and is not complete.
    std::optional<quint64> wanted() const { return m_wanted; }
    void ask(quint64 version);
    struct GivenUp {
        quint64 version = 0;
        QStringList lateHolders;  // whose copies did not come; nobody: a member heard of the version too late
    };
    /// All have reported the rounds up to `done`. It gives the wanted version up where that cannot become complete,
    /// since a member heard of it too late, or where its copies are late by several times `patience` rounds.
    std::optional<GivenUp> giveUpLate(quint64 done, quint64 patience);
    /// A member said so with its report of that round.
    void kept(const QString &device, quint64 version);
    /// A backup is whole. Nothing where nobody asked for it.
    std::optional<Copy> backedUp(const QString &holder, int firstLayer, int lastLayer, quint64 version);
    /// The wanted version became complete with the last call.
    bool takeCompleted();
    std::optional<quint64> complete() const { return m_complete; }
    /// Who holds what of the complete version.
    HeldByDevice holders() const;

  private:
    void check();

    std::vector<Deployment::Stage> m_stages;
    std::vector<Deployment::Backup> m_backups;
    std::optional<quint64> m_wanted, m_complete;
    std::set<QString> m_missingMembers;
    std::vector<Deployment::Backup> m_missingBackups;
    bool m_completed = false;
    int m_vain = 0;  // versions in a row whose copies were late
};

}  // namespace hearth
