#include "fake_home.h"

#include <QFile>
#include <QTimer>
#include <algorithm>

#include "core/plan/plan.h"

namespace hearth::fake {

void Agent::startWorker(const QString &device, std::chrono::milliseconds, QObject *context, StartedFn done) {
    started << device;
    const int number = home.request.devices.empty() ? 1 : Fingerprint::fromHex(device)->bytes[1];
    QMetaObject::invokeMethod(
        context,
        [this, number, done] {
            const auto wrong = home.fails.find(number);
            const bool again = home.worker(number) != nullptr;
            if ((wrong != home.fails.end() && wrong->second == QLatin1String("start")) || (again && !home.returns))
                done(hearth::fail(QStringLiteral("worker.not-started"), QStringLiteral("No worker could be started.")));
            else {
                QMap<QString, QString> sees;
                for (const auto &[pair, place] : home.seen) {
                    if (pair.first == number)
                        sees[Home::id(pair.second)] = place;
                }
                WorkerAddress address{
                    key(2, static_cast<quint8>(number)),
                    home.addresses.contains(number) ? home.addresses[number] : QStringLiteral("127.0.0.1"),
                    static_cast<quint16>(1000 + number), 100 + number, sees};
                if (const auto place = home.forOthers.find(number); place != home.forOthers.end())
                    address.forOthers = place->second;
                done(address);
            }
        },
        Qt::QueuedConnection);
}

void Agent::eventWritten(quint64 seq) {
    QFile file(home.directory->file(QStringLiteral("events.jsonl")));
    if (!file.open(QIODevice::ReadOnly) || file.readAll().count('\n') < qsizetype(seq))
        publishedTooEarly = true;
}

void Connector::connectTo(const WorkerAddress &worker, std::chrono::milliseconds, QObject *context, ConnectedFn done) {
    const int number = worker.fingerprint.bytes[1];
    home.dialled[number] = worker.address;
    ++home.dials[number];
    if (home.unanswered.contains(number))
        return;
    if (const auto reason = home.unreached.find(number); reason != home.unreached.end()) {
        QMetaObject::invokeMethod(
            context,
            [code = reason->second, done] { done(hearth::fail(code, QStringLiteral("The worker was not reached."))); },
            Qt::QueuedConnection);
        return;
    }
    auto [mine, theirs] = makeLoopbackPair(fingerprint(), worker.fingerprint);
    const Worker *before = home.worker(number);
    home.workers.push_back(std::make_unique<Worker>(home, std::move(theirs), number));
    if (before && before->process == home.workers.back()->process)
        home.workers.back()->goOnAs(*before);
    auto shared = std::make_shared<std::unique_ptr<Channel>>(std::move(mine));
    QMetaObject::invokeMethod(
        context, [shared, done] { done(std::move(*shared)); }, Qt::QueuedConnection);
}

RunDeadlines unhurried() {
    RunDeadlines deadlines;
    deadlines.slowRound = std::chrono::hours(1);
    return deadlines;
}

Home::Home(int devices) {
    request.id = QStringLiteral("test-run");
    request.directory = folder.filePath(QStringLiteral("run"));
    request.profiles = folder.filePath(QStringLiteral("profiles"));
    request.model = *loadModel(QStringLiteral("fashion-cnn"));
    request.job.batch = 32;
    request.job.rounds = 3;
    request.job.evaluateEvery = 2;
    request.job.keepBest = false;  // weights are collected where a test asks for it
    request.dataDevice = id(1);
    for (int number = 1; number <= devices; ++number) {
        DeviceInfo device;
        device.id = id(number);
        device.name = name(number);
        device.state = DeviceState::Ready;
        device.self = number == 1;
        request.devices.push_back(device);
    }
    inputs.data = std::make_shared<TinyDataset>();
    inputs.input = *inputOf(request.job, inputs.data->sample().shape, request.model.inputShape());
}

QJsonObject Home::plan() const {
    const auto layers = static_cast<int>(request.model.layers.size());
    const bool three = request.devices.size() > 2;
    Plan plan;
    plan.modelName = request.model.name;
    plan.modelSha256 = QString::fromLatin1(request.model.sha256());
    plan.layerCount = layers;
    plan.planner = QStringLiteral("test");
    plan.batch = request.job.batch;
    plan.microBatch = request.job.batch;
    plan.stages = {{0, 2, {{id(1), 32}}, 1, false, {}}, {2, layers, {{id(2), three ? 20 : 32}}, 1, false, {}}};
    if (three)
        plan.stages[1].shares.push_back({id(3), 12});
    return plan.toJson();
}

void Home::start(RunDeadlines deadlines) {
    directory = std::move(*RunDirectory::create(request.directory));
    coordinator = std::make_unique<Coordinator>(request, inputs, agent, connector, *directory, deadlines);
    coordinator->start();
}

std::vector<RunEvent> Home::events() const {
    std::vector<RunEvent> list;
    QFile file(directory->file(QStringLiteral("events.jsonl")));
    if (!file.open(QIODevice::ReadOnly))
        return list;
    for (QByteArray line = file.readLine(); !line.isEmpty(); line = file.readLine())
        list.push_back(RunEvent::fromLine(line).value_or(RunEvent{}));
    return list;
}

std::vector<RunEvent> Home::events(const QString &kind) const {
    auto list = events();
    std::erase_if(list, [&](const RunEvent &event) { return eventKind(event.body) != kind; });
    return list;
}

QString Home::lastState() const {
    const auto states = events(QStringLiteral("state"));
    return states.empty() ? QString() : std::get<event::State>(states.back().body).state;
}

Error Home::lastError() const {
    const auto errors = events(QStringLiteral("error"));
    return errors.empty() ? Error{} : std::get<event::Failure>(errors.back().body).error;
}

Worker *Home::worker(int number) const {
    Worker *newest = nullptr;
    for (const auto &each : workers) {
        if (each->number == number)
            newest = each.get();
    }
    return newest;
}

void Home::cutOff(const std::vector<int> &numbers) {
    for (const int number : numbers)
        unreached[number] = QStringLiteral("wire.deadline");
    for (const int number : numbers)
        becomes(number, DeviceState::Lost);
}

void Home::becomes(int number, DeviceState state) {
    DeviceInfo device;
    device.id = id(number);
    device.name = name(number);
    device.self = number == 1;
    device.state = state;
    if (static_cast<std::size_t>(number) <= request.devices.size())
        device.address = request.devices[static_cast<std::size_t>(number) - 1].address;
    Q_EMIT agent.deviceChanged(device);
}

void Home::served(const TensorFrame &frame) {
    const TensorHeader &header = frame.header;
    if (header.term > term) {
        // What was served of rounds under way is of no use any more.
        term = header.term;
        inputSamples.clear();
        labelSamples.clear();
        reported = static_cast<qint64>(header.version);
    }
    if (header.kind == TensorKind::Input) {
        inputSamples[header.round] += header.sampleCount;
    } else if (header.slot == labelSlot) {
        labelSamples[header.round] += header.sampleCount;
    } else {
        std::memcpy(&normaliser[header.round], frame.payload->data(), sizeof(double));
    }
    if (holdsRounds || reported >= holdsAfter)
        return;
    if (roundPause.count() == 0)
        reportRound();
    else
        QTimer::singleShot(roundPause, &agent, [this] {
            if (!holdsRounds)
                reportRound();
        });
}

void Home::resumeRounds() {
    holdsRounds = false;
    for (qint64 before = -1; before != reported;) {
        before = reported;
        reportRound();
    }
}

void Home::reportRound() {
    const qint64 next = reported + 1;
    if (inputSamples[next] < request.job.batch || labelSamples[next] < request.job.batch)
        return;
    reported = next;
    for (const auto &each : workers) {
        // What was served before a change of the plan is no round of the new term.
        if (each->isAlive() && each->ownStage() && each->deployment->term == term)
            each->reportRound(next);
    }
}

}  // namespace hearth::fake
