// What the links of a run's devices carry alone, and which of them share cards and air.
#pragma once

#include <QCborMap>
#include <QObject>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/profile/link_profile.h"
#include "core/profile/profile_store.h"
#include "core/profile/sharing_tests.h"
#include "core/run/deadlines.h"
#include "core/run/worker_session.h"

namespace hearth {

/// Which links are measured, and how well.
struct LinkScope {
    bool any = true;
    QStringList of;      // empty: of all devices; else only pairs with one of these, and what is shared is not measured
    bool whole = false;  // longer bursts, and of each direction the median of three
    bool again = false;  // what is known of who shares what does not count
};

/// One direction of one pair at a time, so that no two bursts share a cable: a small burst first, which tells how large
/// the one that counts has to be. A pair that cannot be measured has the rate 0. When that is over for all, bursts run
/// at once, as SharingTests asks for them; none where the same is known of less than a day ago and links are as fast as
/// they were, and none inside one computer. The workers' thread; one use; sessions outlive it.
class MeasureLinks : public QObject {
    Q_OBJECT
  public:
    MeasureLinks(const std::vector<WorkerSession *> &workers, const LinkScope &scope, const ProfileStore &store,
                 const RunDeadlines &deadlines, QObject *parent = nullptr);
    /// That worker measures nothing else any more. Before that it must not be disturbed, and would not answer in time.
    void take(std::size_t index);
    const LinkProfile &links() const { return m_links; }
    /// Answers do not count any more.
    void end() { m_over = true; }
    /// What could not be stored.
    std::vector<Error> save() const;

  Q_SIGNALS:
    void warning(const hearth::Error &warning);
    /// Once, when all workers were taken and everything is measured.
    void finished();
    void failed(const hearth::Error &error);

  private:
    struct Burst {
        double bytesPerSecond = 0, latencySeconds = 0;
    };
    using Direction = std::pair<std::size_t, std::size_t>;  // indexes of workers
    using Told = std::function<void(const Result<Burst> &burst)>;
    void next();
    void measure(const Direction &direction, qint64 bytes);
    void takeBurst(const Direction &direction, const Burst &burst, qint64 bytes);
    void takeUnreachable(const Direction &direction, const Error &why);
    void burst(const Direction &direction, qint64 bytes, std::chrono::milliseconds wait,
               std::chrono::milliseconds deadline, Told told);
    static Result<Burst> read(const QCborMap &reply);
    bool hasSharing();
    bool areAsFastAsBefore() const;
    void findSharing();
    void measureAtOnce(const SharingTests::Transfers &transfers);
    Direction directionOf(const std::pair<QString, QString> &transfer) const;

    std::vector<WorkerSession *> m_workers;
    LinkScope m_scope;
    ProfileStore m_store;
    RunDeadlines m_deadlines;
    QStringList m_ids;              // of the workers
    std::vector<bool> m_isTaken;    // in the order of the workers
    std::vector<Direction> m_left;  // to be measured yet
    LinkProfile m_links;
    std::vector<Burst> m_bursts;  // of the direction that is measured
    int m_tries = 0;              // that were too small
    bool m_isMeasuring = false;
    std::optional<SharingTests> m_tests;
    std::vector<double> m_rates;  // of the bursts at once
    int m_open = 0;               // of those
    bool m_over = false;
};

}  // namespace hearth
