// The half of the worker that reaches into the compute thread: deployments, rounds, tensors.
#include <QCborArray>
#include <algorithm>
#include <iterator>

#include "core/base/cbor.h"
#include "core/train/expected_frames.h"
#include "core/train/link_rates.h"
#include "core/train/memory.h"
#include "core/train/process_memory.h"
#include "core/train/room_for_layers.h"
#include "core/train/round_recorder.h"
#include "core/train/stage_errors.h"
#include "core/train/stage_place.h"
#include "core/train/threads.h"
#include "core/train/worker_service.h"
#include "core/wire/packed_tensor.h"
#include "core/wire/state_chunks.h"

namespace hearth {

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
    m_deployedTerm = m_term;
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
        if (result && compute->stages)
            lacking = FrozenStore::lacking(*compute->stages);
        later([this, serial, result, lacking, term = deployment.term, parcels = std::move(parcels),
               idle = !compute->stages]() mutable {
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

Result<void> WorkerService::buildStage(WorkerCompute &compute, const Deployment &deployment, const Model &model,
                                       ComputeThread *thread) {
    if (auto prepared = compute.states->prepare(deployment, model); !prepared)
        return prepared;
    if (auto prepared = compute.frozen->prepare(deployment, model); !prepared)
        return prepared;
    compute.stages.reset();  // first: both may not fit
    m_options.device->takePeakBytes();
    compute.weightsReported = false;
    if (WorkerStates::isIdle(m_self.toHex(), deployment))
        return {};
    std::vector<StagePlace> places;
    for (const int stage : deployment.stagesOf(m_self.toHex()))
        places.push_back(stagePlaceOf(deployment, m_self.toHex(), stage));
    if (auto fits = checkLayers(model, std::move(places), deployment.training, *m_options.device); !fits)
        return fits;
    auto made = WorkerStages::make(deployment, model, m_self.toHex(), outputs(thread));
    if (!made)
        return tl::unexpected(made.error());
    compute.stages = std::move(*made);
    compute.threads.restart();
    prepareComputeThread(compute.threads.threads());
    compute.stages->observeGradients(compute.gradientObserver);
    if (auto loaded = compute.frozen->load(*compute.stages); !loaded)
        return loaded;
    return compute.states->load(*compute.stages);
}

bool WorkerService::computeStep(WorkerCompute &compute) {
    if (!compute.stages) {
        compute.inRound = false;
        return false;
    }
    if (!compute.weightsReported && compute.stages->weightsComplete()) {
        compute.weightsReported = true;
        later([this, serial = compute.serial] {
            deployProgress(serial, [](Deploying &state) { state.weights = true; }, {});
        });
    }
    const quint64 before = compute.stages->version();
    Result<bool> worked = compute.stages->step();
    compute.inRound = !compute.stages->isIdle();
    if (worked && compute.stages->version() != before) {
        if (const auto kept = m_stage->keepStates(compute); !kept)
            worked = tl::unexpected(kept.error());
    }
    if (worked) {
        compute.steps += *worked ? 1 : 0;
        return *worked;
    }
    later([this, error = worked.error()] { failWorker(error); });
    compute.stages.reset();  // may end the process where a card has failed
    return false;
}

void WorkerService::deployProgress(quint64 serial, const std::function<void(Deploying &)> &change,
                                   const Result<void> &result) {
    if (!m_deploying || m_deploying->serial != serial)
        return;
    if (!result) {
        tellShortage(result.error());
        if (result.error().code == QLatin1String("worker.peer-unreachable"))
            m_line.note(QStringLiteral("peers.unreached"),
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
        later([this, error] { m_line.note(QStringLiteral("fabric.failed"), error.toCbor()); });
    };
    const auto rates = std::make_shared<LinkRates>();
    out.linkRate = [rates](const QString &device) { return rates->of(device); };
    out.send = [this, rates](const QString &device, const TensorHeader &header, Payload payload) {
        later([this, rates, device, header, payload = std::move(payload)]() mutable {
            // Before it is sent: what tells is what is on its way now.
            if (const Channel *channel = m_links.channel(device))
                rates->note(device, m_options.linkRate(*channel));
            m_links.send(device, header, std::move(payload));
        });
    };
    // The executor lives in there: a shared pointer would keep both for ever.
    out.roundDone = [this, compute = m_compute.get()](RoundReport report) {
        const int threads = compute->threads.threads();
        if (m_options.device->isHost())
            compute->threads.took(report.computeSeconds);
        if (const int next = compute->threads.threads(); next != threads)
            prepareComputeThread(next);
        report.kept = compute->states->isWanted(report.version) && !compute->stages->owesGradients();
        later([this, report = std::move(report)]() mutable {
            report.card = m_cardLoad;
            m_line.note(QStringLiteral("round.done"), report.toCbor());
        });
    };
    out.roundTraced = [this](RoundTrace trace) {
        later([this, trace = std::move(trace)] { m_line.note(QStringLiteral("round.trace"), trace.toCbor()); });
    };
    out.evaluationDone = [this](const EvaluationShare &part) {
        later([this, part] {
            QCborMap args = part.tally.toCbor();
            args[QLatin1String("version")] = static_cast<qint64>(part.version);
            args[QLatin1String("micro_batch")] = part.microBatch;
            args[QLatin1String("samples")] = part.samples;
            args[QLatin1String("judged")] = JudgedSample::toCbor(part.judged);
            if (!part.outputs.empty()) {
                args[QLatin1String("first")] = part.first;
                args[QLatin1String("outputs")] = bytesOfNumbers(part.outputs);
            }
            m_line.note(QStringLiteral("evaluation.done"), args);
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
    const bool isWritten = frame.header.codec != noCodec().number || frame.header.packedBytes > 0;
    if (!(mayBePacked(frame.header.kind) && isWritten) && m_decoding->isIdle())
        return handOver(*m_thread, from, frame, arrived);
    m_decoding->post([this, thread = m_thread.get(), from, frame, arrived] {
        if (!mayBePacked(frame.header.kind))
            return handOver(*thread, from, frame, arrived);
        handOver(*thread, from, guarded([&]() -> Result<TensorFrame> {
            auto values = valuesOf(frame);
            if (!values)
                return tl::unexpected(values.error());
            return TensorFrame{frame.header, std::move(*values), frame.began};
        }),
                 arrived);
    });
}

void WorkerService::handOver(ComputeThread &thread, const QString &from, const Result<TensorFrame> &arrivedFrame,
                             qint64 arrived) {
    thread.post([this, compute = m_compute, from, arrivedFrame, arrived] {
        if (!compute->stages)
            return;
        if (!arrivedFrame)
            return refuse(*compute, from, arrivedFrame.error());
        const TensorFrame &frame = *arrivedFrame;
        // Once everybody is ready: but a trusted fabric's greetings come before.
        if (frame.header.kind != TensorKind::Replica && frame.header.kind != TensorKind::AllReduce)
            compute->frozen->release();
        if (const auto delivered = compute->stages->deliver(from, frame, arrived); !delivered)
            refuse(*compute, from, delivered.error());
    });
}

void WorkerService::refuse(WorkerCompute &compute, const QString &from, const Error &error) {
    constexpr QLatin1String ofFrames[]{QLatin1String("worker.bad-frame"), QLatin1String("wire.bad-state"),
                                       QLatin1String("wire.bad-tensor")};
    const bool badFrame = std::ranges::find(ofFrames, error.code) != std::end(ofFrames);
    if (badFrame && !from.isEmpty())
        return later([this, from, error] { m_links.end(from, error); });
    compute.stages.reset();
    later([this, error] { failWorker(error); });
}

void WorkerService::endTrace() {
    m_traced = false;
    m_thread->post([compute = m_compute] {
        if (compute->stages)
            compute->stages->endTrace();
    });
}

}  // namespace hearth
