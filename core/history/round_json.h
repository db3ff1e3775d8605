// The rounds of runs as JSON Lines, with the names that Weights & Biases gives to steps and times.
#pragma once

#include "core/history/round_writer.h"

namespace hearth {

/// An object per round: `_step`, `_runtime` (seconds of the run), `_timestamp` (seconds since 1970), `run`, and what
/// was measured; what was not is absent.
class RoundJson final : public RoundLines {
  public:
    explicit RoundJson(QIODevice &file) : m_file(file) {}

    void begin(const RunRecord &record) override;

  protected:
    bool write(const RoundLine &line) override;

  private:
    QIODevice &m_file;
    QString m_run;
    double m_started = 0;  // seconds since 1970
};

}  // namespace hearth
