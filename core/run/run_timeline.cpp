#include "core/run/run_timeline.h"

#include <algorithm>
#include <tuple>

namespace hearth {
namespace {

// Processes of the file; those of the devices follow.
constexpr int coordinatorProcess = 1, linkProcess = 2, planProcess = 3, firstDevice = 4;

const QString coordinatorName = QStringLiteral("coordinator");

auto identity(const TraceFrame &frame) {
    return std::tuple(frame.cargo, frame.stage, frame.microBatch, frame.slot, frame.firstSample);
}

using SendTimes = std::map<decltype(identity({})), qint64>;

/// When the tensors of one link were handed over, by the coordinator's clock.
SendTimes sendTimes(const TracedRound &round, const QString &sender, const QString &receiver) {
    SendTimes times;
    if (sender.isEmpty()) {
        if (const auto served = round.served.find(receiver); served != round.served.end()) {
            for (const TraceFrame &frame : served->second)
                times.emplace(identity(frame), frame.at);
        }
        return times;
    }
    const auto clock = round.clocks.find(sender);
    const auto trace = round.members.find(sender);
    if (clock == round.clocks.end() || trace == round.members.end())
        return times;
    for (const TraceFrame &frame : trace->second.sent.value(receiver))
        times.emplace(identity(frame), clock->second.toLocal(frame.at));
    return times;
}

/// `stage`: -1 where it goes without saying.
QString numbered(const QString &name, int number, int stage = -1) {
    if (number < 0)
        return name;
    return stage < 0 ? QStringLiteral("%1 %2").arg(name).arg(number)
                     : QStringLiteral("%1 %2.%3").arg(name).arg(stage).arg(number);
}

/// Of what crosses a cut the stage before it, as plans have it; else the one that the tensor is for.
int tracedStageOf(const TraceFrame &frame) {
    return frame.cargo == Cargo::Activation ? frame.stage - 1 : frame.stage;
}

QJsonObject frameArgs(const TraceFrame &frame, qint64 round, qint64 waited) {
    return {
        {QStringLiteral("round"), round},
        {QStringLiteral("stage"), tracedStageOf(frame)},
        {frame.cargo == Cargo::AllReduce ? QStringLiteral("piece") : QStringLiteral("micro_batch"), frame.microBatch},
        {QStringLiteral("first_sample"), frame.firstSample},
        {QStringLiteral("bytes"), frame.bytes},
        {QStringLiteral("queued_us"), static_cast<double>(waited) / 1000}};
}

}  // namespace

RunTimeline::RunTimeline(TraceFile &file, qint64 origin, const std::vector<TracedDevice> &devices)
    : m_file(file), m_origin(origin) {
    m_file.nameProcess(coordinatorProcess, coordinatorName, 0);
    m_file.nameThread(coordinatorProcess, 1, QStringLiteral("rounds"), 0);
    setDevices(devices);
}

void RunTimeline::setDevices(const std::vector<TracedDevice> &devices) {
    for (const TracedDevice &device : devices) {
        m_members[device.worker].tid = 1;
        if (const auto known = std::ranges::find(m_devices, device.id, &TracedDevice::id); known != m_devices.end()) {
            m_members[device.worker].end = m_members[known->worker].end;
            *known = device;
            continue;
        }
        const auto number = static_cast<int>(m_devices.size());
        m_devices.push_back(device);
        m_file.nameProcess(firstDevice + number, device.name, 1 + number);
        m_file.nameThread(firstDevice + number, 1, QStringLiteral("compute"), 0);
    }
    const auto below = static_cast<int>(m_devices.size());
    m_file.nameProcess(linkProcess, QStringLiteral("links"), 1 + below);
    m_file.nameProcess(planProcess, QStringLiteral("plan (predicted)"), 2 + below);
}

QString RunTimeline::nameOf(const QString &worker) const {
    const auto at = std::ranges::find(m_devices, worker, &TracedDevice::worker);
    return at == m_devices.end() ? coordinatorName : at->name;
}

bool RunTimeline::hasSeveralStages(const QString &worker) const {
    const auto at = std::ranges::find(m_devices, worker, &TracedDevice::worker);
    return at != m_devices.end() && at->hasSeveralStages;
}

RunTimeline::Track &RunTimeline::link(const QString &from, const QString &to) {
    Track &track = m_links[{from, to}];
    if (track.tid == 0) {
        track.tid = static_cast<int>(m_links.size());
        m_file.nameThread(linkProcess, track.tid, QStringLiteral("%1 → %2").arg(nameOf(from), nameOf(to)), track.tid);
    }
    return track;
}

bool RunTimeline::add(const TracedRound &round) {
    std::vector<TraceEvent> events;
    events.push_back({coordinatorProcess, 1, numbered(QStringLiteral("round"), static_cast<int>(round.round)),
                      QStringLiteral("round"), round.start - m_origin, round.end - m_origin, round.args});
    addSpans(round, events);
    addFrames(round, events);
    return write(std::move(events));
}

void RunTimeline::addSpans(const TracedRound &round, std::vector<TraceEvent> &events) {
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        const auto member = round.members.find(m_devices[i].worker);
        const auto clock = round.clocks.find(m_devices[i].worker);
        if (member == round.members.end() || clock == round.clocks.end())
            continue;
        Track &track = m_members[m_devices[i].worker];
        if (member->second.cut)
            m_file.mark(QStringLiteral("%1: spans left out").arg(m_devices[i].name), round.end - m_origin);
        for (const TraceSpan &span : member->second.spans) {
            const qint64 start = std::max(clock->second.toLocal(span.start) - m_origin, track.end);
            const qint64 end = std::max(clock->second.toLocal(span.end) - m_origin, start);
            track.end = end;
            QJsonObject args{{QStringLiteral("round"), round.round}};
            if (span.stage >= 0)
                args[QStringLiteral("stage")] = span.stage;
            if (span.microBatch >= 0)
                args[QStringLiteral("micro_batch")] = span.microBatch;
            const QString name = activityName(span.activity);
            const int stage = m_devices[i].hasSeveralStages ? span.stage : -1;
            events.push_back({firstDevice + static_cast<int>(i), track.tid, numbered(name, span.microBatch, stage),
                              name, start, end, args});
        }
    }
}

