#include "core/wire/rpc.h"

#include <QScopedValueRollback>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "core/base/cbor.h"
#include "core/base/sentence.h"
#include "core/wire/log.h"

namespace hearth {
namespace {

constexpr QLatin1String kindKey("k");
constexpr QLatin1String idKey("id");
constexpr QLatin1String opKey("op");
constexpr QLatin1String argsKey("a");
constexpr QLatin1String callKind("call");
constexpr QLatin1String okKind("ok");
constexpr QLatin1String errorKind("error");
constexpr QLatin1String noteKind("note");
const QString workingNote = QStringLiteral("working");

QCborMap answer(QLatin1String kind, quint64 id, const QCborMap &content) {
    return {{kindKey, kind}, {idKey, static_cast<qint64>(id)}, {argsKey, content}};
}

}  // namespace

struct Reply::Pending {
    QPointer<Rpc> rpc;
    quint64 id = 0;
    QString op;
    bool answered = false;

    ~Pending() {
        if (!answered) {
            answer(errorKind,
                   Error{QStringLiteral("rpc.unanswered"),
                         sentence("The request \"%1\" was dropped by the other end.").arg(op), QString(), QString()}
                       .toCbor());
        }
    }
    void answer(QLatin1String kind, const QCborMap &content) {
        if (std::exchange(answered, true) || !rpc)
            return;
        --rpc->m_pending;
        if (rpc->m_channel)
            rpc->m_channel->sendControl(hearth::answer(kind, id, content));
    }
};

void Reply::ok(const QCborMap &result) const {
    m_pending->answer(okKind, result);
}

void Reply::fail(const Error &error) const {
    m_pending->answer(errorKind, error.toCbor());
}

void Reply::tellWorking(std::chrono::milliseconds interval) const {
    if (!m_pending->rpc)
        return;
    auto *beat = new QTimer(m_pending->rpc.data());
    // It does not keep the answer: one that everybody drops is an error.
    QObject::connect(beat, &QTimer::timeout, beat, [beat, weak = std::weak_ptr(m_pending)] {
        const auto pending = weak.lock();
        if (!pending || pending->answered)
            beat->deleteLater();
        else
            pending->rpc->notify(workingNote, {{idKey, static_cast<qint64>(pending->id)}});
    });
    beat->start(interval);
}

Rpc::Rpc(Channel *channel, QObject *parent) : QObject(parent), m_channel(channel) {
    connect(channel, &Channel::controlReceived, this, &Rpc::receive);
    connect(channel, &Channel::closed, this, &Rpc::failAll);
    connect(channel, &QObject::destroyed, this, [this] {
        failAll(
            {QStringLiteral("wire.closed"), sentence("The connection was closed on this side."), QString(), QString()});
    });
    onNotify(workingNote,
             [this](const QCborMap &args) { receiveWorking(static_cast<quint64>(integerOf(args.value(idKey)))); });
}

Rpc::~Rpc() = default;

void Rpc::call(const QString &op, const QCborMap &args, std::chrono::milliseconds deadline, QObject *context,
               Callback callback, Bounds bounds) {
    const quint64 id = ++m_lastId;
    auto *timer = new QTimer(this);
    timer->setSingleShot(true);
    connect(timer, &QTimer::timeout, this, [this, id, op, deadline] {
        const auto seconds = std::chrono::duration<double>(deadline).count();
        complete(id, fail(QStringLiteral("rpc.deadline"),
                          sentence("%1 did not answer in time.")
                              .arg(m_channel ? Sentence(m_channel->peerName()) : sentence("The other end")),
                          sentence("The request \"%1\" was allowed %2 seconds.").arg(op).arg(seconds)));
    });
    m_outstanding.insert(id, {context, std::move(callback), timer, bounds});
    if (!m_channel || !m_channel->isOpen()) {
        QMetaObject::invokeMethod(
            this,
            [this, id] { complete(id, fail(QStringLiteral("wire.closed"), sentence("The connection is closed."))); },
            Qt::QueuedConnection);
        return;
    }
    timer->start(deadline);
    const QScopedValueRollback<bool> guard(m_inCall, true);
    m_channel->sendControl({{kindKey, callKind}, {idKey, static_cast<qint64>(id)}, {opKey, op}, {argsKey, args}});
}

void Rpc::handle(const QString &op, Handler handler) {
    m_handlers.insert(op, std::move(handler));
}

void Rpc::notify(const QString &op, const QCborMap &args) {
    if (m_channel)
        m_channel->sendControl({{kindKey, noteKind}, {opKey, op}, {argsKey, args}});
}

void Rpc::onNotify(const QString &op, NoteHandler handler) {
    m_noteHandlers.insert(op, std::move(handler));
}

void Rpc::receive(const QCborMap &message) {
    const QString kind = message.value(kindKey).toString();
    const QCborValue idValue = message.value(idKey);
    const QCborValue opValue = message.value(opKey);
    const QCborValue argsValue = message.value(argsKey);
    const qint64 idNumber = integerOf(idValue);
    const bool hasId = idNumber > 0;
    const auto id = static_cast<quint64>(idNumber);
    if (!argsValue.isMap())
        return malformed(sentence("It has no arguments."));
    const QCborMap args = argsValue.toMap();
    if (kind == callKind && hasId && opValue.isString()) {
        receiveCall(id, opValue.toString(), args);
    } else if (kind == noteKind && opValue.isString()) {
        // A copy: the handler may replace itself.
        if (const NoteHandler handler = m_noteHandlers.value(opValue.toString()))
            handler(args);
        else
            qCDebug(wireLog) << "nobody listens for the note" << opValue.toString().left(80);
    } else if (kind == okKind && hasId) {
        complete(id, args);
    } else if (kind == errorKind && hasId) {
        complete(id, tl::unexpected(Error::fromCbor(args)));
    } else {
        malformed(sentence("Its kind is \"%1\".").arg(kind.left(20)));
    }
}

void Rpc::receiveCall(quint64 id, const QString &op, const QCborMap &args) {
    auto pending = std::make_shared<Reply::Pending>();
    pending->rpc = this;
    pending->id = id;
    pending->op = op.left(80);
    const Reply reply(std::move(pending));
    ++m_pending;
    if (m_pending > maximumPending) {
        reply.fail({QStringLiteral("rpc.busy"), sentence("Too many requests are waiting for an answer."), QString(),
                    sentence("Try again later.")});
        return;
    }
    if (const Handler handler = m_handlers.value(op)) {
        handler(args, reply);
        return;
    }
    reply.fail({QStringLiteral("rpc.unknown-op"), sentence("The request \"%1\" is unknown here.").arg(op.left(80)),
                sentence("The other end may run another version."),
                sentence("Run the same version of Hearth on all devices.")});
}

void Rpc::receiveWorking(quint64 id) {
    const auto found = m_outstanding.constFind(id);
    if (found != m_outstanding.constEnd() && found->bounds == Bounds::Silence)
        found->timer->start();  // from the beginning
}

void Rpc::complete(quint64 id, const Result<QCborMap> &result) {
    const auto found = m_outstanding.constFind(id);
    if (found == m_outstanding.constEnd())
        return;  // after its deadline
    const Outstanding call = *found;
    m_outstanding.erase(found);
    call.timer->deleteLater();
    call.timer->stop();
    if (call.context) {
        // A failed send closes the channel inside of call(); its caller must not be called back there.
        QMetaObject::invokeMethod(
            call.context.data(), [callback = call.callback, result] { callback(result); },
            m_inCall ? Qt::QueuedConnection : Qt::AutoConnection);
    }
}

void Rpc::failAll(const Error &reason) {
    const QPointer<Rpc> self(this);
    auto ids = m_outstanding.keys();
    std::sort(ids.begin(), ids.end());
    for (const quint64 id : std::as_const(ids)) {
        complete(id, tl::unexpected(reason));
        if (!self)
            return;
    }
}

void Rpc::malformed(const QString &cause) {
    if (m_channel) {
        m_channel->close({QStringLiteral("rpc.malformed"), sentence("A request could not be understood."), cause,
                          sentence("Run the same version of Hearth on all devices.")});
    }
}

}  // namespace hearth
