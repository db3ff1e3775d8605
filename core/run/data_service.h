// The samples of a run that this device holds, served to the run's coordinator on another one.
#pragma once

#include <QCborMap>
#include <QObject>
#include <QTimer>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "core/base/background_task.h"
#include "core/run/data_facts.h"
#include "core/run/data_readers.h"
#include "core/run/job_data.h"
#include "core/wire/channel.h"
#include "core/wire/rpc.h"

namespace hearth {

/// What both ends must say alike. `read` and `labels` are answered by tensors of UInt8 {bytes} with the request's
/// number as their version, in order, and by ok once the last of them was sent; an error ends them where they are.
struct DataProtocol {
    static constexpr int mostSets = 16;                 // of one run on one device
    static constexpr int mostRequests = 64;             // that are not answered
    static constexpr qsizetype mostIndices = 1 << 14;   // of one request
    static constexpr qint64 mostPieceBytes = 16 << 20;  // larger samples travel in several
    /// However slow it reads, the holder says so often that it is there: who is silent for longer is away.
    static constexpr std::chrono::milliseconds beatInterval{1000};
};

/// Calls of the coordinator:
///   open {name, place, job, model, preparation?} → {facts}: job, model and preparation are JSON texts; only a built-in
///     or registered name, never a path;
///   read {request, place, split, part, indices, epoch?} → {}; split is 0 to 2 (allSplits), indices are bytes, eight
///     each, little-endian; part is that of the facts;
///   labels {request, place, split, indices} → {}.
/// Note to it: beat {}. Errors besides those of reading: "data.unknown", "data.bad-request" (which names what is
/// wrong).
///
/// Lives in one thread with its channels. What was opened stays so for the next channel of the same coordinator.
class DataService : public QObject {
    Q_OBJECT
  public:
    /// Called beside the event loop.
    using Load = std::function<Result<JobData>(const Job &job, const Model &model, const DataPlace &place)>;

    /// Without a coordinator: its agent has another process started should it come back yet.
    static constexpr std::chrono::milliseconds longestAlone{120'000};

    /// Another way to load than dataOf(), and a shorter time alone, are for tests.
    explicit DataService(Load load = {}, std::chrono::milliseconds alone = longestAlone, QObject *parent = nullptr);
    ~DataService() override;

    /// Takes the place of the one before.
    void adopt(std::unique_ptr<Channel> channel);

  Q_SIGNALS:
    /// For too long there was no channel.
    void abandoned();

  private:
    struct Set {
        QCborMap wanted;  // as `open` said it
        std::unique_ptr<BackgroundTask> loading;
        std::vector<Reply> waiting;
        std::shared_ptr<const Dataset> data;  // null: not loaded yet
        QByteArray facts;
        QCborMap opened() const;  // what whoever opens it is told
    };
    struct Unsent {
        int place = 0;
        quint64 request = 0;
        Payload bytes;
    };
    struct Loaded {
        std::shared_ptr<const Dataset> data;
        QByteArray facts;
    };

    void open(const QCborMap &args, const Reply &reply);
    void load(int place, const QCborMap &args);
    static Result<Loaded> loaded(const Load &load, const QCborMap &args, int place);
    void loadingEnded(int place, const Result<Loaded> &result);
    void read(const QCborMap &args, const Reply &reply, bool areLabels);
    DataReaders *readersOf(int place);
    void send();
    void beat();
    void letGo();

    const Load m_load;
    std::map<int, Set> m_sets;
    std::unique_ptr<Channel> m_channel;
    std::unique_ptr<Rpc> m_rpc;
    std::map<int, std::unique_ptr<DataReaders>> m_readers;  // of m_channel, by place
    std::map<quint64, Reply> m_requests;                    // likewise
    std::deque<Unsent> m_unsent;
    QTimer m_beat, m_alone;
};

}  // namespace hearth
