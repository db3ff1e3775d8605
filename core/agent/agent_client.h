// The app's end of the local agent's socket: window and command line both speak to the home through this.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "core/agent/programs.h"
#include "core/base/error.h"
#include "core/discovery/finding.h"
#include "core/discovery/nearby.h"
#include "core/home/device_info.h"
#include "core/pairing/pairing_status.h"
#include "core/run/files/run_info.h"
#include "core/wire/rpc.h"

class QLocalSocket;

namespace hearth {

/// Lives in one thread with an event loop. All answers and signals arrive in that thread; a call's callback is dropped
/// when `context` dies. Losing the socket fails all open calls and emits `closed` once.
class AgentClient : public QObject {
    Q_OBJECT
  public:
    template <class T>
    using Answer = std::function<void(Result<T>)>;

    explicit AgentClient(QObject *parent = nullptr);
    ~AgentClient() override;

    /// Connects to the agent whose state folder this is; `ready` or `closed` follows. Leaves another one first.
    void open(const QString &stateDir);
    bool isOpen() const;
    /// Ends the connection, or the attempt, without a word to anybody here: no `closed`, and what was asked is never
    /// answered. Not from within an answer.
    void leave();

    void devices(QObject *context, Answer<std::vector<DeviceInfo>> answer);
    /// What training may take of a device of the home, by id or name; empty: of this one. `deviceChanged` follows, too.
    void setLimits(const QString &device, const DeviceLimits &limits, QObject *context, Answer<void> answer);
    /// What a device of the home, by id or name, is called here; `deviceChanged` follows, too.
    void rename(const QString &device, const QString &name, QObject *context, Answer<void> answer);
    void nearby(QObject *context, Answer<Nearby> answer);
    /// The same with computers that offer SSH, which `nearbyChanged` tells, too, for some seconds from now on.
    void computers(QObject *context, Answer<Nearby> answer);
    /// Why a device cannot be seen: `finding` tells each as it comes, pending ones first; the answer has all of them.
    void diagnose(QObject *context, Answer<std::vector<Finding>> answer);
    /// From now on `deviceChanged`, `nearbyChanged` and `runChanged` tell every change; the current devices, and what
    /// is nearby, come as the first notes.
    void subscribe();
    void runs(QObject *context, Answer<std::vector<RunInfo>> answer);
    /// Answers with the run's id as soon as its coordinator has read the data; that may take minutes.
    void startRun(const RunOrder &request, QObject *context, Answer<QString> answer);
    /// `runEvent` for every event from `fromSeq` on, then live ones as they come, then `runEnded`.
    void attach(const QString &run, quint64 fromSeq, QObject *context, Answer<QCborMap> answer);
    /// command: pause, resume, stop, evaluate, save (with {"path"}), checkpoint, accept-plan (a plan that was offered),
    /// leave (with {"device"}: the run goes on without it).
    void command(const QString &run, const QString &command, const QCborMap &arguments, QObject *context,
                 Answer<QCborMap> answer);
    /// Pairing, one at a time: `pairingChanged` tells how it goes, to whoever has subscribed. Addresses ("host:port")
    /// are tried in order; `prefix` is that of a device found nearby, and empty where a person has given the address.
    /// Nobody is trusted before the people at both ends have confirmed the digits.
    void startPairing(const QStringList &addresses, const QString &prefix, QObject *context,
                      Answer<PairingStatus> answer);
    /// Both name what the person has seen: who waits, which digits. If it is another by now, that is an error.
    void acceptPairing(const QString &fingerprint, QObject *context, Answer<PairingStatus> answer);
    void confirmPairing(bool match, const QString &code, QObject *context, Answer<PairingStatus> answer);
    void cancelPairing(QObject *context, Answer<PairingStatus> answer);
    /// Devices that are not of this home, by the first digits of their keys: `nearbyChanged` follows, too.
    void ignoreStranger(const QString &key, QObject *context, Answer<PairingStatus> answer);
    void unignoreStranger(const QString &key, QObject *context, Answer<PairingStatus> answer);
    /// By id, or by a name that only one device has.
    void forget(const QString &device, QObject *context, Answer<QCborMap> answer);
    /// Any operation by name; `deadline` bounds the wait.
    void call(const QString &op, const QCborMap &arguments, std::chrono::milliseconds deadline, QObject *context,
              Answer<QCborMap> answer, Rpc::Bounds bounds = Rpc::Bounds::Answer);

  Q_SIGNALS:
    void ready();
    void closed(const hearth::Error &reason);
    void deviceChanged(const hearth::DeviceInfo &device);
    void nearbyChanged(const hearth::Nearby &nearby);
    void finding(const hearth::Finding &finding);
    /// It is no device of this home any more.
    void deviceRemoved(const QString &id);
    void pairingChanged(const hearth::PairingStatus &status);
    /// Somebody was turned away who has the name of a device here and another key: `stranger` has that name, its own
    /// key and address, and the error.
    void pairingRefused(const hearth::PairingStatus &stranger);
    void runChanged(const QString &id, const QString &state);
    /// `line` is one line of events.jsonl without the line end.
    void runEvent(const QString &id, const QByteArray &line);
    void runEnded(const QString &id);

  private:
    void pair(const QString &op, const QCborMap &arguments, QObject *context, Answer<PairingStatus> answer);
    void connectNow(const QString &stateDir);
    void attachSocket(std::unique_ptr<QLocalSocket> socket);

    std::unique_ptr<Rpc> m_rpc;  // before the channel it speaks through dies, see the destructor
    std::unique_ptr<Channel> m_channel;
    QLocalSocket *m_connecting = nullptr;
    int m_attempt = 0;  // that counts; earlier ones were left
};

/// Asks the agent of this state folder, if one runs, and waits in an event loop until it has answered or cannot. For
/// programs and threads that have nothing else to do meanwhile.
Result<QCborMap> askAgent(const QString &stateDir, const QString &op, const QCborMap &arguments,
                          std::chrono::milliseconds deadline);

/// Starts `hearth-agent` for this state folder unless one already answers there, and waits until it does: as the
/// service of the user's systemd where that has one, else detached, and then its words are added to agent.log. Blocks
/// up to `deadline`; meant for the command line before its event loop does anything else. The window calls it through
/// `ensureAgentAsync`.
Result<void> ensureAgent(const QString &stateDir, std::chrono::milliseconds deadline = std::chrono::seconds(10));
void ensureAgentAsync(const QString &stateDir, QObject *context, std::function<void(Result<void>)> answer,
                      std::chrono::milliseconds deadline = std::chrono::seconds(10));

}  // namespace hearth
