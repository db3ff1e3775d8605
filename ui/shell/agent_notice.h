// Says that the agent of this computer is older than the window, and starts it again.
#pragma once

#include <vector>

#include "core/agent/agent_restart.h"
#include "core/run/files/run_info.h"
#include "ui/base/notice_bar.h"

namespace hearth {

class HomeSource;
class RunController;

/// After an update the agent that runs already stays the old program. Seen until it is another one, or somebody closes
/// it; in no demo. GUI thread; what it is given must outlive it.
class AgentNotice : public NoticeBar {
    Q_OBJECT
  public:
    AgentNotice(HomeSource &home, const RunController &controller);

  private:
    void takeRuns(const std::vector<RunInfo> &runs);
    void refresh();
    /// The version of the agent; empty where it is no older than the window, or does not answer.
    QString olderVersion() const;
    QString textFor(const QString &version, AgentRestart restart) const;
    bool isBusy() const;

    HomeSource &m_home;
    bool m_leads = false;  // a run of this home is under way, and would end with the agent
    QString m_closed;      // the version that somebody does not want to hear of
};

}  // namespace hearth
