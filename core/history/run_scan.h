// Takes the events of one run into History's index.
#pragma once

#include <QByteArray>
#include <QSet>

#include "core/history/round_chunks.h"
#include "core/history/run_record.h"
#include "core/run/run_event.h"

namespace hearth {

class IndexDatabase;

/// One slice of events.jsonl, within one transaction: `begin()`, `take()` each line, `finish()`. Follows the same rules
/// as the window: repeated events are dropped, and a round that is done again takes the place of what it undoes.
class RunScan {
  public:
    /// `record` has its key, and outlives this.
    RunScan(IndexDatabase &database, RunRecord &record)
        : m_database(database),
          m_record(record),
          m_chunks(database, record.key),
          m_deviceIds(record.deviceIds.begin(), record.deviceIds.end()),
          m_workedIds(record.workedIds.begin(), record.workedIds.end()) {}

    Result<void> begin() { return m_chunks.load(); }
    Result<void> take(const QByteArray &line);
    Result<void> finish();

  private:
    void take(const event::Run &run);
    void take(const event::Device &device);
    Result<void> take(const event::Round &round, const RunEvent &event);
    Result<void> take(const event::Evaluation &evaluation, double t);
    /// Counts the events that matter; false for the others.
    bool matters(const RunEventBody &body);
    Result<void> keep(const RunEvent &event, const QByteArray &line);
    Result<void> count();

    IndexDatabase &m_database;
    RunRecord &m_record;
    RoundChunks m_chunks;
    QSet<QString> m_deviceIds, m_workedIds;
};

}  // namespace hearth
