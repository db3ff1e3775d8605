#include "ui/run/run_look.h"

#include <algorithm>
#include <limits>

#include "core/run/files/state_words.h"
#include "ui/run/event_sentences.h"

namespace hearth {

namespace {
// A run of another home is left its word while it is not silent for longer than this, and than so many of its rounds.
constexpr double longestSilence = 60;
constexpr double longestSilenceRounds = 5;

/// In seconds; a run that is paused says nothing, however long.
double usualSilence(const RunSummary &run) {
    if (run.state == QLatin1String("paused"))
        return std::numeric_limits<double>::infinity();
    const double round = run.rounds > 0 ? run.seconds / static_cast<double>(run.rounds) : 0;
    return std::max(longestSilence, longestSilenceRounds * round);
}
}  // namespace

RunLook lookOfRun(const QString &state) {
    struct Row {
        const char *state;
        const char *icon;
        ThemeColour colour;
    };
    static constexpr Row rows[] = {
        {"finished", "check", &Theme::good},       {"stopped", "stop", &Theme::secondary},
        {"failed", "error", &Theme::bad},          {"interrupted", "lost", &Theme::bad},
        {"training", "train", &Theme::accentText}, {"paused", "pause", &Theme::slow},
        {"recovering", "warning", &Theme::slow},   {"profiling", "measuring", &Theme::accentText},
        {"planning", "plan", &Theme::accentText},  {"waiting", "pause", &Theme::slow},
    };
    for (const Row &row : rows) {
        if (state == QLatin1String(row.state))
            return {stateText(state), QLatin1String(row.icon), row.colour};
    }
    return {state.isEmpty() ? QStringLiteral("–") : stateText(state), QStringLiteral("info"), &Theme::secondary};
}

void RunsUnderWay::set(const std::vector<RunInfo> &runs) {
    m_told.emplace();
    for (const RunInfo &run : runs)
        m_told->insert(run.id, run);
}

bool RunsUnderWay::isLive(const RunSummary &run, const QDateTime &now) const {
    if (isFinalState(run.state))
        return false;
    if (!m_told)
        return true;
    if (const auto told = m_told->constFind(run.id); told != m_told->constEnd())
        return told->live;
    return static_cast<double>(now.toMSecsSinceEpoch() - run.modified) / 1000 < usualSilence(run);
}

bool RunsUnderWay::isHeld(const RunSummary &run, const QDateTime &now) const {
    const bool isKnown = m_told && m_told->contains(run.id);
    // Of another home's run silence says too little.
    return isKnown ? isLive(run, now) || m_told->value(run.id).live : isUnderWay(run.state);
}

bool RunsUnderWay::isAnyLive() const {
    return m_told && std::any_of(m_told->begin(), m_told->end(), [](const RunInfo &run) { return run.live; });
}

const RunInfo *RunsUnderWay::find(const RunSummary &run) const {
    if (!m_told)
        return nullptr;
    const auto told = m_told->constFind(run.id);
    return told != m_told->constEnd() ? &*told : nullptr;
}

QString RunsUnderWay::stateOf(const RunSummary &run, const QDateTime &now) const {
    if (isFinalState(run.state) || isLive(run, now))
        return run.state;
    return QStringLiteral("interrupted");
}

}  // namespace hearth
