// Which codecs a run uses in which round: the plan's, as far as what was measured bears them.
#pragma once

#include <QJsonArray>
#include <map>
#include <vector>

#include "core/plan/level_limit.h"
#include "core/plan/plan.h"
#include "core/protocol/codec_changes.h"
#include "core/run/run_event.h"

namespace hearth {

/// AccEPT-style. The first rounds lose no more than bf16. What a check finds too lossy is written by the next less
/// lossy codec for `raisedRounds`: a cut that loses more than its codec may, and all that lose anything on the way
/// forward where the loss differs too much twice running. A function of checks alone: a round that is repeated is
/// written as it was. Plain value; rounds count from 1.
class CodecRaises {
  public:
    static constexpr qint64 raisedRounds = 1000;
    static constexpr double mostLossChange = 0.02;

    std::vector<CutCodec> codecsAt(const Plan &plan, qint64 round) const;
    /// After round `begun`.
    std::vector<CodecChange> changesAfter(const Plan &plan, qint64 begun) const;
    /// What a plan for that round must keep to.
    std::vector<LevelLimit> limitsAt(qint64 round) const;

    /// Raises what the check of a round under `plan` asks for, from round `from` on: the cuts that change.
    std::vector<event::Codec> take(const event::CodecCheck &check, const Plan &plan, qint64 from);

    QJsonObject toJson() const;
    static Result<CodecRaises> fromJson(const QJsonObject &object, const QString &source, const QString &path);

  private:
    struct Raise {
        LevelLimit limit;
        qint64 from = 0, until = 0;  // half-open
    };

    std::vector<Raise> m_raises;
    qint64 m_deviated = 0;  // the last checked round whose loss differed too much
};

}  // namespace hearth
