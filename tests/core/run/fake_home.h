// A home without processes, sockets or tensors: fake workers at the other ends of in-process channels.
#pragma once

#include <QCborArray>
#include <QHash>
#include <QSet>
#include <QTemporaryDir>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/data/dataset.h"
#include "core/model/catalogue.h"
#include "core/model/init.h"
#include "core/plan/held_states.h"
#include "core/predict/brief_profile.h"
#include "core/protocol/deployment.h"
#include "core/protocol/evaluation_order.h"
#include "core/protocol/label_slots.h"
#include "core/protocol/memory_shortage.h"
#include "core/protocol/round_report.h"
#include "core/protocol/round_trace.h"
#include "core/run/coordinator.h"
#include "core/wire/loopback_channel.h"
#include "core/wire/rpc.h"

namespace hearth::fake {

/// Sample i is filled with the byte i mod 251, its first byte is i mod 256; its label is i mod 10.
class TinyDataset : public Dataset {
  public:
    explicit TinyDataset(qint64 train = 50, qint64 test = 21) : m_train(train), m_test(test) {
        m_name = QStringLiteral("tiny");
        m_parts = {{QStringLiteral("picture"), {DType::UInt8, {1, 28, 28}, false}, {}}};
        m_classes = 10;
        m_label = {DType::Int64, {}, false};
        m_preparation = {{QStringLiteral("format"), QStringLiteral("hearth-data/1")}};
        for (int i = 0; i < 10; ++i)
            m_labelNames << QString::number(i);
    }
    qint64 count(Split split) const override { return split == Split::Train ? m_train : m_test; }
    Result<void> readSamples(Split split, std::size_t, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (unreadable == std::pair(split, indices[i]) && (isAway || isDamaged))
                return ++refused, tl::unexpected(isDamaged ? damage : disk);
            const auto bytes = static_cast<std::size_t>(sample().bytes());
            std::memset(out.data() + i * bytes, static_cast<int>(indices[i] % 251), bytes);
        }
        return {};
    }
    Result<void> readLabels(Split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const qint64 label = indices[i] % 10;
            std::memcpy(out.data() + i * sizeof label, &label, sizeof label);
        }
        return {};
    }

    void lose(const GoneFiles &gone) { m_gone = gone; }

    std::optional<std::pair<Split, qint64>> unreadable;  // for one of these reasons
    std::atomic<bool> isAway = false, isDamaged = false;
    mutable std::atomic<int> refused = 0;
    const Error disk{QStringLiteral("data.unreadable"), QStringLiteral("The file /data/x could not be read."), {}, {}};
    const Error damage{QStringLiteral("data.broken-picture"), QStringLiteral("The picture x cannot be used."), {}, {}};

  private:
    qint64 m_train, m_test;
};

inline Fingerprint key(quint8 first, quint8 second) {
    Fingerprint fingerprint;
    fingerprint.bytes[0] = first;
    fingerprint.bytes[1] = second;
    return fingerprint;
}

/// The first; -1: it rests.
inline int stageOf(const Deployment &deployment, const Fingerprint &worker) {
    const std::vector<int> stages = deployment.stagesOf(worker.toHex());
    return stages.empty() ? -1 : stages.front();
}

class Home;

/// Speaks the worker's protocol and computes nothing. What it is told to do wrong, it does at the named call.
class Worker : public QObject {
  public:
    Worker(Home &home, std::unique_ptr<Channel> channel, int number);
    ~Worker() override { rpc.reset(); }
    void reportRound(qint64 round);
    bool isAlive() const { return channel->isOpen(); }
    Fingerprint self() const { return key(2, static_cast<quint8>(number)); }
    void die() { channel->close({QStringLiteral("wire.closed"), QStringLiteral("The connection ended."), {}, {}}); }
    /// That its connection to that one ended, which the plan of this term needs; 0: no plan does; nothing: it does not
    /// say.
    void tellLost(const Worker &other, std::optional<qint64> ofTerm,
                  const QString &code = QStringLiteral("wire.closed"));
    /// Another connection to the same process: it has what it had.
    void goOnAs(const Worker &before);
    /// What it had to say of an evaluation that was held.
    void answerEvaluation();
    bool isIn(std::size_t stage) const;
    /// Where gradients are rounded: its state after this round is all that there is.
    bool isWhole(qint64 round) const;
    const Deployment::Stage *ownStage() const;

