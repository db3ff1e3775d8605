// What training may take of this device, and whether it takes any work now.
#pragma once

#include <QDeadlineTimer>
#include <QObject>
#include <QTimer>
#include <functional>

#include "core/agent/agent_options.h"
#include "core/agent/card_finder.h"
#include "core/agent/card_monitor.h"
#include "core/agent/device_book.h"
#include "core/agent/host_resources.h"
#include "core/agent/worker_host.h"
#include "core/home/device_limits.h"
#include "core/home/home_links.h"

namespace hearth {

/// Holds the limits of this device, when it rests, and whether it is about to leave. Main thread; what it is given
/// outlives it.
///
/// Calls of windows and terminals: limits.set {device?, limits}; leave → {workers}, and the agent ends when left() says
/// so. Calls of linked devices: limits.set {limits, now?: the sender's clock in seconds since 1970, by which a pause
/// ends}. Notes to them: leaving.
class LimitsService : public QObject {
    Q_OBJECT
  public:
    /// For the coordinators of others to plan without this device and to take what its workers hold.
    static constexpr std::chrono::milliseconds leaveDeadline{20000};

    LimitsService(const AgentOptions &options, const DeviceLimits &limits, DeviceBook &devices, HomeLinks &links,
                  WorkerHost &workers);

    void serveLinks();
    void serve(Rpc &rpc);

    const HostResources &host() const { return m_host; }
    const DeviceLimits &limits() const { return m_limits; }
    /// Its graphics card, as far as anything is known of one.
    std::optional<GraphicsCard> card() const;
    Rest rest() const { return m_rest; }
    /// As it was looked at last; nullopt where there is no battery.
    std::optional<PowerSource> power() const { return m_power; }
    DeviceState state() const;
    qint64 since() const { return m_since; }  // when the state was noted that is now; milliseconds since 1970
    void noteState();

    /// From now on; kept over restarts. Memory and threads count for workers that start later. A device that is to take
    /// no work now leaves its runs in order, stays in the home, and comes back when it may. Error "limits.pause-over".
    Result<void> set(const DeviceLimits &limits);
    /// The same for any device of the home, by id or name; empty: this one. A device that cannot be reached keeps what
    /// it has.
    void setOf(const QString &device, const DeviceLimits &limits, QObject *context,
               std::function<void(Result<void>)> done);
    /// Error "device.leaving" or "device.resting".
    Result<void> mustTakeWork() const;
    /// Error "device.leaving".
    Result<void> mustStay() const;

    /// Leaves politely: the home hears of it (note "leaving"; state Leaving), no new work is taken, and `left` follows
    /// once no worker for another device's coordinator is here, or after leaveDeadline. Own runs go on until the end.
    void leave();
    int foreignWorkers() const { return m_workers.countForeign(); }

  Q_SIGNALS:
    /// What this device tells of itself is another.
    void changed();
    void restChanged();
    void leaving();
    void left();

  private:
    void findCard();
    void watchCard();
    bool othersCompute(const CardReading &reading) const;
    void cardLooked();
    void takeStarts();
    WorkerShare share() const;
    void follow();

    QString m_path;
    int m_threads = 0;  // without limits
    qint64 m_memoryBytes = 0;
    bool m_memoryGiven = false;  // not what the machine has
    HostResources m_host;
    CardFinder m_cards;
    CardMonitor m_monitor;
    bool m_cardKnown = false;                // what there is to compute on, and what others leave of it
    QDeadlineTimer m_cardTaken{0};           // another program computed on it lately, until then
    qint64 m_cardOthers = 0;                 // what other programs hold of the card's memory
    QTimer m_lookTimer;                      // runs while a worker's start waits for a look at the card
    std::optional<GraphicsCard> m_toldCard;  // with the bytes that a worker may use of it,
    qint64 m_toldBytes = 0;                  // as the home heard last
    DeviceLimits m_limits;
    DeviceBook &m_devices;
    HomeLinks &m_links;
    WorkerHost &m_workers;
    Rest m_rest = Rest::None;
    std::optional<PowerSource> m_power;
    QTimer m_timer;  // runs only where one of both may change by itself
    bool m_leaving = false;
    QTimer m_leaveTimer;
    DeviceState m_state = DeviceState::Lost;  // as it was noted last,
    qint64 m_since = 0;                       // and since when it is so
};

}  // namespace hearth
