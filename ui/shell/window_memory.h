// Where the window was, how its tables and panes were set, and where the cards of Home lie, from one start to the next.
#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <optional>

#include "core/base/error.h"
#include "ui/job/kept_job.h"

namespace hearth {

class MainWindow;

/// Reads and writes the group "window" of the settings. What cannot be used (garbage, a page or a screen that is gone,
/// a table with other columns) is passed over. GUI thread.
class WindowMemory {
    Q_DECLARE_TR_FUNCTIONS(WindowMemory)
  public:
    /// Both must outlive it.
    WindowMemory(MainWindow &window, QSettings &settings) : m_window(window), m_settings(settings) {}
    /// Before the window is shown.
    void restore();
    /// The error tells of changes of the job that are in no file, and found no place here either.
    Result<void> save();
    /// The job's file, what was changed of it and not saved, and the weights that it begins with; not into a window
    /// that was given a job, which then does not write over what is remembered. The error tells of changes that
    /// cannot be read, or of a file that cannot be opened any more.
    Result<void> restoreJob();

  private:
    void restoreGeometry();
    void saveJob();
    /// Nothing where all of it was saved.
    Result<std::optional<KeptJob>> unsavedJob() const;
    template <class Visitor>
    void visitPanes(Visitor visit) const;

    MainWindow &m_window;
    QSettings &m_settings;
    bool m_keepsJob = false;
};

}  // namespace hearth