    Home &home;
    int number;
    qsizetype process;  // how often its agent was asked for one
    std::unique_ptr<Channel> channel;
    std::unique_ptr<Rpc> rpc;
    std::optional<Deployment> deployment;
    std::optional<Reply> deploying;  // waits for weights
    EvaluationOrder evaluation;      // the last one
    QStringList expected;            // who may have links to it, as it was told last
    std::vector<TensorFrame> frames;
    qint64 weightsMissing = 0;
    qint64 rounds = 0;
    int tracesEnded = 0;          // so often it was told to take no more of them down
    std::vector<HeldState> held;  // states that it has whole
    quint64 wanted = 0;           // the version that it was asked to keep
    qint64 exact = 0;             // the one whose round it was asked to sum exactly
    qint64 committed = -1;
    quint32 term = 0;
    QCborArray origins;                               // of terms, as it was told when it was halted last
    qint64 begunBeforeCodecs = 0;                     // the last round of which it had anything when codecs changed
    std::vector<std::pair<quint32, qint64>> reports;  // term and round

  private:
    RoundTrace trace(qint64 round) const;
    std::vector<CutPacking> packing(quint32 round) const;
    void tellShortage();
    void answer(const QString &op, const std::function<void(const QCborMap &, const Reply &)> &handler);
    void receive(const TensorFrame &frame);
    void tellEvaluation(const TensorHeader &header);
    void tellOutputs(const TensorFrame &samples);
    void sendWeights(const QCborMap &args, const Reply &reply);
    void halt(const QCborMap &args, const Reply &reply);
    void snapshot(qint64 round);
    void copy(qint64 round);
    void sendStates(const QCborMap &args, const Reply &reply);
    QCborMap profile(const QCborMap &args) const;
    LayerSeconds secondsOf(const Layer &layer, int samples) const;
};

class Agent : public AgentLink {
  public:
    explicit Agent(Home &theHome) : home(theHome) {}
    void startWorker(const QString &device, std::chrono::milliseconds, QObject *context, StartedFn done) override;
    void stopWorker(const QString &device) override { stopped << device; }
    void startHolder(const QString &, std::chrono::milliseconds, QObject *context, StartedFn done) override {
        QMetaObject::invokeMethod(
            context,
            [done] {
                done(hearth::fail(QStringLiteral("holder.not-started"), QStringLiteral("No device holds data here.")));
            },
            Qt::QueuedConnection);
    }
    void stopHolder(const QString &) override {}
    void eventWritten(quint64 seq) override;
    void failed(const Error &error) override { lastError = error; }

    Home &home;
    QStringList started, stopped;
    Error lastError;
    bool publishedTooEarly = false;
};

class Connector : public WorkerConnector {
  public:
    explicit Connector(Home &theHome) : home(theHome) {}
    void connectTo(const WorkerAddress &worker, std::chrono::milliseconds, QObject *context, ConnectedFn done) override;
    Fingerprint fingerprint() const override { return key(9, 9); }
    Home &home;
};

/// No round is slow: a warning of it is for tests that are about it, not for a machine that is busy.
RunDeadlines unhurried();

class Home {
  public:
    explicit Home(int devices = 2);
    ~Home() { coordinator.reset(); }

    static QString id(int number) { return key(1, static_cast<quint8>(number)).toHex(); }
    static QString name(int number) { return QStringLiteral("local-%1").arg(number); }
    /// Two stages, the second one a group of two with shares 20/12 when there are three devices.
    QJsonObject plan() const;
    void start(RunDeadlines deadlines = unhurried());
    std::vector<RunEvent> events() const;
    std::vector<RunEvent> events(const QString &kind) const;
    QString lastState() const;
    Error lastError() const;
    /// All devices measured that network before, as it is described.
    void remember(const QString &network);
    Worker *worker(int number) const;  // the newest with this number
    /// The home's agent tells it of a device, also of one that the run did not begin with. Its address is the
    /// request's.
    void becomes(int number, DeviceState state);
    /// The home's agent hears nothing of these any more; their workers are well.
    void cutOff(const std::vector<int> &numbers);
    void command(const char *word) { coordinator->command({{QStringLiteral("command"), QLatin1String(word)}}); }
    /// A worker has all it needs of a round when everything of it was served.
    void served(const TensorFrame &frame);
    /// The next round, if everything of it was served.
    void reportRound();
    /// They are held no more. Several may have been served meanwhile, and nothing else comes before they are reported.
    void resumeRounds();

