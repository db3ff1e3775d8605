// The rounds of runs in the forms that other programs read.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/history/round_chunks.h"
#include "core/history/run_record.h"
#include "core/run/run_event.h"

class QIODevice;

namespace hearth {

/// Writes one run after another. Single thread.
class RoundWriter {
  public:
    using Cancelled = std::function<bool()>;

    RoundWriter() = default;
    virtual ~RoundWriter() = default;
    Q_DISABLE_COPY_MOVE(RoundWriter)

    /// What was measured of the next run after some rounds, ascending; before `begin()`.
    virtual void expect(const event::Evaluation &, double /*t*/) {}
    virtual void begin(const RunRecord &record) = 0;
    /// Rounds ascend. False where the file takes no more, or after it was cancelled.
    virtual bool add(const RoundRow &row) = 0;
    /// Ends the run. False where the file takes no more.
    virtual bool end() { return true; }
    /// Whether something is missing, for the events could not be read.
    virtual bool isUnreadable() const { return false; }
};

/// `file` is open for writing and outlives it; `cancelled` is asked often.
std::unique_ptr<RoundWriter> makeRoundWriter(RunExport form, QIODevice &file, const RoundWriter::Cancelled &cancelled);

/// When a run began, in seconds since 1970; 0 where it was not told.
double startedSeconds(const RunSummary &run);

/// What there is to say of one round: `row`, or an evaluation after it, or both.
struct RoundLine {
    qint64 round = 0;
    double t = 0;  // seconds of the run
    const RoundRow *row = nullptr;
    const event::Evaluation *evaluation = nullptr;
};

/// One number of a round, under the names that JSON Lines and TensorBoard have for it.
struct RoundFigure {
    const char *name;
    const char *tag;  // null: TensorBoard has no curve of it
    double value;
};
/// What was measured; what was not is absent.
std::vector<RoundFigure> figuresOf(const RoundLine &line);

/// One line per round, and one for an evaluation of a round that does not exist: before the first, for instance.
class RoundLines : public RoundWriter {
  public:
    void expect(const event::Evaluation &evaluation, double t) override;
    bool add(const RoundRow &row) override;
    bool end() override;

  protected:
    /// False where the file takes no more.
    virtual bool write(const RoundLine &line) = 0;

  private:
    struct Evaluated {
        event::Evaluation evaluation;
        double t;
    };
    bool writeEvaluationsBefore(qint64 round);

    std::vector<Evaluated> m_evaluated;
    std::size_t m_next = 0;  // of them
};

}  // namespace hearth
