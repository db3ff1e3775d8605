#include "tests/core/train/loopback_home.h"

#include <QCborArray>
#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QTest>
#include <QTimer>

#include "core/wire/loopback_channel.h"
#include "tests/core/train/test_devices.h"

namespace hearth {
namespace {

constexpr int coordinatorNumber = 1000;

/// QTest::qWaitFor() sleeps between looks, and these workers share the test's event loop.
bool waitUntil(const std::function<bool()> &condition, int milliseconds) {
    const QDeadlineTimer deadline(milliseconds);
    QTimer wake;
    wake.start(200);
    while (!condition()) {
        if (deadline.hasExpired())
            return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    return true;
}

}  // namespace

Fingerprint LoopbackHome::fingerprintOf(int device) {
    Fingerprint fingerprint;
    fingerprint.bytes[0] = static_cast<quint8>(1 + device);
    fingerprint.bytes[1] = static_cast<quint8>((1 + device) >> 8);
    return fingerprint;
}

LoopbackHome::LoopbackHome(int devices, const WorkerOptions &options)
    : LoopbackHome(std::vector<WorkerOptions>(static_cast<std::size_t>(devices), options)) {}

LoopbackHome::LoopbackHome(std::vector<WorkerOptions> each) {
    const auto devices = static_cast<int>(each.size());
    for (int i = 0; i < devices; ++i) {
        WorkerOptions &options = each[static_cast<std::size_t>(i)];
        options.run = QStringLiteral("test");
        if (options.device == processor())
            options.device = testDevice(i);
        auto end = std::make_unique<End>();
        end->home = this;
        end->self = fingerprintOf(i);
        end->service = std::make_unique<WorkerService>(options, end->self, *end);
        end->service->setCoordinator(fingerprintOf(coordinatorNumber));
        QObject::connect(end->service.get(), &WorkerService::finished, &m_context,
                         [raw = end.get()](int status) { raw->status = status; });
        open(*end, i);
        m_ends.push_back(std::move(end));
    }
    for (int i = 0; i < devices; ++i) {
        QCborArray others;
        for (int j = 0; j < devices; ++j)
            others.append(fingerprintOf(j).toHex());
        (void)call(i, QStringLiteral("expect"), {{QLatin1String("fingerprints"), others}});
    }
}

void LoopbackHome::open(End &end, int device) {
    auto [ours, theirs] = makeLoopbackPair(fingerprintOf(coordinatorNumber), end.self);
    end.channel = std::move(ours);
    end.rpc = std::make_unique<Rpc>(end.channel.get());
    end.rpc->onNotify(QStringLiteral("round.trace"), [this, device](const QCborMap &args) {
        const auto trace = RoundTrace::fromCbor(args);
        QVERIFY2(trace, qPrintable(trace ? QString() : trace.error().toString()));
        traces[{device, trace->round}] = *trace;
    });
    end.rpc->onNotify(QStringLiteral("round.done"), [this](const QCborMap &args) {
        const auto report = RoundReport::fromCbor(args);
        QVERIFY2(report, qPrintable(report ? QString() : report.error().toString()));
        m_reports.insert(report->round, *report);
    });
    end.rpc->onNotify(QStringLiteral("evaluation.done"), [this](const QCborMap &args) {
        ++m_evaluation.notes;
        m_evaluation.samples += static_cast<int>(args[QLatin1String("samples")].toInteger());
        m_evaluation.correct += static_cast<int>(args[QLatin1String("correct")].toInteger());
        m_evaluation.lossSum += args[QLatin1String("loss_sum")].toDouble();
        const auto judged = JudgedSample::fromCbor(args[QLatin1String("judged")].toArray());
        QVERIFY2(judged, qPrintable(judged ? QString() : judged.error().toString()));
        for (const JudgedSample &one : *judged) {
            if (one.isWrong)
                m_evaluation.wrong.insert(one.sample);
        }
    });
    end.rpc->onNotify(QStringLiteral("computed"), [this, device](const QCborMap &args) {
        steps[device] += args[QLatin1String("steps")].toInteger();
    });
    end.rpc->onNotify(QStringLiteral("failed"), [this, device](const QCborMap &args) {
        failures.push_back(Error::fromCbor(args));
        QTimer::singleShot(0, &m_context, [this, device] { hangUp(device); });
    });
    end.rpc->onNotify(QStringLiteral("fabric.failed"),
                      [this](const QCborMap &args) { fabricFailures.push_back(Error::fromCbor(args)); });
    end.rpc->onNotify(QStringLiteral("peer.lost"), [this](const QCborMap &args) {
        peersLost.push_back(Error::fromCbor(args[QLatin1String("error")].toMap()));
        lossTerms.push_back(args[QLatin1String("term")].toInteger(-1));
    });
    end.rpc->onNotify(QStringLiteral("frozen.wanted"), [this, device](const QCborMap &args) {
        for (const QCborValue &value : args[QLatin1String("layers")].toArray()) {
            const int layer = static_cast<int>(value.toInteger());
            wantedFrozen.emplace_back(device, layer);
            sendFrozen(device, layer);
        }
    });
    end.rpc->onNotify(QStringLiteral("backup.stored"), [this, device](const QCborMap &args) {
        const QCborArray layers = args[QLatin1String("layers")].toArray();
        copies.push_back({device, deviceOf(args[QLatin1String("from")].toString()),
                          static_cast<int>(layers.at(0).toInteger()), static_cast<int>(layers.at(1).toInteger()),
                          static_cast<quint64>(args[QLatin1String("version")].toInteger())});
    });
    QObject::connect(end.channel.get(), &Channel::tensorReceived, &m_context,
                     [raw = &end](const TensorFrame &frame) { raw->replicas.push_back(frame); });
    end.service->adopt(std::move(theirs));
}

void LoopbackHome::reconnect(int device) {
    End &end = *m_ends[static_cast<std::size_t>(device)];
    end.rpc.reset();
    m_former.push_back(std::move(end.channel));
    open(end, device);
}

LoopbackHome::~LoopbackHome() {
    for (auto &end : m_ends) {
        end->service.reset();
        end->rpc.reset();
    }
}

void LoopbackHome::End::connectTo(const Fingerprint &peer, const QString &, quint16, QObject *context, Connected done) {
    QTimer::singleShot(0, context, [this, peer, done] {
        for (const auto &end : home->m_ends) {
            if (end->self != peer || !end->service || !end->service->authorises(self))
                continue;
            auto [ours, theirs] = makeLoopbackPair(self, peer);
            home->watch(*ours, *theirs);
            home->watch(*theirs, *ours);
            end->service->adopt(std::move(theirs));
            return done(std::move(ours));
        }
        done(fail(QStringLiteral("wire.refused"), QStringLiteral("The worker does not expect this one.")));
    });
}

void LoopbackHome::watch(Channel &at, const Channel &other) {
    const int from = deviceOf(at.peer().toHex()), to = deviceOf(other.peer().toHex());
    QObject::connect(&at, &Channel::tensorReceived, &m_context, [this, from, to](const TensorFrame &frame) {
        if (onFrame)
            onFrame(from, to, frame);
    });
}

int LoopbackHome::deviceOf(const QString &hex) const {
    for (std::size_t i = 0; i < m_ends.size(); ++i) {
        if (m_ends[i]->self.toHex() == hex)
            return static_cast<int>(i);
    }
    return -1;
}

Result<QCborMap> LoopbackHome::call(int device, const QString &op, const QCborMap &args) {
    std::optional<Result<QCborMap>> answer;
    m_ends[static_cast<std::size_t>(device)]->rpc->call(op, args, std::chrono::minutes(2), &m_context,
                                                        [&](Result<QCborMap> result) { answer = std::move(result); });
    if (!waitUntil([&] { return answer.has_value(); }, 130000))
        return fail(QStringLiteral("test.no-answer"), QStringLiteral("No answer."));
    return *answer;
}

Deployment LoopbackHome::deployment(const Model &model, const TestPlan &plan, int batch, const TrainingSpec &training,
                                    const InputTransform &input) const {
    Deployment result;
    result.run = QStringLiteral("test");
    result.term = 1;
    result.batch = batch;
    result.microBatch = plan.microBatch;
    result.microBatches = batch / plan.microBatch;
    result.schedule = plan.schedule;
    result.coordinator = fingerprintOf(coordinatorNumber).toHex();
    result.model = model.toJson();
    result.training = training;
    result.input = input;
    for (const TestStage &stage : plan.stages) {
        Deployment::Stage row;
        row.firstLayer = stage.firstLayer;
        row.lastLayer = stage.lastLayer;
        row.inFlight = stage.inFlight;
        row.recompute = stage.recompute;
        int next = 0;
        for (const auto &[device, samples] : stage.shares) {
            row.members.push_back({fingerprintOf(device).toHex(), next, samples});
            next += samples;
            const Deployment::Peer peer{fingerprintOf(device).toHex(), QStringLiteral("127.0.0.1"), 1};
            if (std::ranges::find(result.peers, peer) == result.peers.end())  // it may have several stages
                result.peers.push_back(peer);
        }
        result.stages.push_back(row);
    }
    return result;
}

Result<void> LoopbackHome::deploy(const Deployment &wanted, const std::vector<NamedTensor> &weights,
                                  const std::function<void()> &meanwhile) {
    m_deployment = wanted;
    m_model = *Model::fromJson(wanted.model, QStringLiteral("test"));
    if (wanted.weightsStreamed) {
        given = weights;
        m_deployment.frozen = frozenIn(m_model, weights);
    }
    const Deployment deployment = m_deployment;
    std::size_t open = 0;
    std::optional<Error> error;
    for (const Deployment::Peer &peer : deployment.peers) {
        const int device = deviceOf(peer.device);
        ++open;
        m_ends[static_cast<std::size_t>(device)]->rpc->call(QStringLiteral("deploy"), deployment.toCbor(),
                                                            std::chrono::minutes(2), &m_context,
                                                            [&](const Result<QCborMap> &result) {
                                                                --open;
                                                                if (!result)
                                                                    error = result.error();
                                                            });
        for (const int stage : deployment.weightsStreamed ? deployment.stagesOf(peer.device) : std::vector<int>())
            streamWeights(device, deployment.stages[static_cast<std::size_t>(stage)], weights);
    }
    if (meanwhile)
        meanwhile();
    if (!waitUntil([&] { return open == 0; }, 60000))
        return fail(QStringLiteral("test.no-answer"), QStringLiteral("No answer."));
    if (error)
        return tl::unexpected(*error);
    return {};
}

void LoopbackHome::hangUp(int device) {
    m_ends[static_cast<std::size_t>(device)]->channel->close(
        {QStringLiteral("test.bye"), QStringLiteral("Bye."), {}, {}});
}

bool LoopbackHome::isReported(quint32 round) const {
    const auto members = std::ranges::count_if(
        m_deployment.peers, [this](const Deployment::Peer &peer) { return m_deployment.hasLayers(peer.device); });
    return reports(round).size() == members;
}

bool LoopbackHome::waitForRound(quint32 round, int seconds) {
    return waitUntil([&] { return !failures.empty() || isReported(round); }, seconds * 1000) && failures.empty();
}

bool LoopbackHome::waitFor(const std::function<bool()> &condition, int seconds) const {
    return waitUntil(condition, seconds * 1000);
}

QList<RoundReport> LoopbackHome::reports(quint32 round) const {
    QList<RoundReport> reports = m_reports.values(round);
    reports.removeIf([this](const RoundReport &report) { return report.term != m_deployment.term; });
    return reports;
}

Result<LoopbackHome::Halted> LoopbackHome::halt(int device, quint32 term) {
    const auto answer = call(device, QStringLiteral("halt"), {{QLatin1String("term"), static_cast<qint64>(term)}});
    if (!answer)
        return tl::unexpected(answer.error());
    auto states = heldStatesFromCbor((*answer)[QLatin1String("states")].toArray());
    if (!states)
        return tl::unexpected(states.error());
    Halted halted{static_cast<quint64>((*answer)[QLatin1String("version")].toInteger()), std::move(*states), {}};
    for (const auto &layer : (*answer)[QLatin1String("frozen")].toArray())
        halted.frozen.push_back(static_cast<int>(layer.toInteger()));
    return halted;
}

double LoopbackHome::loss(quint32 round) const {
    double sum = 0;
    for (const RoundReport &report : reports(round))
        sum += report.loss;
    return sum;
}

LoopbackHome::Evaluation LoopbackHome::evaluate(quint64 version, const SampleBatch &test) {
    m_evaluation = {};
    const int last = static_cast<int>(m_deployment.stages.size()) - 1;
    const int size = m_deployment.microBatch;
    for (const Deployment::Stage &stage : m_deployment.stages) {
        for (const Deployment::Member &member : stage.members) {
            const auto answer = call(deviceOf(member.device), QStringLiteral("evaluate"),
                                     {{QLatin1String("version"), static_cast<qint64>(version)},
                                      {QLatin1String("samples"), test.size()},
                                      {QLatin1String("micro_batch"), size}});
            if (!answer)
                return {};
        }
    }
    for (int m = 0; m * size < test.size(); ++m) {
        const int start = m * size, exist = std::min(size, test.size() - start);
        TensorHeader head = header(TensorKind::Evaluation, 0, m, 0);
        head.version = version;
        for (const Deployment::Member &member : m_deployment.stages.front().members) {
            if (const int count = std::min(member.samples, exist - member.firstSample); count > 0)
                sendImages(head, member, test, start + member.firstSample, count);
        }
        head.stage = static_cast<quint16>(last);
        head.slot = evaluationLabelSlot;
        for (const Deployment::Member &member : m_deployment.stages.back().members) {
            if (const int count = std::min(member.samples, exist - member.firstSample); count > 0)
                sendLabels(head, member, test, start + member.firstSample, count);
        }
    }
    (void)waitUntil([&] { return m_evaluation.samples == test.size() || !failures.empty(); }, 60000);
    return m_evaluation;
}

}  // namespace hearth
