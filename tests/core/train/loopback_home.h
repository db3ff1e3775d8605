// Workers in one process, joined by in-process channels, and a coordinator of a few lines that drives them.
#pragma once

#include <QCborArray>
#include <QMap>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/plan/held_states.h"
#include "core/protocol/label_slots.h"
#include "core/train/worker_service.h"
#include "tests/core/train/reference.h"

namespace hearth {

/// Layers [first, last) with shares per device number.
struct TestStage {
    int firstLayer, lastLayer;
    std::vector<std::pair<int, int>> shares;  // {device, samples}
    int inFlight = 3;
    bool recompute = false;
};

struct TestPlan {
    int microBatch = 8;
    std::vector<TestStage> stages;
    QString schedule = QStringLiteral("1f1b");
};

/// Lives in the test's thread; waiting helpers run the event loop.
class LoopbackHome {
  public:
    explicit LoopbackHome(int devices, const WorkerOptions &options = {});
    explicit LoopbackHome(std::vector<WorkerOptions> each);
    ~LoopbackHome();

    static Fingerprint fingerprintOf(int device);
    WorkerService &worker(int device) { return *m_ends[static_cast<std::size_t>(device)]->service; }
    int devices() const { return static_cast<int>(m_ends.size()); }
    int finishedStatus(int device) const { return m_ends[static_cast<std::size_t>(device)]->status; }
    std::vector<Error> failures;
    std::vector<Error> peersLost;
    std::vector<qint64> lossTerms;                         // of these
    std::map<std::pair<int, quint32>, RoundTrace> traces;  // by device and round
    std::vector<Error> fabricFailures;
    std::map<int, qint64> steps;  // by device, as they tell it beside reports
    struct StoredCopy {
        int device, of;
        int firstLayer, lastLayer;
        quint64 version;
        bool operator==(const StoredCopy &) const = default;
    };
    std::vector<StoredCopy> copies;
    std::vector<NamedTensor> given;                      // initial weights, for who asks for frozen tensors
    std::vector<std::pair<int, int>> wantedFrozen = {};  // by device and layer: what the coordinator was asked for
    bool givesOthers = false;                            // the coordinator: not those of the hash
    /// Before a worker gets a tensor of another one.
    std::function<void(int from, int to, const TensorFrame &frame)> onFrame;

    Deployment deployment(const Model &model, const TestPlan &plan, int batch, const TrainingSpec &training,
                          const InputTransform &input) const;
    /// Calls one worker and waits for its answer.
    Result<QCborMap> call(int device, const QString &op, const QCborMap &args);
    /// Calls one worker, whose answer nobody waits for.
    void ask(int device, const QString &op, const QCborMap &args) {
        m_ends[static_cast<std::size_t>(device)]->rpc->call(op, args, Rpc::shortDeadline, &m_context,
                                                            [](const Result<QCborMap> &) {});
    }
    void note(int device, const QString &op, const QCborMap &args = {}) {
        m_ends[static_cast<std::size_t>(device)]->rpc->notify(op, args);
    }
    /// Deploys to every peer; the first error, if any. Streams `weights` (per layer) where the deployment says so.
    /// `meanwhile` runs once the calls are sent.
    Result<void> deploy(const Deployment &deployment, const std::vector<NamedTensor> &weights = {},
                        const std::function<void()> &meanwhile = {});
    /// The first `microBatches` of a round only, if given: then it cannot end.
    void feed(quint32 round, const SampleBatch &batch, std::optional<int> microBatches = {});
    /// Runs the event loop until then; false when that takes too long.
    bool waitFor(const std::function<bool()> &condition, int seconds = 60) const;
    struct Halted {
        quint64 version = 0;
        std::vector<HeldState> states;
        std::vector<int> frozen;  // layers
    };
    /// What a deployment lists; without holders.
    static std::vector<Deployment::Frozen> frozenIn(const Model &model, const std::vector<NamedTensor> &weights);
    Result<Halted> halt(int device, quint32 term);
    /// The device ends its connections to others.
    void endLinks(int device) {
        ask(device, QStringLiteral("expect"),
            {{QLatin1String("fingerprints"), QCborArray{fingerprintOf(device).toHex()}}});
    }
    /// The device is switched off.
    void lose(int device) { m_ends[static_cast<std::size_t>(device)]->service.reset(); }
    bool isLost(int device) const { return !m_ends[static_cast<std::size_t>(device)]->service; }
    /// The coordinator opens a second channel; the worker finds the first one open if it was not hung up.
    void reconnect(int device);
    /// By state.get, whole; by layer.
    Result<std::vector<std::shared_ptr<const Buffer>>> states(int device, int firstLayer, int lastLayer,
                                                              quint64 version);
    void sendState(int device, int layer, quint64 version, const std::shared_ptr<const Buffer> &state, quint32 term);
    const Deployment &deployed() const { return m_deployment; }
    int deviceOf(const QString &hex) const;
    /// Messages would overtake tensors that it has not taken yet.
    bool hasTakenAll(int device) const { return m_ends[static_cast<std::size_t>(device)]->channel->queuedBytes() == 0; }
    /// One tensor to one worker, as the coordinator would send it.
    void send(int device, const TensorHeader &header, const void *data, qsizetype bytes);
    /// The coordinator's channel to one worker closes.
    void hangUp(int device);
    /// By all devices that have layers.
    bool isReported(quint32 round) const;
    /// All members have reported `round`.
    bool waitForRound(quint32 round, int seconds = 60);
    double loss(quint32 round) const;
    /// Of the deployment's term.
    QList<RoundReport> reports(quint32 round) const;
    /// By weights.get, in the model's order; `member` picks whom to ask in each stage (modulo its size).
    std::vector<NamedTensor> weights(int member = 0);
    struct Evaluation {
        int samples = 0, correct = 0, notes = 0;
        double lossSum = 0;
        std::set<qint64> wrong;  // samples
    };
    Evaluation evaluate(quint64 version, const SampleBatch &test);

  private:
    struct End : PeerConnector {
        LoopbackHome *home = nullptr;
        Fingerprint self;
        std::unique_ptr<WorkerService> service;
        std::unique_ptr<Channel> channel;  // the coordinator's end
        std::unique_ptr<Rpc> rpc;
        std::vector<TensorFrame> replicas;
        int status = -1;
        void connectTo(const Fingerprint &peer, const QString &address, quint16 port, QObject *context,
                       Connected done) override;
    };
    void open(End &end, int device);
    void watch(Channel &at, const Channel &other);
    void streamWeights(int device, const Deployment::Stage &stage, const std::vector<NamedTensor> &weights);
    void sendFrozen(int device, int layer);
    static std::shared_ptr<Buffer> frozenOf(const Layer &layer, const std::vector<NamedTensor> &weights);
    TensorHeader header(TensorKind kind, quint32 round, int microBatch, int stage) const;
    void sendImages(TensorHeader header, const Deployment::Member &member, const SampleBatch &batch, int first,
                    int count);
    void sendLabels(TensorHeader header, const Deployment::Member &member, const SampleBatch &batch, int first,
                    int count);

    std::vector<std::unique_ptr<End>> m_ends;
    std::vector<std::unique_ptr<Channel>> m_former;  // of reconnect()
    QObject m_context;
    Deployment m_deployment;
    Model m_model;
    QMultiMap<quint32, RoundReport> m_reports;
    Evaluation m_evaluation;
};

}  // namespace hearth
