// Agents in the test's own process, with coordinators and workers that are played (fake_child.cpp).
#pragma once

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <optional>

#include "core/agent/agent.h"
#include "core/agent/agent_client.h"
#include "core/agent/local_service.h"
#include "tests/core/base/held_port.h"
#include "tests/core/base/patience.h"

namespace hearth {

/// A pairing ends by what people do and by their time, never because a machine stood still.
inline PairingLimits unhurriedLimits() {
    PairingLimits limits;
    limits.times.step = limits.dial = limits.crossed = limits.held = std::chrono::minutes(10);
    return limits;
}

struct PlayedHome {
    static constexpr int patience = hearth::patience;

    std::unique_ptr<Agent> agent;
    std::unique_ptr<LocalService> service;

    /// The agent alone; `port` 0: one that stays its own while it does not run.
    static Result<std::unique_ptr<Agent>> startAgent(
        const QTemporaryDir &folder, const QString &name, quint16 port = 0, bool usesCard = false,
        std::chrono::milliseconds cardAnswer = std::chrono::milliseconds(patience),
        const QString &listenHost = QStringLiteral("127.0.0.1")) {
        AgentOptions options;
        options.stateDir = folder.filePath(name);
        options.name = name;
        options.listenHost = listenHost;
        options.port = port ? port : heldPort();
        options.threads = 1;
        options.usesCard = usesCard;
        options.cardAnswer = cardAnswer;
        options.inhibitors.clear();
        return Agent::start(options);
    }

    /// Nothing inside after an error. Deaths of coordinators count however long a busy machine takes for them.
    static PlayedHome start(const QTemporaryDir &folder, const QString &name, quint16 port = 0, bool usesCard = false,
                            std::chrono::milliseconds cardAnswer = std::chrono::milliseconds(patience),
                            const QString &listenHost = QStringLiteral("127.0.0.1")) {
        auto agent = startAgent(folder, name, port, usesCard, cardAnswer, listenHost);
        if (!agent) {
            qWarning("%s", qUtf8Printable(agent.error().toString()));
            return {};
        }
        PlayedHome home{std::move(*agent), nullptr};
        home.agent->trust().pairing().setLimits(unhurriedLimits());
        home.agent->runs().setRestartWindow(std::chrono::hours(1));
        home.service = std::make_unique<LocalService>(*home.agent);
        if (!home.service->listen())
            return {};
        return home;
    }

    DeviceInfo device(const QString &id) const {
        for (const DeviceInfo &each : agent->devices()) {
            if (each.id == id)
                return each;
        }
        return {};
    }
    DeviceState stateOf(const QString &id) const { return device(id).state; }

    /// Each trusts the other, and this one knows where the other is.
    Result<void> meet(const PlayedHome &other) const {
        return other.agent->trust().add({agent->name(), agent->fingerprint(), {}}).and_then([&] {
            return agent->trust().add({other.agent->name(), other.agent->fingerprint(), {other.agent->address()}});
        });
    }

    bool connectTo(AgentClient &client) const {
        QSignalSpy ready(&client, &AgentClient::ready);
        client.open(agent->stateDir());
        return ready.count() == 1 || ready.wait(patience);
    }
    RunInfo run(const QString &id) const {
        for (const RunInfo &each : agent->runs().list()) {
            if (each.id == id)
                return each;
        }
        return {};
    }
};

/// Two devices that know nothing of each other yet, anew for each function of a test.
class TwoHomes {
  protected:
    bool startHomes() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_one = PlayedHome::start(*m_folder, QStringLiteral("one"));
        m_two = PlayedHome::start(*m_folder, QStringLiteral("two"));
        return m_one.agent && m_two.agent;
    }
    void endHomes() {
        m_one = {};
        m_two = {};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_one, m_two;
};

/// One that has ended is not, once its agent knows of it.
inline bool isAlive(qint64 pid) {
    return pid > 0 && ::kill(static_cast<pid_t>(pid), 0) == 0;
}

/// What the played coordinator does: "finish", "wait", "die", …
inline RunOrder playedOrder(const char *act, const QString &device = {}) {
    RunOrder order;
    order.job[QStringLiteral("act")] = QString::fromLatin1(act);
    if (!device.isEmpty())
        order.job[QStringLiteral("device")] = device;
    return order;
}

inline Result<QString> startRun(AgentClient &client, const RunOrder &order) {
    std::optional<Result<QString>> answer;
    QObject context;
    client.startRun(order, &context, [&](const auto &r) { answer = r; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, PlayedHome::patience))
        return fail(QStringLiteral("test.no-answer"), QStringLiteral("The start was not answered."));
    return *answer;
}

inline Result<QCborMap> commandRun(AgentClient &client, const QString &run, const char *word,
                                   const QCborMap &args = {}) {
    std::optional<Result<QCborMap>> answer;
    QObject context;
    client.command(run, QString::fromLatin1(word), args, &context, [&](const auto &r) { answer = r; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, PlayedHome::patience))
        return fail(QStringLiteral("test.no-answer"), QStringLiteral("The command was not answered."));
    return *answer;
}

/// The events of one run as they come.
class Follower : public QObject {
  public:
    Follower(AgentClient &client, const QString &run, quint64 from = 1) : m_run(run) {
        connect(&client, &AgentClient::runEvent, this, [this](const QString &id, const QByteArray &line) {
            if (id == m_run)
                m_lines << line;
        });
        connect(&client, &AgentClient::runEnded, this, [this](const QString &id) { m_ended |= id == m_run; });
        client.attach(run, from, this, [](const auto &) {});
    }

    const QByteArrayList &lines() const { return m_lines; }
    /// Of one kind of event.
    QByteArrayList lines(const char *kind) const {
        QByteArrayList found;
        for (const QByteArray &line : m_lines) {
            if (isEventKind(line, kind))
                found << line;
        }
        return found;
    }
    bool waitFor(const char *kind, int count = 1) const {
        return QTest::qWaitFor([&] { return lines(kind).size() >= count; }, PlayedHome::patience);
    }
    bool waitForEnd() const {
        return QTest::qWaitFor([&] { return m_ended; }, PlayedHome::patience);
    }
    /// The `index`-th worker that was asked for; 0 where that failed.
    int workerPid(int index = 0) const {
        const QByteArray line = lines("worker").value(index);
        const qsizetype start = line.indexOf("\"worker_pid\":\"") + 14;
        return line.mid(start, line.indexOf('"', start) - start).toInt();
    }

  private:
    QString m_run;
    QByteArrayList m_lines;
    bool m_ended = false;
};

}  // namespace hearth
