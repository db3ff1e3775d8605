#include "fake_home.h"

#include <QCborArray>
#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "core/base/cbor.h"
#include "core/wire/state_chunks.h"

namespace hearth::fake {
namespace {

const Error refusal{QStringLiteral("worker.out-of-memory"), QStringLiteral("The worker ran out of memory."),
                    QStringLiteral("It needed 123 bytes."), QString()};

/// Every device has been on for another time.
qint64 clock(int number) {
    using namespace std::chrono;
    return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch() + hours(number)).count();
}

}  // namespace

Worker::Worker(Home &theHome, std::unique_ptr<Channel> theChannel, int theNumber)
    : home(theHome),
      number(theNumber),
      process(theHome.agent.started.count(Home::id(theNumber))),
      channel(std::move(theChannel)),
      rpc(std::make_unique<Rpc>(channel.get())) {
    connect(channel.get(), &Channel::tensorReceived, this, &Worker::receive);
    answer(QStringLiteral("hello"), [this](const QCborMap &, const Reply &reply) {
        const auto known = home.memoryOf.find(number);
        const auto version = home.versionOf.find(number);
        reply.ok({{QStringLiteral("version"), version != home.versionOf.end() ? version->second : QString()},
                  {QStringLiteral("library"), home.library},
                  {QStringLiteral("threads"), 1},
                  {QStringLiteral("memory_bytes"), known != home.memoryOf.end() ? known->second : home.memoryBytes},
                  {QStringLiteral("runtime_bytes"), 1000}});
    });
    answer(QStringLiteral("expect"), [this](const QCborMap &args, const Reply &reply) {
        expected.clear();
        for (const QCborValue &each : args[QStringLiteral("fingerprints")].toArray())
            expected << each.toString();
        reply.ok();
    });
    answer(QStringLiteral("profile"), [this](const QCborMap &args, const Reply &reply) {
        rpc->notify(QStringLiteral("profile.progress"), {{QStringLiteral("done"), 1}, {QStringLiteral("total"), 2}});
        home.wholeProfiles += !args[QStringLiteral("brief")].toBool();
        if (args[QStringLiteral("model")].toMap()[QStringLiteral("name")].toString() == benchmarkNetwork().name) {
            ++home.benchmarkProfiles;
            if (home.refusesBenchmark)
                return reply.fail({QStringLiteral("model.op"), QStringLiteral("An operation is unknown."), {}, {}});
        } else if (args[QStringLiteral("brief")].toBool()) {
            ++home.briefPasses;
            if (!home.briefPassesFit) {
                return reply.fail(
                    {QStringLiteral("worker.out-of-memory"), QStringLiteral("The worker ran out of memory."), {}, {}});
            }
        }
        reply.ok(profile(args));
    });
    answer(QStringLiteral("profile.units"), [this](const QCborMap &args, const Reply &reply) {
        std::vector<UnitSeconds> units;
        for (const QCborValue each : args[QStringLiteral("units")].toArray()) {
            const int layer = static_cast<int>(each.toArray()[0].toInteger());
            const int samples = static_cast<int>(each.toArray()[1].toInteger());
            const LayerSeconds took = secondsOf(home.request.model.layers[static_cast<std::size_t>(layer)], samples);
            units.push_back({layer, samples, took.forward, took.backward, 0});
        }
        home.unitsAsked[number] += static_cast<int>(units.size());
        reply.ok({{QStringLiteral("units"), toCbor(units)}});
    });
    answer(QStringLiteral("link.probe"), [this](const QCborMap &args, const Reply &reply) {
        home.probed[{number, args[QStringLiteral("fingerprint")].toString()}] =
            args[QStringLiteral("address")].toString();
        const int to = Fingerprint::fromHex(args[QStringLiteral("fingerprint")].toString())->bytes[1];
        if (home.unmeasured.contains({number, to})) {
            return reply.fail({QStringLiteral("worker.peer-unreachable"),
                               QStringLiteral("A device did not reach another one."),
                               QStringLiteral("No route."),
                               {}});
        }
        const auto own = home.linkFigures.find(number);
        const auto [rate, latency] = own == home.linkFigures.end() ? std::pair(1e8, 1e-4) : own->second;
        const bool isAtOnce = args.contains(QStringLiteral("wait_ms"));
        home.burstsAtOnce += isAtOnce ? 1 : 0;
        if (isAtOnce && home.silentAtOnce.contains(number)) {
            deploying = reply;
            return;
        }
        reply.ok({{QStringLiteral("bytes_per_s"), isAtOnce ? rate * home.atOncePart : rate},
                  {QStringLiteral("latency_s"), latency}});
    });
    answer(QStringLiteral("deploy"), [this](const QCborMap &args, const Reply &reply) {
        if (home.misunderstands.contains(number)) {
            return reply.fail({QStringLiteral("json.unknown-key"),
                               QStringLiteral("The deployment: the key \"/new\" is unknown."),
                               {},
                               {}});
        }
        const auto read = Deployment::fromCbor(args);
        if (!read)
            return reply.fail(read.error());
        deployment = *read;
        frames.clear();
        term = deployment->term;
        rounds = deployment->firstRound - 1;
        const Deployment::Stage *stage = ownStage();  // none: this one rests
        if (stage && deployment->firstRound > 1)
            held.push_back({static_cast<quint64>(rounds), stage->firstLayer, stage->lastLayer});
        const Fingerprint far = key(2, static_cast<quint8>(home.unreachable.second));
        const int own = stageOf(*deployment, self()), its = stageOf(*deployment, far);
        const bool neighbors = own >= 0 && its >= 0 && std::abs(own - its) <= 1;
        if (number == home.unreachable.first && neighbors) {
            rpc->notify(QStringLiteral("peers.unreached"), {{QStringLiteral("fingerprints"), QCborArray{far.toHex()}}});
            return reply.fail({QStringLiteral("worker.peer-unreachable"),
                               QStringLiteral("A device did not reach another one."),
                               QStringLiteral("There is no connection."), QString()});
        }
        for (const Deployment::Frozen &each : deployment->frozen) {
            if (stage && each.layer >= stage->firstLayer && each.layer < stage->lastLayer)
                rpc->notify(QStringLiteral("frozen.wanted"), {{QStringLiteral("term"), qint64{deployment->term}},
                                                              {QStringLiteral("layers"), QCborArray{each.layer}}});
        }
        if (deployment->statesHeld || !stage)
            return reply.ok();
        for (int layer = stage->firstLayer; deployment->weightsStreamed && layer < stage->lastLayer; ++layer)
            weightsMissing +=
                std::ranges::count_if(home.request.model.layers[static_cast<std::size_t>(layer)].shape.tensors,
                                      [](const TensorSpec &tensor) { return tensor.role != TensorRole::Frozen; });
        if (weightsMissing == 0)
            reply.ok();
        else
            deploying = reply;
    });
    answer(QStringLiteral("evaluate"), [this](const QCborMap &args, const Reply &reply) {
        ++home.evaluationsAsked;
        home.passes += number == 1 ? 1 : 0;
        if (number == 3 && home.diesAtEvaluation > 0 && home.passes == home.diesAtEvaluation) {
            home.diesAtEvaluation = 0;
            return die();
        }
        evaluation = EvaluationOrder::fromCbor(args);
        reply.ok();
    });
    answer(QStringLiteral("codecs"), [this](const QCborMap &args, const Reply &reply) {
        auto read = codecChangesFromJson(args[QStringLiteral("changes")].toArray().toJsonArray(),
                                         deployment->firstRound, deployment->stages.size() - 1, {}, {});
        if (!read)
            return reply.fail(read.error());
        deployment->codecChanges = std::move(*read);
        for (const TensorFrame &frame : frames)
            begunBeforeCodecs = std::max(begunBeforeCodecs, qint64{frame.header.round});
        reply.ok();
    });
    answer(QStringLiteral("clock"), [this](const QCborMap &, const Reply &reply) {
        reply.ok({{QStringLiteral("ns"), clock(number)}});
    });
    answer(QStringLiteral("halt"), [this](const QCborMap &args, const Reply &reply) { halt(args, reply); });
    answer(QStringLiteral("state.get"), [this](const QCborMap &args, const Reply &reply) { sendStates(args, reply); });
    rpc->onNotify(QStringLiteral("keep"), [this](const QCborMap &args) {
        if (home.missesKeep[number]-- <= 0)
            wanted = static_cast<quint64>(args[QStringLiteral("version")].toInteger());
    });
    rpc->onNotify(QStringLiteral("exact"),
                  [this](const QCborMap &args) { exact = args[QStringLiteral("version")].toInteger(); });
    rpc->onNotify(QStringLiteral("commit"), [this](const QCborMap &args) {
        committed = args[QStringLiteral("version")].toInteger();
        std::erase_if(held, [this](const HeldState &state) { return qint64(state.version) < committed; });
    });
    rpc->onNotify(QStringLiteral("trace.end"), [this](const QCborMap &) { ++tracesEnded; });
    answer(QStringLiteral("weights.get"),
           [this](const QCborMap &args, const Reply &reply) { sendWeights(args, reply); });
}

