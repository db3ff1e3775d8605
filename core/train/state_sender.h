// Sends states of layers to other devices, at once or behind everything else.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/chunk_packing.h"
#include "core/base/error.h"
#include "core/train/send_pace.h"
#include "core/wire/channel.h"
#include "core/wire/stream_channel.h"

namespace hearth {

/// States of one version for one device.
struct StateParcel {
    struct Entry {
        int layer = 0;
        std::shared_ptr<const Buffer> state;
    };
    QString to;  // empty: the coordinator
    quint64 version = 0;
    std::vector<Entry> entries;
};

/// Parcels for one device go one after the other, in chunks. Lives in the I/O thread.
class StateSender : public QObject {
    Q_OBJECT

  public:
    enum class Purpose {
        Move,    // training waits for it: as fast as the channel's window takes it
        Backup,  // these two give way to a round (SendPace)
        Fetch
    };
    using Done = std::function<void(const Result<void> &)>;
    /// The channel to a device; null where there is none. Asked again for every chunk.
    using Route = std::function<Channel *(const QString &device)>;
    /// Whether this device has a part of a round to do now.
    using RoundUnderWay = std::function<bool()>;
    /// Bytes a second that a channel's link delivers; 0 where nobody knows.
    using LinkRate = std::function<double(const Channel &)>;
    /// Chunks are packed without loss where that is worth its time on the link.
    StateSender(Route route, RoundUnderWay roundUnderWay, QObject *parent = nullptr,
                LinkRate linkRate = hearth::linkRate);

    /// `done` is called once, later, when the last chunk was handed to the channel: "worker.superseded" after drop(),
    /// "worker.peer-unreachable" where there is no channel (any more). Rounds go on for so long at least while a parcel
    /// that gives way to them is `spread` over them.
    void send(StateParcel parcel, Purpose purpose, quint32 term, Done done,
              std::chrono::milliseconds spread = std::chrono::milliseconds(0));
    /// Forgets what was not sent.
    void drop(const std::function<bool(Purpose)> &which);
    bool isSending(Purpose purpose) const;
    /// Moves on; by itself while there is something to send.
    void pump();

  private:
    struct Job {
        StateParcel parcel;
        Purpose purpose;
        quint32 term;
        Done done;
        std::size_t entry = 0;
        int chunk = 0;
        SendPace pace{};
        int allowed = 0;  // chunks that the pace has granted
    };
    SendPace::Time::duration waitOf(const Job &job) const;
    double rateOf(const Job &job, const Channel &channel);
    bool maySend(Job &job, const Channel &channel);
    void sendChunk(const Job &job, Channel &channel);
    /// Whether the job is over.
    bool advance(Job &job, Channel &channel);
    void finish(std::list<Job>::iterator job, const Result<void> &result);

    Route m_route;
    RoundUnderWay m_roundUnderWay;
    LinkRate m_linkRate;
    std::map<QString, double> m_rates;  // by device, where known
    ChunkPacking m_packing;
    std::list<Job> m_jobs;
    QTimer m_timer;
};

}  // namespace hearth
