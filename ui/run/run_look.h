// How the states of a run look in History: always a word and an icon, never colour alone.
#pragma once

#include <QDateTime>
#include <QMap>
#include <QString>
#include <optional>
#include <vector>

#include "core/history/run_summary.h"
#include "core/run/files/run_info.h"
#include "ui/base/widgets.h"

namespace hearth {

struct RunLook {
    QString word;
    QString iconName;
    ThemeColour colour;
};

/// `state` is the events' word.
RunLook lookOfRun(const QString &state);

/// Which runs are under way: what the home says, and for the runs of another home how old their last event is. Plain
/// value.
class RunsUnderWay {
  public:
    /// What the home told last.
    void set(const std::vector<RunInfo> &runs);
    /// The word of the last state event, or "interrupted" where nobody works on the run any more.
    QString stateOf(const RunSummary &run, const QDateTime &now) const;
    /// Whether more events are to come.
    bool isLive(const RunSummary &run, const QDateTime &now) const;
    /// Whether somebody may write into its folder: more is to come, or who worked on it has not ended yet.
    bool isHeld(const RunSummary &run, const QDateTime &now) const;
    /// Whether the home works on any.
    bool isAnyLive() const;
    /// What the home told of it last; null where it does not know the run. Valid until the next `set`.
    const RunInfo *find(const RunSummary &run) const;

  private:
    std::optional<QMap<QString, RunInfo>> m_told;  // by id; nothing before the home told
};

}  // namespace hearth
