// What a run has told of its devices.
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>
#include <optional>
#include <utility>
#include <vector>

#include "core/plan/plan.h"
#include "core/run/measuring_pace.h"
#include "core/run/run_event.h"

namespace hearth {

class RunModel;

/// How a device fares in the run.
enum class Health { Well, Slow, Suspect, Lost, Left, Returned, Resting, Paused };
struct DeviceFate {
    Health health = Health::Well;
    double since = 0;          // seconds of the run
    std::optional<int> stage;  // (from 0) that it computed when this happened
    bool operator==(const DeviceFate &) const = default;
};

/// Part of a RunModel, which feeds it; reads the plan, the model, the state and the time there. GUI thread.
class RunDevices {
  public:
    explicit RunDevices(const RunModel &run) : m_run(run) {}

    /// All devices that the run has told of, in that order.
    const QStringList &ids() const { return m_ids; }
    /// As the device's event told it, or the beginning of its id.
    QString name(const QString &id) const;
    /// As its event told it: 0 unless the device was on the machine whose agent told the run, as all of a demo are.
    qint64 agentPid(const QString &id) const { return m_told.value(id).agentPid; }
    /// While the run is live a device that the plan gives no layers is resting, and all others pause with the run.
    DeviceFate fate(const QString &device) const;
    /// The stages (from 0) that it computes under the current plan, ascending.
    std::vector<int> stagesOf(const QString &device) const;
    /// The first of them; nothing where it has none.
    std::optional<int> stageOf(const QString &device) const;
    /// Floating-point operations per second that it reached over the last rounds; 0 before the first.
    double measuredSpeed(const QString &device) const;
    /// Where the seconds of the last rounds went, per device id, and the power of graphics cards; moving averages,
    /// seconds per round and watts.
    const QMap<QString, event::RoundDevice> &times() const { return m_times; }
    /// Bytes per second between two devices over the last rounds, by "from>to".
    const QMap<QString, double> &traffic() const { return m_traffic; }
    /// Done and total of a device's profile; nothing where none is under way.
    std::optional<std::pair<int, int>> profileProgress(const QString &device) const;
    /// The same over all devices; 0 of 0 where none is measured.
    std::pair<int, int> measuringProgress() const;
    /// When they are done, as things look.
    std::optional<QDateTime> measuringEnd() const { return m_measuring.end(); }
    /// Lost since the last recovery.
    QStringList lostNames() const;
    /// Whoever has got layers of devices that were lost since the last recovery, by the names people know.
    QStringList heirs() const;

    void clear();
    void take(const event::Run &run) { m_measuring.begin(run); }
    void take(const event::Device &device);
    void take(const event::Profile &profile);
    /// True where a device fares otherwise than before, or the power of its card became known.
    bool take(const event::Round &round);
    void take(const event::Lost &lost);
    /// From now on, for a reason that is no round's.
    void setFate(const QString &device, Health health);
    void stateBegins(const QString &state);
    /// Around a change of the plan in force.
    void planEnds();
    void planBegins();
    void recovered();

  private:
    /// How fast a device computes, against the best that it has done in this run.
    struct Pace {
        int rounds = 0;     // under the plan in force
        double best = 0;    // floating-point operations per second; 0 until a few rounds are done
        double before = 1;  // part of the best that was left when the plan before ended, for one that was slow
        int under = 0;      // rounds in a row
    };

    void followTraffic(const event::Round &round);
    bool followPace(const QString &device);

    const RunModel &m_run;
    double m_stateT = 0, m_planT = 0;
    QStringList m_ids;
    QMap<QString, event::Device> m_told;
    QMap<QString, DeviceFate> m_fates;
    QMap<QString, Pace> m_paces;
    QMap<QString, std::pair<int, int>> m_profiles;
    MeasuringPace m_measuring;
    QMap<QString, event::RoundDevice> m_times;
    QMap<QString, double> m_traffic;
    QStringList m_lost;                    // since the last recovery, as is ...
    std::optional<Plan> m_planBeforeLoss;  // ... this
};

}  // namespace hearth
