#include "core/run/state_book.h"

#include <algorithm>

namespace hearth {

StateBook::StateBook(const std::vector<Deployment::Stage> &stages, std::vector<Deployment::Backup> backups,
                     std::optional<quint64> complete)
    : m_stages(stages), m_backups(std::move(backups)), m_complete(complete) {}

void StateBook::ask(quint64 version) {
    m_wanted = version;
    m_missingBackups = m_backups;
    m_missingMembers.clear();
    for (const Deployment::Stage &stage : m_stages) {
        for (const Deployment::Member &member : stage.members)
            m_missingMembers.insert(member.device);
    }
}

std::optional<StateBook::GivenUp> StateBook::giveUpLate(quint64 done, quint64 patience) {
    // Each time longer: copies over a link that has become slow are complete some day.
    constexpr int times = 4, mostDoublings = 10;
    if (!m_wanted || done < *m_wanted)
        return std::nullopt;
    GivenUp given{*m_wanted, {}};
    if (m_missingMembers.empty()) {
        if (done - *m_wanted < (times * std::max<quint64>(patience, 1)) << std::min(m_vain, mostDoublings))
            return std::nullopt;
        ++m_vain;
        for (const Deployment::Backup &late : m_missingBackups) {
            if (!given.lateHolders.contains(late.to))
                given.lateHolders << late.to;
        }
    }
    m_wanted.reset();
    return given;
}

void StateBook::kept(const QString &device, quint64 version) {
    if (m_wanted != version)
        return;
    m_missingMembers.erase(device);
    check();
}

std::optional<StateBook::Copy> StateBook::backedUp(const QString &holder, int firstLayer, int lastLayer,
                                                   quint64 version) {
    if (m_wanted != version)
        return std::nullopt;
    const auto same = [&](const Deployment::Backup &each) {
        return each.to == holder && each.firstLayer == firstLayer && each.lastLayer == lastLayer;
    };
    const auto open = std::ranges::find_if(m_missingBackups, same);
    if (open == m_missingBackups.end())
        return std::nullopt;
    m_missingBackups.erase(open);
    const auto stage = std::ranges::find_if(m_stages, [&](const Deployment::Stage &each) {
        return each.firstLayer <= firstLayer && firstLayer < each.lastLayer;
    });
    check();
    return Copy{holder, static_cast<int>(stage - m_stages.begin()), firstLayer, lastLayer};
}

void StateBook::check() {
    if (!m_missingMembers.empty() || !m_missingBackups.empty())
        return;
    m_complete = std::exchange(m_wanted, std::nullopt);
    m_vain = 0;
    m_completed = true;
}

bool StateBook::takeCompleted() {
    return std::exchange(m_completed, false);
}

HeldByDevice StateBook::holders() const {
    HeldByDevice held;
    if (!m_complete)
        return held;
    for (const Deployment::Stage &stage : m_stages) {
        for (const Deployment::Member &member : stage.members)
            addHeld(&held, member.device, {*m_complete, stage.firstLayer, stage.lastLayer});
    }
    for (const Deployment::Backup &backup : m_backups)
        addHeld(&held, backup.to, {*m_complete, backup.firstLayer, backup.lastLayer});
    return held;
}

}  // namespace hearth
