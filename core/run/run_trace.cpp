#include "core/run/run_trace.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/cbor.h"

namespace hearth {
namespace {

qint64 now() {
    using namespace std::chrono;
    return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

qint64 nanoseconds(double seconds) {
    return std::llround(seconds * 1e9);
}

QString workerOf(const WorkerSession &session) {
    return session.address().fingerprint.toHex();
}

}  // namespace

Result<std::unique_ptr<RunTrace>> RunTrace::create(const QString &path, double runSeconds, qint64 limit) {
    auto file = TraceFile::create(path, limit);
    if (!file)
        return tl::unexpected(file.error());
    return std::unique_ptr<RunTrace>(new RunTrace(std::move(*file), now() - nanoseconds(runSeconds)));
}

RunTrace::RunTrace(std::unique_ptr<TraceFile> file, qint64 origin) : m_file(std::move(file)), m_origin(origin) {
    m_questions.setInterval(questionInterval);
    connect(&m_questions, &QTimer::timeout, this, [this] {
        for (const auto &[worker, member] : m_members)
            ask(worker);
    });
}

void RunTrace::begin(const Deployment &deployment, std::vector<WorkerSession *> workers,
                     std::vector<ScheduledTask> schedule) {
    std::ranges::stable_sort(workers, {}, [&](const WorkerSession *session) {
        const std::vector<int> stages = deployment.stagesOf(workerOf(*session));
        return stages.empty() ? std::pair(-1, -1)
                              : std::pair(stages.front(), deployment.memberOf(stages.front(), workerOf(*session)));
    });
    std::vector<TracedDevice> devices;
    for (WorkerSession *session : workers) {
        devices.push_back({session->id(), session->device().name, workerOf(*session),
                           deployment.stagesOf(workerOf(*session)).size() > 1});
        m_members[workerOf(*session)].session = session;
    }
    m_rounds.clear();  // of a plan that is over
    if (m_timeline)
        m_timeline->setDevices(devices);
    else
        m_timeline = std::make_unique<RunTimeline>(*m_file, m_origin, devices);
    m_schedule = std::move(schedule);
    for (const auto &[worker, member] : m_members)
        ask(worker);
    m_questions.start();
}

void RunTrace::ask(const QString &worker) {
    Member &member = m_members[worker];
    if (!member.session || member.waiting || m_ended)
        return;
    member.waiting = true;
    const qint64 asked = now();
    member.session->call(QStringLiteral("clock"), {}, Rpc::shortDeadline, this,
                         [this, worker, asked](const Result<QCborMap> &answer) {
                             Member &of = m_members[worker];
                             of.waiting = false;
                             // No answer is no harm: the next one comes.
                             if (!answer)
                                 return;
                             of.clock.add(asked, integerOf((*answer)[QStringLiteral("ns")]), now());
                             if (++of.questions < firstQuestions)
                                 ask(worker);
                         });
}

void RunTrace::served(const WorkerSession &worker, const TensorHeader &header, qint64 bytes) {
    if (m_ended)
        return;
    m_rounds[header.round].served[workerOf(worker)].push_back(
        {static_cast<Cargo>(header.kind), static_cast<int>(header.microBatch), header.slot,
         static_cast<int>(header.firstSample), now(), bytes, static_cast<int>(header.stage)});
}

void RunTrace::take(const WorkerSession &worker, RoundTrace trace) {
    // Of rounds that nobody began there is nothing to tell.
    if (const auto round = m_rounds.find(trace.round); !m_ended && round != m_rounds.end())
        round->second.members[workerOf(worker)] = std::move(trace);
}

void RunTrace::roundDone(const event::Round &event) {
    if (m_ended || !m_timeline)
        return;
    TracedRound round = std::move(m_rounds[event.round]);
    m_rounds.erase(m_rounds.begin(), m_rounds.upper_bound(event.round));
    round.round = event.round;
    round.end = now();
    // Its own clock reading is a little later than the one that the round was measured by.
    round.start = std::max(round.end - nanoseconds(event.roundS), std::exchange(m_lastEnd, round.end));
    QJsonObject errors;
    for (const auto &[worker, member] : m_members) {
        if (!member.clock.isKnown())
            continue;
        round.clocks[worker] = member.clock;
        if (member.session)
            errors[member.session->device().name] = static_cast<double>(member.clock.errorAt(round.end)) / 1000;
    }
    round.args = {{QStringLiteral("predicted_s"), event.predictedRoundS},
                  {QStringLiteral("samples_per_s"), event.samplesPerS},
                  {QStringLiteral("clock_error_us"), errors}};
    const bool fits = (m_schedule.empty() || m_timeline->addPrediction(std::exchange(m_schedule, {}), round.start)) &&
                      m_timeline->add(round);
    const auto written = m_file->flush();
    if (!written)
        stop(written.error());
    else if (!fits)
        stop({QStringLiteral("trace.full"), sentence("The trace ends with round %1.").arg(event.round),
              sentence("It holds as many events as it may."), sentence("Look at its rounds, or trace a shorter run.")});
}

void RunTrace::close() {
    m_ended = true;
    m_questions.stop();
    m_rounds.clear();
    (void)m_file->close();
}

void RunTrace::stop(const Error &why) {
    close();
    for (const auto &[worker, member] : m_members) {
        if (member.session)
            member.session->notify(QStringLiteral("trace.end"));
    }
    Q_EMIT ended(why);
}

}  // namespace hearth