void RunTimeline::addFrames(const TracedRound &round, std::vector<TraceEvent> &events) {
    std::vector<QString> senders{QString()};  // the coordinator
    for (const TracedDevice &device : m_devices)
        senders.push_back(device.worker);
    for (const QString &sender : senders) {
        for (const TracedDevice &receiver : m_devices)
            addLink(round, sender, receiver.worker, events);
    }
}

void RunTimeline::addLink(const TracedRound &round, const QString &sender, const QString &receiver,
                          std::vector<TraceEvent> &events) {
    const auto far = round.clocks.find(receiver);
    const auto trace = round.members.find(receiver);
    if (far == round.clocks.end() || trace == round.members.end() || !trace->second.received.contains(sender))
        return;
    const SendTimes handedOver = sendTimes(round, sender, receiver);
    Track &track = link(sender, receiver);
    const bool isInterleaved = hasSeveralStages(sender) || hasSeveralStages(receiver);
    for (const TraceFrame &frame : trace->second.received[sender]) {
        const qint64 arrived = far->second.toLocal(frame.at);
        const auto found = handedOver.find(identity(frame));
        // Where the sender's half was left out only the arrival is known.
        const qint64 handed = (found == handedOver.end() ? arrived : found->second) - m_origin;
        const qint64 start = std::max(handed, track.end);
        const qint64 end = std::max(arrived - m_origin, start);
        track.end = end;
        const QString name = cargoName(frame.cargo);
        events.push_back({linkProcess, track.tid,
                          numbered(name, frame.microBatch, isInterleaved ? tracedStageOf(frame) : -1), name, start, end,
                          frameArgs(frame, round.round, start - handed)});
    }
}

bool RunTimeline::addPrediction(const std::vector<ScheduledTask> &schedule, qint64 start) {
    const auto named = [this](const QString &lane) {
        QStringList names;
        for (const QString &id : lane.split(QLatin1Char('>'))) {
            const auto at = std::ranges::find(m_devices, id, &TracedDevice::id);
            names << (at == m_devices.end() ? id : at->name);
        }
        return names.join(QStringLiteral(" → "));
    };
    const auto isInterleaved = [this](const QString &lane) {
        const QStringList ids = lane.split(QLatin1Char('>'));
        return std::ranges::any_of(m_devices, [&ids](const TracedDevice &device) {
            return device.hasSeveralStages && ids.contains(device.id);
        });
    };
    struct Lane {
        int tid = 0;
        bool isInterleaved = false;
    };
    std::map<QString, Lane> lanes;
    std::vector<TraceEvent> events;
    for (const ScheduledTask &task : schedule) {
        Lane &lane = lanes[task.lane];
        if (lane.tid == 0) {
            lane = {static_cast<int>(lanes.size()), isInterleaved(task.lane)};
            const bool isLink = task.lane.contains(QLatin1Char('>'));
            m_file.nameThread(planProcess, lane.tid, named(task.lane), (isLink ? 1000 : 0) + lane.tid);
        }
        const auto nanoseconds = [&](double seconds) { return start - m_origin + static_cast<qint64>(seconds * 1e9); };
        QJsonObject args{{QStringLiteral("stage"), task.stage}, {QStringLiteral("micro_batch"), task.microBatch}};
        if (task.bytes > 0)
            args[QStringLiteral("bytes")] = task.bytes;
        const bool ofRound = task.kind == ScheduledTask::Kind::AllReduce || task.kind == ScheduledTask::Kind::Update;
        const QString name = taskKindName(task.kind);
        events.push_back({planProcess, lane.tid,
                          numbered(name, ofRound ? -1 : task.microBatch, lane.isInterleaved ? task.stage : -1), name,
                          nanoseconds(task.startSeconds), nanoseconds(task.endSeconds), args});
    }
    return write(std::move(events));
}

bool RunTimeline::write(std::vector<TraceEvent> events) {
    std::ranges::stable_sort(events, {}, &TraceEvent::start);
    for (const TraceEvent &event : events) {
        if (m_file.add(event))
            continue;
        m_file.mark(QStringLiteral("the trace ends here: it is full"), event.start);
        return false;
    }
    return true;
}

}  // namespace hearth
