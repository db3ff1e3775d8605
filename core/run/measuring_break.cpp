#include "core/run/measuring_break.h"

#include <algorithm>

#include "core/plan/memory.h"
#include "core/plan/plan_memory.h"
#include "core/profile/declared_facts.h"
#include "core/run/measuring_pace.h"
#include "core/run/plan_run.h"

namespace hearth {
namespace {

/// What is left of the run takes so long at least: plans on guesses take a fifth more, and twenty times the seconds
/// that measuring in brief usually takes save a multiple of these then.
constexpr double leastLeft = 20 * 4;

/// Of a device that measures in brief, its libraries apart: one pass over the whole network, or one layer at the
/// largest number of samples.
double measuringBytes(const PlanningProblem &problem, int largest) {
    PlanningProblem bare;  // nothing is trained
    bare.inputBytes = problem.inputBytes;
    bare.layers = problem.layers;
    const MemoryModel memory(bare);
    const auto layers = static_cast<int>(bare.layers.size());
    const int samples = BriefProfile::mostSamples(largest);
    double most = memory.stageBytes({0, layers, samples});
    for (int l = 0; l < layers; ++l)
        most = std::max(most, memory.stageBytes({l, l + 1, largest}));
    return most;
}

/// By device, of those that have layers.
QMap<QString, qint64> bytesInForce(const PlanningProblem &present, const Plan &plan) {
    Prediction prediction;
    judgeMemoryAsRun(CostModel(present), plan, &prediction);
    return prediction.memoryBytes;
}

}  // namespace

MeasuringBreak::MeasuringBreak(const RunContext &run, const PlanInForce &current, const RoundLoop &rounds,
                               Replanner &replanner, QObject *parent)
    : QObject(parent), m_run(run), m_current(current), m_rounds(rounds), m_replanner(replanner) {}

bool MeasuringBreak::isGuessed(const WorkerSession &worker) const {
    const PlanningProblem &problem = *m_replanner.problem();
    const int index = problem.indexOf(worker.id());
    return index >= 0 && !m_keep.contains(worker.id()) && problem.times[static_cast<std::size_t>(index)].isGuess();
}

bool MeasuringBreak::isWanted() const {
    if (m_left <= 0 || m_run.request.kind != RunKind::Train || m_run.request.safety.keepsPlan || m_replanner.given() ||
        !m_replanner.problem())
        return false;
    if (m_rounds.meanSeconds() * static_cast<double>(m_run.total - m_rounds.completed()) < leastLeft)
        return false;
    return std::ranges::any_of(m_run.membership.workers(),
                               [this](const WorkerSession *worker) { return isGuessed(*worker); });
}

/// A device of the problem: as it measured the network, else as is guessed of it.
ModelProfile MeasuringBreak::toldOf(const WorkerSession &worker, const std::vector<LayerFacts> &estimated) const {
    const PlanningProblem &problem = *m_replanner.problem();
    const Model &model = m_run.request.model;
    const ProfileKey key = profileKey(worker, model, m_run.request.job);
    ModelProfile told;
    told.device = worker.id();
    told.modelSha256 = key.modelSha256;
    told.times = problem.times[static_cast<std::size_t>(problem.indexOf(worker.id()))];
    told.layers = estimated;
    if (told.times.isGuess())
        return told;
    if (auto own = ProfileStore(m_run.request.profiles).load(key); own && own->layers.size() == told.layers.size())
        told.layers = std::move(own->layers);
    return told;
}

bool MeasuringBreak::begin() {
    if (m_measuring)
        return true;
    const RunRequest &request = m_run.request;
    const PlanningProblem &problem = *m_replanner.problem();
    const double needed = measuringBytes(problem, profiledBatches(request.job).back());
    const QMap<QString, qint64> inForce = bytesInForce(m_replanner.ofPresent(), m_current.plan());
    const std::vector<LayerFacts> estimated = estimatedFacts(request.model, dtypeOf(request.job.precision));
    ProfileScope scope;
    scope.withLinks = false;
    std::vector<WorkerSession *> workers;
    for (WorkerSession *worker : m_run.membership.workers()) {
        const int index = problem.indexOf(worker->id());
        if (index < 0)
            continue;
        workers.push_back(worker);
        const PlanningProblem::Device &device = problem.devices[static_cast<std::size_t>(index)];
        const qint64 taken = inForce.value(device.id, device.runtimeBytes);
        const bool hasRoom = static_cast<double>(taken) + needed <= static_cast<double>(device.memoryBytes);
        const bool measures = isGuessed(*worker) && hasRoom;
        if (!measures)
            m_keep.insert(device.id);
        (measures ? scope.otherwise : scope.known).push_back(toldOf(*worker, estimated));
    }
    if (scope.otherwise.empty())
        return false;
    m_measuring.reset(new ProfileWorkers(request.job, request.model, request.profiles, m_run.deadlines));
    m_measuring->setScope(scope);
    m_measuring->tell(m_run.log);
    connect(m_measuring.get(), &ProfileWorkers::failed, this, &MeasuringBreak::fail);
    connect(m_measuring.get(), &ProfileWorkers::finished, this, &MeasuringBreak::take);
    m_measuring->start(workers);
    return true;
}

void MeasuringBreak::take() {
    const auto all = problemOf(m_run.request, *m_run.inputs.data, m_run.membership.workers(), *m_measuring);
    if (!all) {
        fail(all.error());
        return;
    }
    PlanningProblem problem = *m_replanner.problem();
    problem.layers = all->layers;
    for (std::size_t d = 0; d < all->devices.size(); ++d) {
        const auto index = static_cast<std::size_t>(problem.indexOf(all->devices[d].id));
        problem.devices[index].runtimeBytes = all->devices[d].runtimeBytes;
        problem.devices[index].codecs = all->devices[d].codecs;
        problem.times[index] = all->times[d];
        m_keep.insert(all->devices[d].id);
    }
    m_replanner.setProblem(std::move(problem));
    m_replanner.consider(QStringLiteral("measured"));
    end();
}

void MeasuringBreak::fail(const Error &error) {
    m_left = 0;
    if (m_run.log.warn(error, sentence("The run goes on without it.")))
        end();
}

void MeasuringBreak::end() {
    m_measuring.reset();
    Q_EMIT ended();
}

bool MeasuringBreak::drop() {
    const bool wasUnderWay = isUnderWay();
    m_measuring.reset();
    return wasUnderWay;
}

void MeasuringBreak::dropForChange() {
    if (drop())
        --m_left;
}

void MeasuringBreak::memberLeft() {
    if (!isUnderWay())
        return;
    dropForChange();
    QMetaObject::invokeMethod(this, &MeasuringBreak::ended, Qt::QueuedConnection);
}

}  // namespace hearth
