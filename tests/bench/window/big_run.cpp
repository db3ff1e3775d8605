#include "tests/bench/window/big_run.h"

#include <QJsonArray>

#include "core/plan/edit/settle.h"
#include "core/run/job.h"
#include "tests/core/plan/random_problem.h"

namespace hearth::bench {

namespace {

constexpr int batch = 4096, microBatch = 64;
constexpr double measuringSeconds = 20;

Model deepModel(int layers) {
    QJsonArray list;
    for (int i = 0; i + 1 < layers; ++i) {
        const QJsonObject convolution{{QStringLiteral("kind"), QStringLiteral("convolution")},
                                      {QStringLiteral("channels"), 8 + i % 24},
                                      {QStringLiteral("kernel"), 3},
                                      {QStringLiteral("padding"), 1}};
        list.append(
            QJsonObject{{QStringLiteral("name"), QStringLiteral("conv%1").arg(i)},
                        {QStringLiteral("kind"), QStringLiteral("sequence")},
                        {QStringLiteral("ops"),
                         QJsonArray{convolution, QJsonObject{{QStringLiteral("kind"), QStringLiteral("relu")}}}}});
    }
    list.append(
        QJsonObject{{QStringLiteral("name"), QStringLiteral("classifier")},
                    {QStringLiteral("kind"), QStringLiteral("sequence")},
                    {QStringLiteral("ops"), QJsonArray{QJsonObject{{QStringLiteral("kind"), QStringLiteral("flatten")}},
                                                       QJsonObject{{QStringLiteral("kind"), QStringLiteral("linear")},
                                                                   {QStringLiteral("features"), 10}}}}});
    const auto model = Model::fromJson({{QStringLiteral("format"), QStringLiteral("hearth-model/1")},
                                        {QStringLiteral("name"), QStringLiteral("deep-cnn")},
                                        {QStringLiteral("input"), QJsonArray{3, 8, 8}},
                                        {QStringLiteral("classes"), 10},
                                        {QStringLiteral("layers"), list}},
                                       QStringLiteral("the benchmark"));
    if (!model)
        qFatal("%s", qPrintable(model.error().toString()));
    return *model;
}

}  // namespace

BigRun::BigRun(int stages, double secondsPerRound)
    : m_secondsPerRound(secondsPerRound), m_model(deepModel(layerCount)) {
    m_problem = test::randomProblem(m_random, {layerCount, deviceCount, batch});
    m_problem.dataDevice = m_problem.devices[0].id;
    m_problem.inputBytes = 3072;
    m_problem.labelBytes = 8;
    const CostModel model(m_problem);
    Placement placement{microBatch, Schedule::OneForwardOneBackward, {}};
    for (int s = 0; s < stages; ++s) {
        StagePlacement stage{s * layerCount / stages, (s + 1) * layerCount / stages, {}, 2 * (stages - s) - 1, false};
        for (int d = s; d < deviceCount; d += stages)
            stage.group.push_back({d, 0});
        auto settled = settleStage(model, {stage, {}, microBatch, batch / microBatch, placement.schedule, true});
        if (!settled)
            qFatal("no plan of %d stages", stages);
        placement.stages.push_back(std::move(*settled));
    }
    m_plan = planOf(m_problem, QStringLiteral("hearth"), placement);
    m_plan.modelName = m_model.name;
    m_plan.modelSha256 = QString::fromLatin1(m_model.sha256());
    // Each device of a stage sends to some of the next, and to its neighbour in the group.
    for (int d = 0; d < deviceCount; ++d) {
        for (const int step : {1, 2, stages})
            m_links.push_back({id(d), id((d + step) % deviceCount), 1 << 20});
    }
}

RunEvent BigRun::make(RunEventBody body) {
    return {++m_seq, m_t, std::move(body), {}};
}

double BigRun::around(double value, double part) {
    return value * std::uniform_real_distribution<double>(1 - part, 1 + part)(m_random);
}

std::vector<DeviceInfo> BigRun::devices() const {
    std::vector<DeviceInfo> list;
    for (int d = 0; d < deviceCount; ++d) {
        DeviceInfo device;
        device.id = id(d);
        device.name = QStringLiteral("device-%1").arg(d + 1, 2, 10, QLatin1Char('0'));
        device.state = DeviceState::Training;
        device.self = d == 0;
        device.memoryBytes = qint64{8} << 30;
        device.threads = device.cores = 4;
        list.push_back(device);
    }
    return list;
}

std::vector<RunEvent> BigRun::beginning() {
    Job job;
    job.batch = batch;
    job.model = m_model.name;
    job.rounds = 10'000'000;
    std::vector<RunEvent> events;
    events.push_back(make(event::Run{QStringLiteral("20261122-080000-0001"), QStringLiteral("2026-11-22T08:00:00Z"),
                                     job.toJson(), m_model.toJson()}));
    events.push_back(make(event::State{QStringLiteral("profiling")}));
    for (const DeviceInfo &device : devices())
        events.push_back(make(event::Device{device.id, device.name, QStringLiteral("ready"), {}, 0}));
    m_t = measuringSeconds;
    events.push_back(make(event::State{QStringLiteral("planning")}));
    events.push_back(make(event::Plan{m_term, 1, m_plan.toJson(), QStringLiteral("first"), {}}));
    events.push_back(make(event::State{QStringLiteral("training")}));
    return events;
}

std::vector<RunEvent> BigRun::nextRound() {
    constexpr int evaluateEvery = 100, copyEvery = 60, saveEvery = 600;
    m_t += m_secondsPerRound;
    ++m_round;
    event::Round round;
    round.round = m_round;
    round.term = m_term;
    round.version = static_cast<quint64>(m_round);
    round.roundS = around(m_secondsPerRound * 0.9, 0.1);
    round.predictedRoundS = m_secondsPerRound * 0.85;
    round.samplesPerS = batch / around(m_secondsPerRound, 0.1);
    round.loss = around(0.2 + 2.1 / (1 + static_cast<double>(m_round) / 500), 0.05);
    for (int d = 0; d < deviceCount; ++d) {
        event::RoundDevice &device = round.devices[id(d)];
        device.computeS = around(round.roundS * 0.7, 0.1);
        device.waitForwardS = around(round.roundS * 0.1, 0.5);
        device.waitBackwardS = around(round.roundS * 0.1, 0.5);
        device.waitAllreduceS = around(round.roundS * 0.03, 0.5);
        device.sendS = around(round.roundS * 0.05, 0.5);
        device.allreduceS = around(round.roundS * 0.01, 0.5);
        device.optimizerS = round.roundS * 0.01;
        device.memoryBytes = static_cast<qint64>(around(200e6, 0.02));
    }
    round.links = m_links;
    for (event::RoundLink &link : round.links)
        link.bytes = static_cast<qint64>(around(1 << 20, 0.2));
    std::vector<RunEvent> events{make(round)};
    if (m_round % evaluateEvery == 0)
        events.push_back(make(event::Evaluation{m_round, 0.85, 0.4}));
    for (int d = 0; d < deviceCount && m_round % copyEvery == 0; ++d)
        events.push_back(make(event::Replica{id(d), d % 8, static_cast<quint64>(m_round)}));
    if (m_round % saveEvery == 0)
        events.push_back(make(event::Checkpoint{static_cast<quint64>(m_round), 64 << 20}));
    return events;
}

std::vector<RunEvent> BigRun::fault() {
    const QString lost = id(1 + m_faults++ % (deviceCount - 1));
    std::vector<RunEvent> events;
    events.push_back(make(event::Suspect{lost}));
    m_t += 1.5;
    events.push_back(make(event::Lost{lost, m_round + 1, QStringLiteral("It is silent.")}));
    events.push_back(make(event::State{QStringLiteral("recovering")}));
    ++m_term;
    Plan without = m_plan;
    for (PlanStage &stage : without.stages)
        std::erase_if(stage.shares, [&lost](const Share &share) { return share.device == lost; });
    events.push_back(make(event::Plan{m_term, m_round, without.toJson(), QStringLiteral("replay"), {}}));
    m_t += 0.4;
    event::Recovered recovered;
    recovered.term = m_term;
    recovered.seconds = 1.9;
    recovered.replayedRounds = 1;
    recovered.method = QStringLiteral("lightweight");
    events.push_back(make(recovered));
    events.push_back(make(event::State{QStringLiteral("training")}));
    --m_round;
    events.push_back(make(event::Joined{lost}));
    ++m_term;
    events.push_back(make(event::Plan{m_term, m_round + 1, m_plan.toJson(), QStringLiteral("join"), {}}));
    return events;
}

}  // namespace hearth::bench
