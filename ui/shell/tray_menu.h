// What the icon beside the clock offers: this computer's part in training, the window, the end.
#pragma once

#include <QMenu>
#include <optional>

#include "core/home/device_info.h"

namespace hearth {

class HomeSource;
class RunModel;

/// Knows nothing of trays. Actions are found by their object names: "trayState", which only says something,
/// "trayPause", whose menu says for how long ("trayPauseHour", "trayPauseMorning", "trayPauseOpen"), or "trayResume",
/// then "trayShow", "trayClose". The first ones are hidden in a demo, and before the agent of this computer has
/// answered. GUI thread; what it is given must outlive it.
class TrayMenu : public QMenu {
    Q_OBJECT
  public:
    TrayMenu(HomeSource &home, const RunModel &run);

    /// What this computer does, as the pages say it: "This computer · Resting: paused"; empty without its agent.
    QString state() const { return isAgentThere() ? m_words : QString(); }
    /// Whether the agent of this computer answers, or is being started again.
    bool isAgentThere() const;

  Q_SIGNALS:
    void windowWanted();
    void quitWanted();
    /// `state()` or `isAgentThere()` may have another answer.
    void changed();
    /// This computer was neither paused nor resumed.
    void failed(const hearth::Error &error);

  private:
    void refresh();
    QString wordsOf(const DeviceInfo &own) const;
    void pause(std::optional<qint64> until);
    void resume();

    HomeSource &m_home;
    const RunModel &m_run;
    // In this order.
    QAction *m_state;
    QMenu *m_pauses;
    QAction *m_resume, *m_line;
    std::optional<DeviceInfo> m_own;
    QString m_words;
    std::optional<bool> m_asked;  // to be paused, or not to be; until the agent has done so
};

}  // namespace hearth
