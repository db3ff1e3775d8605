// Runs with everything real, for tests of them: agents, coordinator and workers as processes, TLS between them.
#pragma once

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <optional>
#include <vector>

#include "core/agent/agent_client.h"
#include "core/agent/embedded_home.h"
#include "core/model/catalogue.h"
#include "core/plan/plan.h"
#include "core/run/job.h"
#include "core/run/run_event.h"
#include "tests/integration/losses.h"

namespace hearth {

constexpr int slowRun = 180'000;  // a loaded machine, sanitizers: only a hang is caught

/// One run, as an agent tells of it.
struct Follower : QObject {
    AgentClient &client;
    QString id;
    std::vector<RunEvent> events;
    bool ended = false;
    std::optional<Error> refused;
    std::optional<Standstill> machine;  // from start() on

    explicit Follower(AgentClient &theClient) : client(theClient) {
        QObject::connect(&client, &AgentClient::runEvent, this, [this](const QString &run, const QByteArray &line) {
            if (run == id)
                events.push_back(RunEvent::fromLine(line).value_or(RunEvent{}));
        });
        QObject::connect(&client, &AgentClient::runEnded, this, [this](const QString &run) { ended |= run == id; });
    }
    void start(const RunOrder &order) {
        events.clear();
        ended = false;
        refused.reset();
        machine.emplace();
        client.startRun(order, this, [this](const Result<QString> &started) {
            if (!started) {
                refused = started.error();
                return;
            }
            id = *started;
            client.attach(id, 1, this, [](const Result<QCborMap> &) {});
        });
    }
    /// Waits for the end of a run. Its last state, and what went wrong where that is not "finished".
    QString endOf(const RunOrder &order) {
        start(order);
        if (!QTest::qWaitFor([this] { return ended || refused; }, slowRun))
            return QStringLiteral("no end");
        if (refused)
            return refused->toString();
        return lastState() == QLatin1String("finished") ? lastState()
                                                        : lastState() + QStringLiteral(": ") + errorText();
    }
    /// The same of a run in which no device may be lost.
    QString calmEndOf(const RunOrder &order) {
        for (Tries tries;;) {
            const QString end = endOf(order);
            if (!isSpoilt({}, tries))
                return end == QLatin1String("finished") && !hasLost({}) ? lossesBeside({}, losses()) : end;
        }
    }
    /// In order.
    Losses losses() const {
        Losses list;
        for (const event::Lost &each : all<event::Lost>())
            list << std::pair(each.id, each.cause.english());
        return list;
    }
    /// Whether exactly these devices were lost, each once and in this order.
    bool hasLost(const QStringList &ids) const {
        QStringList lost;
        for (const event::Lost &each : all<event::Lost>())
            lost << each.id;
        return lost == ids;
    }
    /// Of a run that has ended well: others than the `meant` were lost, and it is tried again.
    bool isSpoilt(const QStringList &meant, Tries &tries) const {
        return ended && (lastState() == QLatin1String("finished") || lastState() == QLatin1String("stopped")) &&
               machineExcuses(lossesBeside(meant, losses()), *machine, tries);
    }
    template <class T>
    std::vector<T> all() const {
        std::vector<T> list;
        for (const RunEvent &event : events) {
            if (const T *body = std::get_if<T>(&event.body))
                list.push_back(*body);
        }
        return list;
    }
    QString lastState() const {
        const auto states = all<event::State>();
        return states.empty() ? QString() : states.back().state;
    }
    QString errorText() const {
        const auto errors = all<event::Failure>();
        return errors.empty() ? QString() : errors.back().error.toString();
    }
};

inline RunOrder order(int rounds) {
    Job job;
    job.batch = 32;
    job.rounds = rounds;
    job.evaluateEvery = 0;
    job.optimizer.learningRate = 0.05;
    RunOrder order;
    order.job = job.toJson();
    order.model = loadModel(job.model)->toJson();
    return order;
}

/// Has no stages yet.
inline Plan planOfTest() {
    const Model model = *loadModel(QStringLiteral("fashion-cnn"));
    Plan plan;
    plan.modelName = model.name;
    plan.modelSha256 = QString::fromLatin1(model.sha256());
    plan.layerCount = static_cast<int>(model.layers.size());
    plan.planner = QStringLiteral("test");
    plan.batch = 32;
    plan.microBatch = 16;
    return plan;
}

/// A home of three devices. Slots of QTestLib are the test's own, and call beginHome().
class RealRun : public QObject {
  protected:
    void beginHome() {
        m_home = std::make_unique<EmbeddedHome>();
        QSignalSpy ready(m_home.get(), &EmbeddedHome::ready);
        m_home->start({});
        QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, slowRun);
        m_client = std::make_unique<AgentClient>();
        QSignalSpy open(m_client.get(), &AgentClient::ready);
        m_client->open(m_home->stateDir());
        QTRY_COMPARE_WITH_TIMEOUT(open.count(), 1, slowRun);
        std::vector<DeviceInfo> devices;
        m_client->devices(m_client.get(),
                          [&](const auto &list) { devices = list.value_or(std::vector<DeviceInfo>()); });
        QTRY_COMPARE_WITH_TIMEOUT(devices.size(), std::size_t(3), slowRun);
        for (const DeviceInfo &device : devices)
            m_ids << device.id;
    }

    std::unique_ptr<EmbeddedHome> m_home;
    std::unique_ptr<AgentClient> m_client;
    QStringList m_ids;
    QTemporaryDir m_folder;
};

}  // namespace hearth
