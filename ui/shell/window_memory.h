// Where the window was, and how its tables and panes were set, from one start to the next.
#pragma once

#include <QSettings>

namespace hearth {

class MainWindow;

/// Reads and writes the group "window" of the settings. What cannot be used (garbage, a page or a screen that is gone,
/// a table with other columns) is passed over. GUI thread.
class WindowMemory {
  public:
    /// Both must outlive it.
    WindowMemory(MainWindow &window, QSettings &settings) : m_window(window), m_settings(settings) {}
    /// Before the window is shown.
    void restore();
    void save();
    /// The job's file and what was changed of it and not saved; not into a window that was given a job.
    void restoreJob();

  private:
    void restoreGeometry();
    void saveJob();
    template <class Visitor>
    void visitPanes(Visitor visit) const;

    MainWindow &m_window;
    QSettings &m_settings;
};

}  // namespace hearth
