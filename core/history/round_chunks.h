// The rounds of a run in History's index: many to a row, so that a million of them is read in a moment.
#pragma once

#include <QByteArray>
#include <functional>
#include <vector>

#include "core/base/error.h"
#include "core/history/run_summary.h"

namespace hearth {

class IndexDatabase;

/// What a "round" event says but for its devices and links. Plain value.
struct RoundRow {
    quint64 seq = 0;
    qint64 round = 0;
    qint64 term = 0;
    double t = 0;
    double loss = 0, roundS = 0, predictedRoundS = 0, samplesPerS = 0;
};

/// What all rounds up to one say together. Plain value.
struct RoundFigures {
    double firstLoss = RunSummary::unknown, lowestLoss = RunSummary::unknown;
    double secondsPerSample = 0;  // summed over all rounds that told their speed,
    qint64 timedRounds = 0;       // so many

    void add(const RoundRow &row);
};

/// The rounds of one run, ascending. Used within one transaction; the newest rounds are in memory until `flush()`. Each
/// chunk begins with the figures of all before it, so that rounds are taken back without a look at those that stay.
class RoundChunks {
  public:
    RoundChunks(IndexDatabase &database, qint64 run) : m_database(database), m_run(run) {}

    /// Reads the newest rounds; before anything else.
    Result<void> load();
    const RoundRow *last() const { return m_tail.empty() ? nullptr : &m_tail.back(); }
    /// Of all rounds that count.
    RoundFigures figures() const;
    Result<void> append(const RoundRow &row);
    /// Takes back this round and all behind it. True where there were any.
    Result<bool> dropFrom(qint64 round);
    Result<void> flush();

    /// All rounds that are stored, in order; `visit` returns false to end it, and so does this then.
    static Result<bool> forEach(IndexDatabase &database, qint64 run,
                                const std::function<bool(const RoundRow &)> &visit);

  private:
    IndexDatabase &m_database;
    qint64 m_run;
    RoundFigures m_before;         // of all rounds before
    std::vector<RoundRow> m_tail;  // the last chunk
    bool m_changed = false;
};

}  // namespace hearth
