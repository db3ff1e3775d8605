// The workers that run on this device, one per run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/agent/card_finder.h"
#include "core/agent/process_host.h"
#include "core/base/card_load.h"

namespace hearth {

/// What a worker that starts may take of this device. Plain value.
struct WorkerShare {
    int threads = 1;
    qint64 memoryBytes = 0;         // of the processor's
    qint64 memoryForOthers = 0;     // of a worker for another device's run
    bool enforceMemory = false;     // somebody set that limit: a worker that takes more is ended
    std::optional<FoundCard> card;  // it computes on this one,
    qint64 cardBytes = 0;           // and takes so much of its memory

    /// Of what it computes in: what plans count with.
    qint64 usableBytes() const { return card ? cardBytes : memoryBytes; }
};

/// Starts, watches and ends worker processes. start() answers with a `warning` (an error's fields) where the worker was
/// to compute on the card and that one ended in its start: it computes on the processor instead. Main thread.
class WorkerHost : public ProcessHost {
    Q_OBJECT
  public:
    /// `trustsFabric`: workers for other devices' runs may sum over a trusted fabric.
    explicit WorkerHost(ProcessSettings settings, bool trustsFabric = false, QObject *parent = nullptr);
    ~WorkerHost() override;

    const WorkerShare &share() const { return m_share; }
    /// For workers that start from now on.
    void setShare(const WorkerShare &share) { m_share = share; }
    /// The processes that compute on the card.
    std::vector<qint64> cardPids() const;
    /// Passes this on to the workers that compute on the card.
    void tellCard(const CardLoad &load);
    /// Why the last worker that was to compute on the card computes on the processor; empty where it does as it should.
    const Sentence &cardTrouble() const { return m_cardTrouble; }

  Q_SIGNALS:
    void cardTroubleChanged();

  protected:
    bool launch(const QString &run, const Start &start) override { return launch(run, start, std::nullopt); }
    void tellExit(const QString &run, const QString &owner, const Error &reason, bool requested) override;

  private:
    /// Of a worker on the card, which may end before it has answered: another one on the processor takes its place.
    struct OnCard {
        Start start;
        bool over = false;  // it has answered, or has such a successor
    };
    /// `cardFailed`: what became of the one on the card.
    bool launch(const QString &run, const Start &start, const std::optional<Error> &cardFailed);
    std::unique_ptr<ChildProcess> makeWorker(bool own) const;
    QStringList argumentsOf(const QString &run, bool own, bool onCard) const;
    void setCardTrouble(const Sentence &trouble);

    WorkerShare m_share;
    bool m_trustsFabric;
    std::map<QString, std::shared_ptr<OnCard>> m_onCard;  // by run
    Sentence m_cardTrouble;
};

}  // namespace hearth