void Worker::tellLost(const Worker &other, std::optional<qint64> ofTerm, const QString &code) {
    const Error reason{code, QStringLiteral("The connection ended."), {}, {}};
    QCborMap note{{QStringLiteral("device"), other.self().toHex()}, {QStringLiteral("error"), reason.toCbor()}};
    if (ofTerm)
        note[QStringLiteral("term")] = *ofTerm;
    rpc->notify(QStringLiteral("peer.lost"), note);
}

void Worker::goOnAs(const Worker &before) {
    deployment = before.deployment;
    rounds = before.rounds;
    held = before.held;
    wanted = before.wanted;
    committed = before.committed;
    term = before.term;
}

void Worker::answer(const QString &op, const std::function<void(const QCborMap &, const Reply &)> &handler) {
    rpc->handle(op, [this, op, handler](const QCborMap &args, const Reply &reply) {
        const auto is = [&](const std::map<int, QString> &wrong) {
            const auto at = wrong.find(number);
            return at != wrong.end() && at->second == op;
        };
        if (is(home.fails)) {
            tellShortage();
            reply.fail(refusal);
        } else if (is(home.failsOnce)) {
            home.failsOnce.erase(number);
            reply.fail(refusal);
        } else if (is(home.dies)) {
            home.dies.erase(number);
            die();
        } else if (is(home.silent))
            deploying = reply;
        else
            handler(args, reply);
    });
}

