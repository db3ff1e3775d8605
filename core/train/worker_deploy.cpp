// The half of the worker that reaches into the compute thread: profiles, deployments, tensors, weights.
#include <QCborArray>
#include <QCborValue>
#include <QElapsedTimer>

#include "core/base/cbor.h"
#include "core/model/loss_facts.h"
#include "core/plan/memory.h"
#include "core/profile/codec_rates.h"
#include "core/profile/declared_facts.h"
#include "core/profile/profile_limits.h"
#include "core/profile/unit_seconds.h"
#include "core/train/expected_frames.h"
#include "core/train/layer_profiler.h"
#include "core/train/memory.h"
#include "core/train/process_memory.h"
#include "core/train/round_recorder.h"
#include "core/train/threads.h"
#include "core/train/worker_service.h"
#include "core/wire/state_chunks.h"

namespace hearth {
namespace {

/// A network too large for this device is refused by its numbers alone.
Result<void> checkLayers(const Model &model, int firstLayer, int lastLayer, Precision precision,
                         const OptimizerState &optimizer) {
    if (firstLayer < 0 || firstLayer >= lastLayer || lastLayer > static_cast<int>(model.layers.size()))
        return {};  // the executor says so
    PlanningProblem bare;
    bare.optimizerStateFactor = optimizer.copies;
    bare.layers = declaredFacts(model, dtypeOf(precision));
    addSecondMoments(bare.layers, model, dtypeOf(precision), optimizer);
    const double bytes = MemoryModel(bare).stageBytes({.firstLayer = firstLayer, .lastLayer = lastLayer});
    return checkRoom(static_cast<qint64>(std::min(bytes, 9e15)));
}

}  // namespace

/// What is measured, but for the sizes.
Result<ProfileRequest> WorkerService::profileRequest(const QCborMap &args) {
    auto model =
        Model::fromJson(args[QLatin1String("model")].toMap().toJsonObject(), QStringLiteral("the coordinator's model"));
    if (!model)
        return tl::unexpected(model.error());
    ProfileRequest request;
    request.model = std::move(*model);
    const auto precision = precisionFromName(args[QLatin1String("precision")].toString(QStringLiteral("float32")));
    if (!precision)
        return tl::unexpected(badRequest(sentence("A profile takes a precision and ascending batch sizes.")));
    request.precision = *precision;
    request.loss = args[QLatin1String("training")].toMap()[QLatin1String("loss")].toString(request.loss);
    if (!LossFacts::byName(request.loss))
        return tl::unexpected(badRequest(sentence("The loss \"%1\" is unknown.").arg(request.loss)));
    return request;
}

/// Tells the coordinator how far it is, and gives up where nobody waits any more.
std::function<bool(int, int)> WorkerService::profileProgress() {
    return [this, told = -1](int done, int total) mutable {
        if (done == std::exchange(told, done))
            return !m_cancelled.load();
        later([this, done, total] {
            note(QStringLiteral("profile.progress"), {{QLatin1String("done"), done}, {QLatin1String("total"), total}});
        });
        return !m_cancelled.load();
    };
}

void WorkerService::profile(const QCborMap &args, const Reply &reply) {
    auto request = profileRequest(args);
    if (!request)
        return reply.fail(request.error());
    for (const QCborValue &value : args[QLatin1String("batches")].toArray())
        request->batches.push_back(static_cast<int>(integerOf(value)));
    const std::vector<int> &batches = request->batches;
    if (batches.empty() || batches.front() < 1 || batches.back() > ProfileLimits::batch ||
        batches.size() > ProfileLimits::batchSizes ||
        !std::is_sorted(batches.begin(), batches.end(), std::less_equal<>()))
        return reply.fail(badRequest(sentence("A profile takes a precision and ascending batch sizes.")));
    if (args[QLatin1String("brief")].toBool())
        request->secondsPerBatch = 0;  // as few passes as tell anything
    request->threads = m_options.threads;
    const bool withCodecs = args[QLatin1String("codecs")].toBool(true);
    m_thread->post([this, request = *request, withCodecs, progress = profileProgress(), ticket = keep(reply)] {
        Result<ModelProfile> result = [&]() -> Result<ModelProfile> {
            // Layers are measured in parts where they do not fit together: each has to fit alone.
            for (int l = 0; l < static_cast<int>(request.model.layers.size()); ++l) {
                if (auto fits = checkLayers(request.model, l, l + 1, request.precision, {}); !fits)
                    return tl::unexpected(fits.error());
            }
            return profileLayers(request, progress, *m_options.device);
        }();
        limitMemory(*m_options.device, m_options.memoryBytes);  // of the runtime more is known now
        const CodecRates codecs = result && withCodecs ? measureCodecs() : CodecRates();
        later([this, ticket, codecs, result = std::move(result)]() mutable {
            if (!result)
                return answer(ticket, tl::unexpected(result.error()));
            result->device = m_self.toHex();
            QCborMap told = result->toCbor();
            told[QLatin1String("runtime_bytes")] = runtimeBytes();
            told[QLatin1String("codecs")] = QCborMap::fromJsonObject(codecs.toJson());
            answer(ticket, told);
        });
    });
}

void WorkerService::profileUnits(const QCborMap &args, const Reply &reply) {
    auto request = profileRequest(args);
    if (!request)
        return reply.fail(request.error());
    std::vector<ProbedUnit> units;
    const auto layers = static_cast<qint64>(request->model.layers.size());
    for (const QCborValue &value : args[QLatin1String("units")].toArray()) {
        const QCborArray unit = value.toArray();
        const qint64 layer = integerOf(unit.at(0), -1), samples = integerOf(unit.at(1), -1);
        if (layer < 0 || layer >= layers || samples < 1 || samples > ProfileLimits::batch)
            return reply.fail(badRequest(sentence("A unit is a layer of the model and a number of samples.")));
        units.push_back({static_cast<int>(layer), static_cast<int>(samples)});
    }
    m_thread->post([this, request = *request, units, progress = profileProgress(), ticket = keep(reply)] {
        auto result = hearth::profileUnits(request, units, progress, *m_options.device);
        limitMemory(*m_options.device, m_options.memoryBytes);
        later([this, ticket, result = std::move(result)]() mutable {
            if (!result)
                return answer(ticket, tl::unexpected(result.error()));
            answer(ticket, QCborMap{{QLatin1String("units"), toCbor(*result)},
                                    {QLatin1String("runtime_bytes"), runtimeBytes()}});
        });
    });
}

void WorkerService::deploy(const QCborMap &args, const Reply &reply) {
    auto deployment = Deployment::fromCbor(args);
    if (!deployment)
        return reply.fail(deployment.error());
    if (deployment->term < m_term)
        return reply.fail(badRequest(sentence("Term %1 came after term %2.").arg(deployment->term).arg(m_term)));
    auto model = Model::fromJson(deployment->model, QStringLiteral("the coordinator's model"));
    if (!model)
        return reply.fail(model.error());
    enterTerm(deployment->term);
    m_traced = deployment->trace;
    const quint64 serial = ++m_lastSerial;
    m_deploying.emplace(Deploying{reply, serial});
    QSet<Fingerprint> members;
    for (const Deployment::Peer &peer : deployment->peers) {
        if (const auto fingerprint = Fingerprint::fromHex(peer.device))
            members.insert(*fingerprint);
    }
    m_links.setMembers(members);
    setTensorLimit(largestFrame(*deployment, *model, m_self.toHex()));
    m_exchange.begin(*deployment);
    build(*deployment, *model, serial);
    m_tidy.soon();
    m_links.connectPeers(*deployment, tiePartners(*deployment, *model, m_self.toHex()),
                         frozenPartners(*deployment, m_self.toHex()), [this, serial](const Result<void> &result) {
                             deployProgress(
                                 serial, [](Deploying &state) { state.connected = true; }, result);
                         });
}

void WorkerService::build(const Deployment &deployment, const Model &model, quint64 serial) {
    m_thread->post([this, compute = m_compute, deployment, model, serial, thread = m_thread.get()] {
        compute->serial = serial;
        const Result<void> result = buildStage(*compute, deployment, model, thread);
        std::vector<StateParcel> parcels;
        std::vector<int> lacking;
        if (result)
            parcels = compute->states->moves();
        if (result && compute->executor)
            lacking = FrozenStore::lacking(*compute->executor);
        later([this, serial, result, lacking, term = deployment.term, parcels = std::move(parcels),
               idle = !compute->executor]() mutable {
            if (result && m_deploying && m_deploying->serial == serial)
                m_exchange.fetch(term, lacking);
            deployProgress(
                serial,
                [&](Deploying &state) {
                    state.built = true;
                    state.weights = idle;  // else it is told when they are here
                    state.parcels = std::move(parcels);
                },
                result);
        });
    });
}

Result<void> WorkerService::buildStage(Compute &compute, const Deployment &deployment, const Model &model,
                                       ComputeThread *thread) {
    if (auto prepared = compute.states->prepare(deployment, model); !prepared)
        return prepared;
    if (auto prepared = compute.frozen->prepare(deployment, model); !prepared)
        return prepared;
    compute.executor.reset();  // first: both may not fit
    resetResidentPeak();
    compute.weightsReported = false;
    if (WorkerStates::isIdle(m_self.toHex(), deployment))
        return {};
    const int stage = deployment.placeOf(m_self.toHex()).first;
    if (stage >= 0) {
        const Deployment::Stage &own = deployment.stages[static_cast<std::size_t>(stage)];
        const OptimizerState state = deployment.training.optimizer.state();
        if (auto fits = checkLayers(model, own.firstLayer, own.lastLayer, deployment.training.precision, state); !fits)
            return fits;
    }
    auto made = StageExecutor::make(deployment, model, m_self.toHex(), outputs(thread));
    if (!made)
        return tl::unexpected(made.error());
    compute.executor = std::move(*made);
    compute.threads.restart();
    prepareComputeThread(compute.threads.threads());
    compute.executor->observeGradients(compute.gradientObserver);
    if (auto loaded = compute.frozen->load(*compute.executor); !loaded)
        return loaded;
    return compute.states->load(*compute.executor);
}

bool WorkerService::computeStep(Compute &compute) {
    if (!compute.executor) {
        compute.inRound = false;
        return false;
    }
    if (!compute.weightsReported && compute.executor->weightsComplete()) {
        compute.weightsReported = true;
        later([this, serial = compute.serial] {
            deployProgress(serial, [](Deploying &state) { state.weights = true; }, {});
        });
    }
    const quint64 before = compute.executor->version();
    Result<bool> worked = compute.executor->step();
    compute.inRound = !compute.executor->isIdle();
    if (worked && compute.executor->version() != before) {
        if (const auto kept = keepStates(compute); !kept)
            worked = tl::unexpected(kept.error());
    }
    if (worked)
        return *worked;
    compute.executor.reset();
    later([this, error = worked.error()] { failWorker(error); });
    return false;
}

void WorkerService::deployProgress(quint64 serial, const std::function<void(Deploying &)> &change,
                                   const Result<void> &result) {
    if (!m_deploying || m_deploying->serial != serial)
        return;
    if (!result) {
        tellShortage(result.error());
        if (result.error().code == QLatin1String("worker.peer-unreachable"))
            note(QStringLiteral("peers.unreached"),
                 {{QLatin1String("fingerprints"), QCborArray::fromStringList(m_links.unreached())}});
        m_deploying->reply.fail(result.error());
        m_deploying.reset();
        return;
    }
    change(*m_deploying);
    if (!m_deploying->built || !m_deploying->connected)
        return;
    if (!m_deploying->moving.isValid())
        sendMoves(*m_deploying);
    if (!m_deploying->weights || m_deploying->unsent > 0)
        return;
    const double seconds = static_cast<double>(m_deploying->moving.nsecsElapsed()) * 1e-9;
    m_deploying->reply.ok({{QLatin1String("move_s"), seconds}});
    m_deploying.reset();
    m_thread->post([compute = m_compute] { compute->states->deployed(); });
}

StageOutputs WorkerService::outputs(ComputeThread *thread) {
    StageOutputs out;
    out.wake = [thread] { thread->post([] {}); };
    out.trustsFabric = m_options.trustsFabric;
    out.openFabric = m_options.openFabric;
    out.device = m_options.device;
    out.fabricFailed = [this](const Error &error) {
        later([this, error] { note(QStringLiteral("fabric.failed"), error.toCbor()); });
    };
    out.send = [this](const QString &device, const TensorHeader &header, Payload payload) {
        later([this, device, header, payload = std::move(payload)]() mutable {
            m_links.send(device, header, std::move(payload));
        });
    };
    // The executor lives in there: a shared pointer would keep both for ever.
    out.roundDone = [this, compute = m_compute.get()](RoundReport report) {
        const int threads = compute->threads.threads();
        compute->threads.took(report.computeSeconds);
        if (const int next = compute->threads.threads(); next != threads)
            prepareComputeThread(next);
        report.kept = compute->states->isWanted(report.version);
        later([this, report = std::move(report)] { note(QStringLiteral("round.done"), report.toCbor()); });
    };
    out.roundTraced = [this](RoundTrace trace) {
        later([this, trace = std::move(trace)] { note(QStringLiteral("round.trace"), trace.toCbor()); });
    };
    out.evaluationDone = [this](const EvaluationShare &part) {
        later([this, part] {
            QCborMap args = part.tally.toCbor();
            args[QLatin1String("version")] = static_cast<qint64>(part.version);
            args[QLatin1String("micro_batch")] = part.microBatch;
            args[QLatin1String("samples")] = part.samples;
            note(QStringLiteral("evaluation.done"), args);
        });
    };
    return out;
}

void WorkerService::deliver(const QString &from, const TensorFrame &frame) {
    if (m_finished || frame.header.term < m_term)
        return;
    if (isStateChunk(frame.header))
        return frame.header.version == frozenVersion ? receiveFrozen(from, frame) : receiveState(from, frame);
    const qint64 arrived = m_traced ? RoundRecorder::now() : 0;
    m_thread->post([this, compute = m_compute, from, frame, arrived] {
        if (!compute->executor)
            return;
        // Once everybody is ready: but a trusted fabric's greetings come before.
        if (frame.header.kind != TensorKind::Replica && frame.header.kind != TensorKind::AllReduce)
            compute->frozen->release();
        if (const auto delivered = compute->executor->deliver(from, frame, arrived); !delivered)
            refuse(*compute, from, delivered.error());
    });
}

void WorkerService::refuse(Compute &compute, const QString &from, const Error &error) {
    const bool badFrame =
        error.code == QLatin1String("worker.bad-frame") || error.code == QLatin1String("wire.bad-state");
    if (badFrame && !from.isEmpty())
        return later([this, from, error] { m_links.end(from, error); });
    compute.executor.reset();
    later([this, error] { failWorker(error); });
}

void WorkerService::endTrace() {
    m_traced = false;
    m_thread->post([compute = m_compute] {
        if (compute->executor)
            compute->executor->endTrace();
    });
}

void WorkerService::changeCodecs(const QCborMap &args, const Reply &reply) {
    if (integerOf(args[QLatin1String("term")], -1) != m_term)
        return reply.fail(badRequest(sentence("Codecs change under another term.")));
    const QJsonArray changes = args[QLatin1String("changes")].toArray().toJsonArray();
    m_thread->post([this, compute = m_compute, changes, ticket = keep(reply)] {
        Result<void> result;
        if (compute->executor)
            result = compute->executor->changeCodecs(changes);
        later([this, ticket, result] {
            answer(ticket, result ? Result<QCborMap>(QCborMap()) : tl::unexpected(result.error()));
        });
    });
}

void WorkerService::evaluate(const QCborMap &args, const Reply &reply) {
    const auto version = static_cast<quint64>(integerOf(args[QLatin1String("version")]));
    const auto samples = static_cast<int>(integerOf(args[QLatin1String("samples")]));
    const auto microBatch = static_cast<int>(integerOf(args[QLatin1String("micro_batch")]));
    m_thread->post([this, compute = m_compute, version, samples, microBatch, ticket = keep(reply)] {
        Result<void> result;
        if (compute->executor)
            result = compute->executor->beginEvaluation(version, samples, microBatch);
        else
            result = tl::unexpected(badRequest(sentence("No layers are deployed here.")));
        later([this, ticket, result] {
            answer(ticket, result ? Result<QCborMap>(QCborMap()) : tl::unexpected(result.error()));
        });
    });
}

void WorkerService::sendWeights(const QCborMap &args, const Reply &reply) {
    const QCborArray range = args[QLatin1String("layers")].toArray();
    const auto first = static_cast<int>(integerOf(range.at(0), -1)),
               last = static_cast<int>(integerOf(range.at(1), -1));
    m_thread->post([this, compute = m_compute, first, last, ticket = keep(reply)] {
        const StageExecutor *executor = compute->executor.get();
        if (!executor || !executor->isIdle() || first < executor->firstLayer() || first > last ||
            last > executor->lastLayer()) {
            later([this, ticket] {
                answer(ticket,
                       tl::unexpected(badRequest(sentence("Those layers are not here, or a round is under way."))));
            });
            return;
        }
        std::vector<std::pair<int, std::vector<NamedTensor>>> layers;
        for (int l = first; l < last; ++l) {
            auto tensors = executor->readLayer(l);
            if (!tensors) {
                later([this, ticket, error = tensors.error()] { answer(ticket, tl::unexpected(error)); });
                return;
            }
            layers.emplace_back(l, std::move(*tensors));
        }
        later([this, ticket, layers = std::move(layers), version = executor->version()] {
            if (!m_coordinator)
                return;
            for (const auto &[layer, tensors] : layers) {
                for (std::size_t i = 0; i < tensors.size(); ++i) {
                    if (tensors[i].spec.tiedTo)
                        continue;  // comes with the first of its layers
                    TensorHeader header;
                    header.kind = TensorKind::Replica;
                    header.dtype = tensors[i].dtype;
                    header.dims.assign(tensors[i].spec.shape.begin(), tensors[i].spec.shape.end());
                    header.term = m_term;
                    header.round = static_cast<quint32>(version);
                    header.version = version;
                    header.stage = static_cast<quint16>(layer);
                    header.slot = static_cast<quint16>(i);
                    m_coordinator->sendTensor(header, Payload::of(tensors[i].data));
                }
            }
            answerWhenSent(ticket, {{QLatin1String("version"), static_cast<qint64>(version)}});
        });
    });
}

void WorkerService::answerWhenSent(quint64 ticket, const QCborMap &result) {
    if (!m_coordinator || m_coordinator->queuedBytes() == 0)
        return answer(ticket, result);
    // Control messages overtake tensors that are still queued; this one says that all of them are there.
    constexpr std::chrono::milliseconds interval{2};
    QTimer::singleShot(interval, this, [this, ticket, result] { answerWhenSent(ticket, result); });
}

}  // namespace hearth