    QTemporaryDir folder;
    RunRequest request;
    RunInputs inputs;
    Agent agent{*this};
    Connector connector{*this};
    std::unique_ptr<RunDirectory> directory;
    std::vector<std::unique_ptr<Worker>> workers;  // in the order of connection
    std::unique_ptr<Coordinator> coordinator;

    // What goes wrong, by the number of the device and the call.
    std::map<int, QString> fails, dies, silent;
    double asDescribed = 0;            // a layer takes so many times what its description says; 0: all take the same
    int wholeProfiles = 0;             // so many were measured
    int benchmarkProfiles = 0;         // of benchmarkNetwork()
    bool refusesBenchmark = false;     // as workers that do not know its layers
    int briefPasses = 0;               // of the job's network
    bool briefPassesFit = true;        // into memory
    std::map<int, int> unitsAsked;     // alone, by the number of the device
    double slower = 1;                 // so many times as long as in another home takes a layer
    std::map<int, QString> failsOnce;  // and is well from then on
    std::map<int, QString> unreached;  // by the number of the device: the error's code
    std::set<int> unanswered;          // nobody says whether their workers were reached
    /// Of whole profiles, where all layers take the same.
    std::vector<int> sizesThatFit{1, 32};
    qint64 memoryBytes = qint64{8} << 30;
    std::map<int, qint64> memoryOf;            // by the number of the device; else the same for all
    std::map<int, MemoryShortage> shortages;   // told before the call that fails
    int failsInRound = 0;                      // this device, for want of memory, when it has everything of round 1
    std::set<std::pair<int, int>> unmeasured;  // directed pairs without a connection while links are measured
    std::map<int, std::pair<double, double>> linkFigures;  // bytes/s and seconds that this device measures of its links
    double atOncePart = 1;            // of a link's rate alone: what a burst gets that runs at once with others
    int burstsAtOnce = 0;             // so many ran
    std::set<int> silentAtOnce;       // never answer such a burst, by the number of the device
    std::pair<int, int> unreachable;  // two devices without a connection
    std::function<void(quint32 term)> halted = [](quint32) {};
    qint64 diesInRound = 0;  // device 2, when it has everything of that round; once
    bool returns = true;     // a device that was lost can be started again
    QString library = QStringLiteral("fake 1");
    std::map<int, QString> versionOf;                   // of Hearth, by the number of the device; else it says none
    std::set<int> misunderstands;                       // deployments, by the number of the device
    std::map<int, QString> addresses;                   // by the number of the device; else 127.0.0.1
    std::map<int, QString> forOthers;                   // likewise; else the same
    std::map<int, QString> dialled;                     // likewise: where its worker was
    std::map<int, int> dials;                           // likewise: how often
    std::map<std::pair<int, int>, QString> seen;        // where one's agent sees another
    std::map<std::pair<int, QString>, QString> probed;  // a device and the key of another: where it looked for it
    bool holdsRounds = false;
    qint64 holdsAfter = 1LL << 40;            // no round after this one
    std::chrono::milliseconds roundPause{0};  // a round takes so long
    bool holdsEvaluation = false;
    std::map<int, int> missesKeep;  // by the number of the device: so many of these notes come too late
    bool losesCopies = false;       // none arrives
    double lostPart = 0;            // relative error of activations, where cuts are checked
    double packedPart = 0;          // what packing leaves of what crosses cuts, pay or not; 0: nobody tries
    bool brokenTraces = false;
    std::map<qint64, qint64> inputSamples, labelSamples;  // served so far, by round
    std::map<qint64, double> normaliser;
    qint64 reported = 0;
    quint32 term = 0;  // of what was served
    int evaluationsAsked = 0;
    int passes = 0;            // those of them that device 1 took part in
    int diesAtEvaluation = 0;  // device 3, at the pass of this number; once
    qint64 outputs = 10;       // what the last layer tells of a sample: so often its first byte
    std::function<double(qint64 round)> evaluated = [](qint64) { return 0.5; };  // the mean loss after it
    double loss = 2;
    double computeSeconds = 1e-9;  // of every round, as told
};

}  // namespace hearth::fake
