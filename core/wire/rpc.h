// Calls, replies and notes over a channel's control messages.
#pragma once

#include <QCborMap>
#include <QHash>
#include <QObject>
#include <QPointer>
#include <chrono>
#include <functional>
#include <memory>

#include "core/wire/channel.h"

class QTimer;

namespace hearth {

class Rpc;

/// The answer to one call; it may be given later, once, in the channel's thread. Copies are the same answer; when the
/// last one goes unanswered, the caller gets the error "rpc.unanswered".
class Reply {
  public:
    void ok(const QCborMap &result = {}) const;
    void fail(const Error &error) const;
    static constexpr std::chrono::milliseconds workingInterval{5000};
    /// From now on until it is given, the caller hears every so often that somebody works on it: for work that takes
    /// as long as a disk does, beside the event loop.
    void tellWorking(std::chrono::milliseconds interval = workingInterval) const;

  private:
    friend class Rpc;
    struct Pending;
    explicit Reply(std::shared_ptr<Pending> pending) : m_pending(std::move(pending)) {}
    std::shared_ptr<Pending> m_pending;
};

/// Messages: {"k":"call","id":n,"op":s,"a":{}} is answered by {"k":"ok","id":n,"a":{}} or
/// {"k":"error","id":n,"a":error};
/// {"k":"note","op":s,"a":{}} is not answered; the note "working" {id} tells that a call is not forgotten. Anything
/// else closes the channel ("rpc.malformed"). Lives in the channel's thread and does not own it; the channel may go
/// first.
class Rpc : public QObject {
    Q_OBJECT

  public:
    using Callback = std::function<void(Result<QCborMap>)>;
    using Handler = std::function<void(const QCborMap &args, const Reply &reply)>;
    using NoteHandler = std::function<void(const QCborMap &args)>;
    /// For a peer that only has to look something up.
    static constexpr std::chrono::milliseconds shortDeadline{10000};
    /// What the deadline of a call bounds: the time to the answer, or the time without a word of it (tellWorking()).
    /// Only who may take for ever is given the second.
    enum class Bounds : quint8 { Answer, Silence };
    /// Unanswered calls that a peer may have with us; more get "rpc.busy".
    static constexpr int maximumPending = 1024;

    explicit Rpc(Channel *channel, QObject *parent = nullptr);
    ~Rpc() override;

    /// Calls back once: with the result; with the peer's error; with "rpc.deadline"; or with the reason why the channel
    /// closed. In `context`'s thread, and not at all once `context` is gone. Never from within call().
    void call(const QString &op, const QCborMap &args, std::chrono::milliseconds deadline, QObject *context,
              Callback callback, Bounds bounds = Bounds::Answer);
    void handle(const QString &op, Handler handler);
    void notify(const QString &op, const QCborMap &args = {});
    /// Notes that nobody handles are dropped.
    void onNotify(const QString &op, NoteHandler handler);
    Channel *channel() const { return m_channel; }

  private:
    friend class Reply;
    struct Outstanding {
        QPointer<QObject> context;
        Callback callback;
        QTimer *timer;
        Bounds bounds;
    };
    void receive(const QCborMap &message);
    void receiveCall(quint64 id, const QString &op, const QCborMap &args);
    void receiveWorking(quint64 id);
    void complete(quint64 id, const Result<QCborMap> &result);
    void failAll(const Error &reason);
    void malformed(const QString &cause);

    QPointer<Channel> m_channel;
    QHash<quint64, Outstanding> m_outstanding;
    QHash<QString, Handler> m_handlers;
    QHash<QString, NoteHandler> m_noteHandlers;
    quint64 m_lastId = 0;
    int m_pending = 0;
    bool m_inCall = false;
};

}  // namespace hearth
