// The rounds of one run under the plan in force: what is fed, who has reported, and whether anything moves.
#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <optional>

#include "core/run/data_feed.h"
#include "core/run/membership.h"
#include "core/run/operation.h"
#include "core/run/progress_limit.h"
#include "core/run/round_tracker.h"
#include "core/run/run_request.h"
#include "core/run/slow_rounds.h"
#include "core/run/starved_rounds.h"

namespace hearth {

/// Writes every round down once all members have reported it. Where nothing moves and nobody computes for longer than
/// rounds suggest, those that are waited for must show that they live; in the end the round is stuck. A round that is
/// merely slow never is. The only one that knows which round is under way. The coordinator's thread; what it is given
/// outlives it.
class RoundLoop : public QObject {
    Q_OBJECT
  public:
    /// The link with the most that is not delivered; none: no bytes.
    struct WaitingBytes {
        QString from, to;  // devices; `from` is empty where this device, which serves the data, sends
        QString fromName, toName;
        qint64 bytes = 0;
        Sentence toSentence() const;
    };

    RoundLoop(const RunRequest &request, std::shared_ptr<const Dataset> data, Membership &membership, RunLog &log,
              const RunDeadlines &deadlines, QObject *parent = nullptr);

    /// Another plan: the rounds after `completed`, none before setLimit() says so. `layout` is of its members.
    /// `predicted` as in setPredicted().
    void begin(const Deployment &deployment, FeedLayout layout, qint64 completed, std::map<qint64, double> predicted);
    /// Seconds of a round from each of these on; one of them is the next.
    void setPredicted(std::map<qint64, double> seconds);
    /// Nothing is fed any more. How far the rounds came stays known.
    void stop();
    /// Nothing is under way, and nothing is waited for.
    void rest();
    bool isFed() const { return m_feed != nullptr; }
    /// There was a plan once.
    bool hasBegun() const { return m_tracker.has_value(); }
    /// 0 before the first.
    qint64 completed() const { return m_tracker ? m_tracker->completed() : 0; }
    /// While it is fed: the last round of which anything was sent, and the last one that will be.
    qint64 begun() const { return m_feed->begun(); }
    qint64 limit() const { return m_feed->limit(); }
    void setLimit(qint64 round) { m_feed->setLimit(round); }
    void take(const WorkerSession &worker, const RoundReport &report);
    /// RoundTracker's, of the last round that was done.
    const std::vector<CutPacking> &packing() const { return m_tracker->packing(); }
    /// What was sent since the last round was complete was of none: an evaluation's samples.
    void passOver() { m_tracker->passOver(); }
    /// Bytes of a transfer have moved, or a worker has computed.
    void noteAlive();

    /// Of all rounds, repeated ones included; 0 before the first.
    double meanSeconds() const;

  Q_SIGNALS:
    /// It was written down.
    void done(const hearth::event::Round &round);
    /// Before done(), of a round that was checked; nobody has said yet by which codecs its cuts were written.
    void checked(const hearth::event::CodecCheck &check);
    /// Nothing moves. `from` and `to` name the link that is to blame, if one is.
    void stuck(const hearth::Error &error, double quietSeconds, const QString &from, const QString &to);
    void failed(const hearth::Error &error);
    /// BatchSource's; nobody is late in between.
    void waiting(const hearth::Error &error);
    void found();

  private:
    void waitForProgress();
    void noteProgress();
    void askWhoIsLate();
    void warnOfSlowRound(qint64 round);
    bool warnOfLoss(const event::Round &round);
    void noteStarved();
    bool warnOfStarving(const event::Round &round);
    double predictedOf(qint64 round) const;
    QString lateNames() const;
    WaitingBytes longestWait() const;

    const RunRequest &m_request;
    std::shared_ptr<const Dataset> m_data;
    Membership &m_membership;
    RunLog &m_log;
    RunDeadlines m_deadlines;
    Operation<DataFeed> m_feed;
    std::optional<RoundTracker> m_tracker;
    SlowRounds m_slowRounds;
    StarvedRounds m_starvedRounds;
    bool m_isStarved = false;  // DataFeed's
    ProgressLimit m_progressLimit;
    QTimer m_quiet;
    int m_alarms = 0;  // in a row, of rounds that were quiet for too long
    double m_quietSince = -1;
    std::map<qint64, double> m_predicted;
    double m_seconds = 0;  // of all rounds
    qint64 m_rounds = 0;
    bool m_warnedOfLoss = false;
};

}  // namespace hearth
