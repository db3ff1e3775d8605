// Workers in one process, joined by in-process channels, and a coordinator of a few lines that drives them.
#pragma once

#include <QMap>
#include <map>
#include <memory>
#include <vector>

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
    explicit LoopbackHome(int devices, WorkerOptions options = {});
    ~LoopbackHome();

    static Fingerprint fingerprintOf(int device);
    WorkerService &worker(int device) { return *m_ends[static_cast<std::size_t>(device)]->service; }
    int finishedStatus(int device) const { return m_ends[static_cast<std::size_t>(device)]->status; }
    std::vector<Error> failures;
    std::vector<Error> peersLost;
    std::map<std::pair<int, quint32>, RoundTrace> traces;  // by device and round
    std::vector<Error> fabricFailures;

    Deployment deployment(const Model &model, const TestPlan &plan, int batch, const TrainingSpec &training,
                          const InputTransform &input) const;
    /// Calls one worker and waits for its answer.
    Result<QCborMap> call(int device, const QString &op, const QCborMap &args);
    void note(int device, const QString &op) { m_ends[static_cast<std::size_t>(device)]->rpc->notify(op); }
    /// Deploys to every member; the first error, if any. Streams `weights` (per layer) where the deployment says so.
    Result<void> deploy(const Deployment &deployment, const std::vector<NamedTensor> &weights = {});
    void feed(quint32 round, const SampleBatch &batch);
    /// One tensor to one worker, as the coordinator would send it.
    void send(int device, const TensorHeader &header, const void *data, qsizetype bytes);
    /// The coordinator's channel to one worker closes.
    void hangUp(int device);
    /// All members have reported `round`.
    bool waitForRound(quint32 round, int seconds = 60);
    double loss(quint32 round) const;
    QList<RoundReport> reports(quint32 round) const { return m_reports.values(round); }
    /// By weights.get, in the model's order; `member` picks whom to ask in each stage (modulo its size).
    std::vector<NamedTensor> weights(int member = 0);
    struct Evaluation {
        int samples = 0, correct = 0, notes = 0;
        double lossSum = 0;
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
    int deviceOf(const QString &hex) const;
    TensorHeader header(TensorKind kind, quint32 round, int microBatch, int stage) const;
    void sendImages(TensorHeader header, const Deployment::Member &member, const SampleBatch &batch, int first,
                    int count);
    void sendLabels(TensorHeader header, const Deployment::Member &member, const SampleBatch &batch, int first,
                    int count);

    std::vector<std::unique_ptr<End>> m_ends;
    QObject m_context;
    Deployment m_deployment;
    Model m_model;
    QMultiMap<quint32, RoundReport> m_reports;
    Evaluation m_evaluation;
};

}  // namespace hearth
