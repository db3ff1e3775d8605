// The sentences of a run of History, made a few at a time.
#pragma once

#include <QTimer>
#include <deque>

#include "core/history/run_summary.h"
#include "ui/run/run_model.h"

namespace hearth {

/// Feeds the events of a run's details to a RunModel as if they came live, in pieces that no frame notices: plans of
/// many devices take long to read. GUI thread.
class RunStory : public QObject {
    Q_OBJECT
  public:
    explicit RunStory(QObject *parent = nullptr);

    const RunModel &run() const { return m_run; }
    /// `over`: no more events will come; without a final state the run counts as interrupted.
    void tell(const RunDetails &details, bool over);
    void clear();

  private:
    void tellSome();

    RunModel m_run;
    QTimer m_timer;
    std::deque<RunEvent> m_left;
    bool m_over = false;
    QString m_id;
    quint64 m_told = 0;  // seq of the last event that was told
};

}  // namespace hearth
