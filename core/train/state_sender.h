// Sends states of layers to other devices, at once or behind everything else.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/error.h"
#include "core/wire/channel.h"

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
        Backup,  // these two only while next to nothing else is under way on the channel
        Fetch
    };
    /// At most this much of what was sent is undelivered when a patient chunk follows: a tensor that comes then waits
    /// for little more than one chunk.
    static constexpr qint64 quietBytes = 16 << 10;
    static constexpr std::chrono::milliseconds interval{2};
    /// After a patient chunk was delivered the link belongs to others for this many times as long as it took, as far
    /// as `interval` can tell: a fast link has no need of rests.
    static constexpr int restFactor = 3;

    using Done = std::function<void(const Result<void> &)>;
    /// The channel to a device; null where there is none. Asked again for every chunk.
    using Route = std::function<Channel *(const QString &device)>;
    explicit StateSender(Route route, QObject *parent = nullptr);

    /// `done` is called once, later, when the last chunk was handed to the channel: "worker.superseded" after drop(),
    /// "worker.peer-unreachable" where there is no channel (any more).
    void send(StateParcel parcel, Purpose purpose, quint32 term, Done done);
    /// Forgets what was not sent.
    void drop(const std::function<bool(Purpose)> &which);
    bool isSending(Purpose purpose) const;
    /// Moves on; by itself every `interval` while there is something to send.
    void pump();

  private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        StateParcel parcel;
        Purpose purpose;
        quint32 term;
        Done done;
        std::size_t entry = 0;
        int chunk = 0;
        std::optional<Clock::time_point> sentAt{};  // the last patient chunk, until it was delivered
        Clock::time_point restsUntil{};
    };
    /// A patient job may send now.
    static bool isQuiet(Job &job, const Channel &channel);
    /// Whether the job is over.
    bool advance(Job &job, Channel &channel);
    void finish(std::list<Job>::iterator job, const Result<void> &result);

    Route m_route;
    std::list<Job> m_jobs;
    QTimer m_timer;
};

}  // namespace hearth