void Worker::tellShortage() {
    if (const auto known = home.shortages.find(number); known != home.shortages.end())
        rpc->notify(QStringLiteral("memory.short"), known->second.toCbor());
}

bool Worker::isIn(std::size_t stage) const {
    return deployment && stageOf(*deployment, key(2, static_cast<quint8>(number))) == int(stage);
}

void Worker::receive(const TensorFrame &frame) {
    frames.push_back(frame);
    const TensorHeader &header = frame.header;
    if (!deployment || header.term != deployment->term)
        return;
    if (header.kind == TensorKind::Replica && !isStateChunk(header) && --weightsMissing == 0)
        deploying->ok();
    if (header.kind == TensorKind::Input || header.kind == TensorKind::Label)
        home.served(frame);
    if (home.holdsEvaluation)
        return;
    tellEvaluation(header);
    if (header.kind == TensorKind::Evaluation && evaluation.wanted == EvaluationOrder::Wanted::Outputs)
        tellOutputs(frame);
}

/// What the members of the last stage would make of these samples of the first one, which has one member.
void Worker::tellOutputs(const TensorFrame &samples) {
    const TensorHeader &header = samples.header;
    const auto each = samples.payload->size() / header.sampleCount;
    for (const Deployment::Member &member : deployment->stages.back().members) {
        const int count = std::clamp(static_cast<int>(header.sampleCount) - member.firstSample, 0, member.samples);
        std::vector<double> outputs;
        for (int i = 0; i < count; ++i) {
            const auto first = static_cast<std::size_t>(member.firstSample + i) * static_cast<std::size_t>(each);
            outputs.insert(outputs.end(), static_cast<std::size_t>(home.outputs),
                           std::to_integer<int>(samples.payload->data()[first]));
        }
        const auto worker = std::ranges::find_if(
            home.workers, [&](const auto &one) { return one->isAlive() && one->self().toHex() == member.device; });
        if (count == 0 || worker == home.workers.end())
            continue;
        (*worker)->rpc->notify(
            QStringLiteral("evaluation.done"),
            {{QStringLiteral("version"), static_cast<qint64>(header.version)},
             {QStringLiteral("micro_batch"), header.microBatch},
             {QStringLiteral("samples"), count},
             {QStringLiteral("correct"), 0},
             {QStringLiteral("loss_sum"), 0.0},
             {QStringLiteral("first"), qint64{header.microBatch} * evaluation.microBatch + member.firstSample},
             {QStringLiteral("outputs"), bytesOfNumbers(outputs)}});
    }
}

