#include "core/run/run_start.h"

#include <QDateTime>
#include <QFileInfo>
#include <algorithm>

#include "core/data/preparation.h"
#include "core/plan/plan_memory.h"
#include "core/plan/replay/survivors.h"
#include "core/run/job_data.h"
#include "core/run/job_fit.h"

namespace hearth {

RunStart::RunStart(const RunContext &run, PlanInForce &current, Replanner &replanner, CheckpointFolder &folder,
                   Evaluator &evaluator, BestWeights &best, CodecGuard &guard, Reconfiguration &reconfiguration,
                   QObject *parent)
    : QObject(parent),
      m_run(run),
      m_current(current),
      m_replanner(replanner),
      m_folder(folder),
      m_evaluator(evaluator),
      m_best(best),
      m_guard(guard),
      m_reconfiguration(reconfiguration) {
    m_gathering.setSingleShot(true);
    connect(&m_gathering, &QTimer::timeout, this, [this] {
        if (mayBegin())
            beginWith();
    });
}

void RunStart::begin() {
    if (m_run.request.again)
        takeUp();
    else if (m_run.request.resume)
        resume();
    else
        beginAnew();
}

void RunStart::beginAnew() {
    const RunRequest &request = m_run.request;
    const QString now = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
    event::Run run{request.id, now, request.job.toJson(), request.model.toJson(), runKindName(request.kind)};
    if (!request.makesNoRound()) {
        run.trainingSamples = m_run.inputs.data->count(Split::Train);
        run.evaluationSamples = m_run.inputs.data->count(evaluatedSplit(request.job));
    }
    run.weights = request.weights;
    run.origin = request.origin;
    if (!m_run.log.record(run))
        return;
    for (const auto &[name, json] : {std::pair{QStringLiteral("job.json"), request.job.toJson()},
                                     std::pair{QStringLiteral("model.json"), request.model.toJson()}}) {
        if (auto saved = m_run.directory.saveJson(name, json); !saved) {
            Q_EMIT failed(saved.error());
            return;
        }
    }
    if (m_run.inputs.match &&
        !m_run.log.record(event::Warning{
            sentence("The run begins with a part of its weights from %1.").arg(QFileInfo(request.weights).fileName()),
            m_run.inputs.match->toSentence(),
            {}}))
        return;
    if (tellMisfit() && tellGone())
        beginWithDevices();
}

bool RunStart::tellMisfit() const {
    const RunRequest &request = m_run.request;
    // Data that cannot go into the network were refused when they were read; advice is for a single set.
    if (request.kind != RunKind::Train || request.job.data.size() > 1)
        return true;
    const auto doubt = doubtOf(request.job, request.model, DataShape::of(*m_run.inputs.data));
    return !doubt || m_run.log.warn(doubt->error);
}

bool RunStart::tellGone() const {
    const GoneFiles &gone = m_run.inputs.data->gone();
    if (gone.count == 0)
        return true;
    const QString data = m_run.request.job.dataText();
    const Sentence which =
        gone.first.isEmpty()
            ? sentence("{1|It is one file.|There are %1 of them.}").arg(gone.count)
            : sentence("{1|It is %2.|There are %1 of them. The first is %2.}").arg(gone.count).arg(gone.first);
    return m_run.log.record(event::Warning{
        sentence("Files of the data %1 are gone, and the run goes on without them.").arg(data), which,
        sentence("Bring them back, or take them off the list of the data for later runs: \"Check again\" under \"Your "
                 "data\", or hearth data check.")});
}

bool RunStart::tellChanges(const RunProgress &begun) const {
    const Dataset &data = *m_run.inputs.data;
    const qint64 training = data.count(Split::Train), evaluation = data.count(evaluatedSplit(m_run.request.job));
    const bool isSame = training == begun.trainingSamples && evaluation == begun.evaluationSamples;
    if (begun.trainingSamples == 0 || isSame)
        return tellGone();
    const event::Warning changed{
        sentence("The data %1 are not those that the run began with.").arg(m_run.request.job.dataText()),
        sentence("It began with %1 {1|sample|samples} to train and %2 to evaluate; there are %3 and %4.")
            .arg(begun.trainingSamples, begun.evaluationSamples, training, evaluation),
        sentence(
            "It goes on with them in another order. Where the job sets samples apart for validation, some of these "
            "were trained before, and evaluations look better than they are: start a new run for such figures.")};
    return m_run.log.record(changed) && tellGone();
}

Result<void> RunStart::describeData() const {
    RunDirectory &directory = m_run.directory;
    if (!QFileInfo::exists(directory.file(RunData::fileName()))) {
        const auto saved = directory.saveJson(RunData::fileName(), m_run.inputs.described(m_run.request.job).toJson());
        if (!saved)
            return saved;
    }
    return savePreparation(*m_run.inputs.data, directory.path());
}

void RunStart::beginWithDevices() {
    if (auto described = describeData(); !described) {
        Q_EMIT failed(described.error());
        return;
    }
    for (const DeviceInfo &device : m_run.membership.devices()) {
        if (!m_run.log.record(
                event::Device{device.id, device.name, toWord(device.state), device.address, device.agentPid}))
            return;
    }
    if (m_run.request.plan) {
        auto checked =
            readGivenPlan(*m_run.request.plan, m_run.request.job, m_run.request.model, m_run.membership.devices());
        if (!checked) {
            Q_EMIT failed(checked.error());
            return;
        }
        m_replanner.setGiven(std::move(*checked));
    }
    if (!mustHaveDevices())
        return;
    const bool anyRests =
        std::ranges::any_of(wanted(), [](const DeviceInfo &device) { return device.state == DeviceState::Resting; });
    if (m_isPaused || (mayAwait() && anyRests && !canBegin()))
        await();
    else
        beginWith();
}

void RunStart::beginWith() {
    m_awaits = false;
    m_missed.clear();
    std::vector<DeviceInfo> devices = wanted();
    if (mayAwait() && canBegin()) {
        // Who takes no work now joins later.
        const auto later =
            std::ranges::stable_partition(devices, [](const DeviceInfo &device) { return takesWork(device.state); });
        for (const DeviceInfo &device : later)
            m_missed << device.id;
        devices.erase(later.begin(), later.end());
    }
    Q_EMIT started();
    if (m_run.log.isOpen())
        connectWorkers(devices);
}

/// What it says of evaluations is taken.
RunProgress RunStart::readProgress() {
    const RunProgress progress =
        RunProgress::read(m_run.directory.file(QStringLiteral("events.jsonl")), m_run.request.job, m_run.total);
    m_evaluator.setLastRound(progress.evaluated);
    m_evaluator.setBest(progress.best);
    m_best.tellKept(progress.kept);
    return progress;
}

void RunStart::resume() {
    const RunProgress progress = readProgress();
    if (!tellChanges(progress))
        return;
    const auto known = RunStateFile::load(m_run.directory.file(RunStateFile::name()));
    m_current.setTerm(std::max(progress.term, known ? known->term : 0) + 1);
    if (known) {
        m_guard.setRaises(known->codecs);
        m_current.origins() = known->origins;
        m_folder.setCourse(known->term, known->origins);
    }
    // Without a plan: whoever takes this one's place before there is one must not look for the workers of before.
    if (auto saved = m_current.save(); !saved) {
        Q_EMIT failed(saved.error());
        return;
    }
    m_reconfiguration.readCheckpoint([this, progress] {
        if (m_folder.version() == 0) {
            Q_EMIT failed({QStringLiteral("run.no-checkpoint"), sentence("The run cannot go on."),
                           sentence("None of its checkpoints is whole."), sentence("Start it anew.")});
            return;
        }
        m_evaluator.setLastRound(std::min(progress.evaluated, static_cast<qint64>(m_folder.version())));
        beginWithDevices();
    });
}

void RunStart::takeUp() {
    const QString file = m_run.directory.file(RunStateFile::name());
    const auto known = RunStateFile::load(file);
    // What was trained must not begin anew because nobody can read where it is.
    if (!known && !m_run.request.resume && QFileInfo::exists(file)) {
        Q_EMIT failed(known.error());
        return;
    }
    for (const QString &device : known ? known->sentAway : QStringList())
        m_run.membership.leaving().sendAway(device);
    if (!known || !known->problem || !known->plan) {
        // It died before the first plan: nothing was trained, but what a run that goes on began with.
        m_isPaused = mayAwait() && RunProgress::read(m_run.directory.file(QStringLiteral("events.jsonl")),
                                                     m_run.request.job, m_run.total)
                                       .isPaused;
        if (m_run.request.resume) {
            resume();
            return;
        }
        if (m_run.directory.lastSeq() == 0) {
            beginAnew();  // it waited for data of another device
            return;
        }
        m_current.setTerm(known ? known->term + 1 : 1);
        beginWithDevices();
        return;
    }
    const RunProgress progress = readProgress();
    if (!tellChanges(progress))
        return;
    m_current.setTerm(std::max(progress.term, known->term));
    m_current.origins() = known->origins;
    m_guard.setRaises(known->codecs);
    m_replanner.setGiven(known->given);
    if (!known->given && m_run.request.plan) {
        // Kept until a loss, as before; a device that it needs may be gone by now.
        if (auto read =
                readGivenPlan(*m_run.request.plan, m_run.request.job, m_run.request.model, m_run.membership.devices()))
            m_replanner.setGiven(std::move(*read));
    }
    m_replanner.setProblem(*known->problem);
    for (const QString &device : progress.joined)
        m_replanner.welcome(device);
    m_current.setPlan(*known->plan);
    Q_EMIT takenUp(progress);
    m_folder.setCourse(known->term, known->origins);
    m_folder.lookUp();
    reconnect(known->workers, progress.rounds);
}

void RunStart::takeSessions() {
    for (auto &session : m_connecting->takeSessions())
        m_run.membership.add(std::move(session));
    m_connecting.reset();
}

void RunStart::reconnect(const std::vector<RunStateFile::Worker> &workers, qint64 rounds) {
    Membership &members = m_run.membership;
    m_connecting.reset(new ConnectWorkers(m_run.request.id, m_run.agent, m_run.connector, m_run.deadlines));
    connect(m_connecting.get(), &ConnectWorkers::finished, this, [this, workers, rounds, &members] {
        takeSessions();
        for (const RunStateFile::Worker &worker : workers) {
            members.markStarted(worker.device);
            if (members.session(worker.device)) {
                if (members.leaving().isSentAway(worker.device))
                    members.leaving().begin(worker.device);
                continue;
            }
            if (!m_run.log.record(event::Lost{worker.device, rounds + 1,
                                              sentence("Its worker was gone when the coordinator came back.")}))
                return;
            members.expect(worker.device);
        }
        expectOthers();
        for (const QString &device : members.draining())
            members.leaving().begin(device);
        Q_EMIT reconnected();
    });
    std::vector<std::pair<DeviceInfo, WorkerAddress>> known;
    for (const RunStateFile::Worker &worker : workers) {
        if (const DeviceInfo *device = members.device(worker.device))
            known.emplace_back(*device, worker.address);
    }
    m_connecting->reconnect(known);
}

void RunStart::connectWorkers(const std::vector<DeviceInfo> &devices) {
    Membership &members = m_run.membership;
    for (const DeviceInfo &device : devices)
        members.markStarted(device.id);
    m_connecting.reset(new ConnectWorkers(m_run.request.id, m_run.agent, m_run.connector, m_run.deadlines));
    connect(m_connecting.get(), &ConnectWorkers::workerStarted, &members, &Membership::workerStarted);
    connect(m_connecting.get(), &ConnectWorkers::failed, this, [this](const Error &error) {
        if (mayAwait() && error.code == QLatin1String("device.resting"))
            beginAgain();
        else
            Q_EMIT failed(error);
    });
    connect(m_connecting.get(), &ConnectWorkers::lost, this, &RunStart::lost);
    connect(m_connecting.get(), &ConnectWorkers::finished, this, [this] {
        takeSessions();
        Q_EMIT connected();
    });
    m_connecting->start(devices);
}

void RunStart::measure() {
    const RunRequest &request = m_run.request;
    m_profiling.reset(new ProfileWorkers(request.job, request.model, request.profiles, m_run.deadlines));
    ProfileScope scope;
    scope.whole = request.measureAll;
    // Where a plan is kept whatever rounds tell of it, it is not made on guesses.
    const bool isKept = request.kind == RunKind::Train && request.safety.keepsPlan;
    scope.guesses = !m_mustMeasure && request.kind != RunKind::Measure && request.kind != RunKind::Plan && !isKept;
    if (request.kind == RunKind::Measure)
        scope.layersOf = scope.linksOf = request.measured;
    if (request.measureAgain) {
        scope.again = request.measured;
        for (WorkerSession *session : m_run.membership.workers()) {
            if (request.measured.isEmpty())
                scope.again << session->id();
        }
    }
    m_profiling->setScope(scope);
    m_profiling->tell(m_run.log);
    connect(m_profiling.get(), &ProfileWorkers::failed, this, &RunStart::failed);
    connect(m_profiling.get(), &ProfileWorkers::finished, this, [this] {
        if (m_run.request.kind == RunKind::Measure)
            m_profiling->end();  // whoever waits for it reads what is stored
        Q_EMIT measured();
    });
    m_profiling->start(m_run.membership.workers());
}

void RunStart::plan() {
    auto problem = problemOf(m_run.request, *m_run.inputs.data, m_run.membership.workers(), *m_profiling);
    if (problem) {
        m_replanner.setProblem(std::move(*problem));
        startPlanning();
    }
    m_profiling.reset();  // what was measured is stored while a plan is looked for
    if (!problem)
        Q_EMIT failed(problem.error());
}

void RunStart::startPlanning() {
    const bool isLookedAtAgain = m_run.request.kind == RunKind::Train && !m_run.request.safety.keepsPlan &&
                                 std::ranges::any_of(m_replanner.problem()->times, &TimeTable::isPredicted);
    m_planning.reset(new PlanTask(isLookedAtAgain ? PlanTask::Manner::Provisional : PlanTask::Manner::Awaited));
    connect(m_planning.get(), &PlanTask::finished, this, [this](const Plan &made) {
        const Plan first = made;
        m_planning.reset();
        if (m_replanner.isGuess() && !fitsWholly(CostModel(*m_replanner.problem()), first))
            doubt();
        else
            Q_EMIT planned(first);
    });
    connect(m_planning.get(), &PlanTask::failed, this, [this](const Error &error) {
        if (m_replanner.isGuess())
            doubt();
        else
            Q_EMIT failed(error);
    });
    m_planning->start(*m_replanner.problem(), m_run.request.planner, m_replanner.given(), m_current.isTraced());
}

/// A description says rather too much of memory: what is measured may fit.
void RunStart::doubt() {
    m_planning.reset();
    m_mustMeasure = true;
    m_replanner.forgetProblem();
    Q_EMIT doubted();
}

bool RunStart::mayLose(const QString &device) const {
    const Membership &members = m_run.membership;
    return (m_profiling || m_planning) && members.session(device) && members.workers().size() > 1 &&
           !m_replanner.given();
}

void RunStart::goOnWithout(const QString &device) {
    m_missed << device;
    m_profiling.reset();
    m_planning.reset();
    m_run.membership.remove(device, Departure::Released);
    if (!m_replanner.problem()) {
        measure();
        return;
    }
    m_replanner.setProblem(problemWithout(*m_replanner.problem(), {device}));
    startPlanning();
}

void RunStart::stop() {
    m_awaits = false;
    m_gathering.stop();
    m_connecting.reset();
    m_profiling.reset();
    // It is written with each plan. Whoever asks why there was none needs it, too.
    if (m_planning && m_replanner.problem()) {
        const auto saved = m_run.directory.saveJson(QStringLiteral("problem-%1.json").arg(m_current.term()),
                                                    m_replanner.problem()->toJson());
        if (!saved)
            m_run.log.warn(saved.error());
    }
    m_planning.reset();
}

}  // namespace hearth
