// The second step of a run: what every device and every link can do.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/model/model.h"
#include "core/predict/brief_profile.h"
#include "core/profile/model_profile.h"
#include "core/profile/profile_store.h"
#include "core/run/deadlines.h"
#include "core/run/home_times.h"
#include "core/run/job.h"
#include "core/run/measure_links.h"
#include "core/run/operation.h"
#include "core/run/worker_session.h"

namespace hearth {

class RunLog;

/// What is measured where not everything is; ids of devices.
struct ProfileScope {
    QStringList layersOf;   // empty: of all devices
    bool withLinks = true;  // false: none is measured
    QStringList linksOf;    // LinkScope::of
    QStringList again;      // what the store knows of their layers and libraries does not count
    bool whole = false;     // every layer at every size, though times could be predicted well
    bool guesses = false;   // what the home knows of a device may do for a first plan: nothing is measured then
    /// Of devices whose layers are not measured, whatever the store knows of them: they train meanwhile.
    std::vector<ModelProfile> known = {};
    /// Of devices for which training rests: what counts where a brief profile does not do and a whole one takes longer
    /// than BriefProfile::shortWhole.
    std::vector<ModelProfile> otherwise = {};
};

/// How what that worker measures of the network is found again.
ProfileKey profileKey(const WorkerSession &worker, const Model &model, const Job &job);

/// Measures all devices at once (those that the store knows already are not measured again, nor for batches that did
/// not fit into their memory, unless they have a tenth more of it): the benchmark network, so that times of networks
/// that nobody measured here can be predicted; then the job's, in brief where the rest can be predicted well enough
/// from that and from what the home knows (BriefProfile), else wholly. For a first plan a guess may do: all times of
/// the job's network are predicted, and its bytes told by its description (unmeasuredProfile()); on processors only, as
/// no description tells what the library of a card takes. And the links, of a pair as soon as both are done
/// (MeasureLinks). What was measured is stored once, at the end, and guesses are not: a coordinator that dies before
/// loses it, and the next run measures again. One use; sessions outlive it.
class ProfileWorkers : public QObject {
    Q_OBJECT
  public:
    ProfileWorkers(const Job &job, const Model &model, const QString &storeFolder, const RunDeadlines &deadlines,
                   QObject *parent = nullptr);
    /// Before start().
    void setScope(const ProfileScope &scope) { m_scope = scope; }
    /// Its progress and warnings are events of the run from now on; `log` outlives it.
    void tell(RunLog &log);
    void start(const std::vector<WorkerSession *> &workers);
    /// In the order of the workers, those out of scope are empty; at finished().
    const std::vector<ModelProfile> &profiles() const { return m_profiles; }
    /// In the same order. What a worker's libraries hold is the most that was ever seen there: those that it calls as
    /// it computes take more than it said when it came.
    const std::vector<DeviceProfile> &devices() const { return m_devices; }
    const LinkProfile &links() const { return m_links->links(); }
    /// Nothing more is measured, which workers are told, and what was is stored. Before failed() it does so itself.
    void end();

  Q_SIGNALS:
    void progress(const QString &device, int done, int total);
    void warning(const hearth::Error &warning);
    void finished();
    void failed(const hearth::Error &error);

  private:
    void introduce();
    void measure(std::size_t index);
    /// False: it has to measure.
    bool takeGuess(std::size_t index);
    void measureBenchmark(std::size_t index);
    void measureNetwork(std::size_t index);
    void measureInBrief(std::size_t index);
    void measureUnits(std::size_t index, const std::shared_ptr<BriefProfile> &brief);
    /// In brief it did not do.
    void measureRest(std::size_t index, const BriefProfile &brief);
    void measureWholly(std::size_t index);
    using Measured = std::function<void(const Result<QCborMap> &reply)>;
    /// `steps` are told on the way; what is told of them is not shown where `isShown` is false.
    void ask(std::size_t index, const QString &call, const QCborMap &more, int steps, bool isShown, Measured then);
    Result<ModelProfile> read(std::size_t index, const Model &model, QCborMap reply);
    std::optional<ModelProfile> known(std::size_t index, const Model &model) const;
    void takeRuntime(std::size_t index, qint64 bytes);
    void take(std::size_t index, ModelProfile profile);
    void warnUnless(const Result<void> &saved);
    void measured(std::size_t index);
    void giveUp(const Error &error);

    Job m_job;
    Model m_model;
    ProfileStore m_store;
    HomeTimes m_home;
    RunDeadlines m_deadlines;
    ProfileScope m_scope;
    std::vector<WorkerSession *> m_workers;
    std::vector<ModelProfile> m_profiles;
    std::vector<DeviceProfile> m_devices;
    MeasureLinks *m_links = nullptr;  // a child, from start() on
    std::size_t m_open = 0;           // introductions that have not been answered
    std::vector<bool> m_isMeasured;   // in the order of the workers
    bool m_over = false;
};

/// Owns one. Dropping it before its end ends it.
struct EndMeasuring {
    void operator()(ProfileWorkers *measuring) const {
        measuring->end();
        DeleteLater()(measuring);
    }
};
using Measuring = std::unique_ptr<ProfileWorkers, EndMeasuring>;

}  // namespace hearth