void Worker::tellEvaluation(const TensorHeader &header) {
    if (header.kind != TensorKind::Evaluation || header.slot != evaluationLabelSlot)
        return;
    rpc->notify(
        QStringLiteral("evaluation.done"),
        {{QStringLiteral("version"), static_cast<qint64>(header.version)},
         {QStringLiteral("micro_batch"), header.microBatch},
         {QStringLiteral("samples"), header.sampleCount},
         {QStringLiteral("correct"), header.sampleCount},
         {QStringLiteral("loss_sum"), home.evaluated(static_cast<qint64>(header.version)) * header.sampleCount}});
}

void Worker::answerEvaluation() {
    for (const TensorFrame &frame : frames)
        tellEvaluation(frame.header);
}

void Worker::reportRound(qint64 round) {
    if (home.diesInRound == round && number == 2) {
        home.diesInRound = 0;
        die();
        return;
    }
    if (home.failsInRound == number && round == 1) {
        tellShortage();
        rpc->notify(QStringLiteral("failed"), refusal.toCbor());
        return;
    }
    rounds = round;
    reports.emplace_back(deployment->term, round);
    RoundReport report;
    report.kept = wanted == quint64(round);
    report.round = static_cast<quint32>(round);
    report.term = deployment->term;
    report.version = static_cast<quint64>(round);
    report.loss = isIn(deployment->stages.size() - 1) ? home.loss : 0;
    report.memoryBytes = 7;
    report.computeSeconds = home.computeSeconds;
    report.waitForwardSeconds = round == 1 ? 1000 : 0;  // as long as the others were deployed
    for (const auto &peer : deployment->peers)
        report.sent[peer.device] = 100;
    if (deployment->isChecked(report.round)) {
        CutCheck &check = report.checks.emplace_back();
        check.stage = stageOf(*deployment, self());
        check.forward = {home.lostPart * home.lostPart, 1};
        check.codedLoss = check.rawLoss = isIn(deployment->stages.size() - 1) ? 1 : 0;
    }
    if (home.packedPart > 0)
        report.packing = packing(report.round);
    if (deployment->trace)
        rpc->notify(QStringLiteral("round.trace"), home.brokenTraces ? QCborMap() : trace(round).toCbor());
    snapshot(round);
    if (report.kept)
        copy(round);
    rpc->notify(QStringLiteral("round.done"), report.toCbor());
}

std::vector<CutPacking> Worker::packing(quint32 round) const {
    constexpr qint64 bytes = 100'000;
    const auto left = static_cast<qint64>(home.packedPart * bytes);
    const int stage = stageOf(*deployment, self());
    const auto after = [&](int cut) { return deployment->codecAfter(static_cast<std::size_t>(cut), round); };
    std::vector<CutPacking> all;
    if (stage + 1 < static_cast<int>(deployment->stages.size()))
        all.push_back({stage, CutWay::Forward, after(stage).forward, bytes, left});
    if (stage > 0) {
        const CutCodec codec = after(stage - 1);
        const bool isExact = codec == CutCodec{} && !deployment->stages[static_cast<std::size_t>(stage) - 1].recompute;
        const CutWay way = isExact ? CutWay::Active : CutWay::Backward;
        all.push_back({stage - 1, way, codec.backward, bytes, left});
    }
    return all;
}

const Deployment::Stage *Worker::ownStage() const {
    const int place = deployment ? stageOf(*deployment, self()) : -1;
    return place < 0 ? nullptr : &deployment->stages[static_cast<std::size_t>(place)];
}

RoundTrace Worker::trace(qint64 round) const {
    RoundTrace trace;
    trace.round = static_cast<quint32>(round);
    trace.term = deployment->term;
    const qint64 now = clock(number);
    trace.spans = {{Activity::Forward, 0, now - 3000, now - 2000}, {Activity::Backward, 0, now - 2000, now}};
    for (const auto &peer : deployment->peers) {
        if (peer.device != key(2, static_cast<quint8>(number)).toHex())
            trace.sent[peer.device] = {{Cargo::Activation, 0, 0, 0, now - 2000, 100}};
    }
    return trace;
}

}  // namespace hearth::fake
