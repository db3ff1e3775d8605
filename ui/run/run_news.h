// What somebody who does not look at the window is told of a run.
#pragma once

#include <QObject>
#include <functional>

namespace hearth {

class Notifier;
class RunController;
class RunModel;
struct RunEvent;

/// Tells losses, recoveries and the end of a run while nobody watches, also where it ends without a word, never what is
/// only replayed; and says beside the clock what the run does. Made after the window, so that `run` has taken each
/// event first. GUI thread; all arguments must outlive it.
class RunNews : public QObject {
    Q_OBJECT
  public:
    RunNews(const RunModel &run, const RunController &controller, Notifier &notifier, std::function<bool()> isWatched,
            QObject *parent = nullptr);

    void setEnabled(bool enabled);
    bool isEnabled() const { return m_enabled; }
    /// What is said beside the clock where no run is under way, or nothing is to be told of it; empty: there is no icon
    /// then.
    void setOtherwise(const QString &text);
    /// Says it again, for a desktop that had no place for icons before.
    void refreshPresence();

  private:
    void take(const RunEvent &event);
    void tell(const RunEvent &event);
    void tellInterrupted();
    void takeEnd();

    const RunModel &m_run;
    const RunController &m_controller;
    Notifier &m_notifier;
    std::function<bool()> m_isWatched;
    QString m_otherwise;
    bool m_enabled = true;
    bool m_underWay = false;  // as the newest state that was no replay said
};

}  // namespace hearth
