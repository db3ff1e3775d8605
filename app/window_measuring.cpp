#include "app/window_measuring.h"

#include <QJsonArray>
#include <utility>

#include "app/run_order.h"
#include "core/agent/agent_client.h"
#include "core/run/files/state_words.h"
#include "core/run/run_event.h"

namespace hearth {

AgentMeasuring::AgentMeasuring(AgentClient &client, QObject *parent) : MeasureControl(parent), m_client(client) {
    connect(&client, &AgentClient::ready, this, [this] {
        m_starting = false;
        end();
        lookForRuns();
    });
    connect(&client, &AgentClient::closed, this, [this] {
        m_starting = false;
        end();
    });
    // Somebody may measure from a terminal.
    connect(&client, &AgentClient::runChanged, this, [this](const QString &, const QString &state) {
        if (m_run.isEmpty() && !m_starting && state == QLatin1String("profiling"))
            lookForRuns();
    });
    connect(&client, &AgentClient::runEvent, this, [this](const QString &run, const QByteArray &line) {
        if (run == m_run)
            take(line);
    });
    connect(&client, &AgentClient::runEnded, this, [this](const QString &run) {
        if (run == m_run)
            end();
    });
}

void AgentMeasuring::lookForRuns() {
    m_client.runs(this, [this](const Result<std::vector<RunInfo>> &runs) {
        if (!runs || !m_run.isEmpty() || m_starting)
            return;
        for (const RunInfo &run : *runs) {
            const bool measures = run.only == QLatin1String("measure") || run.only == QLatin1String("plan");
            if (run.live && measures && !isFinalState(run.state)) {
                follow(run.id);
                return;
            }
        }
    });
}

void AgentMeasuring::start(const MeasureOrder &order) {
    if (m_status.isOn)
        return;
    m_starting = true;
    m_status = {true, false, {}};
    Q_EMIT changed();
    // A network may be opened for seconds.
    m_order = std::make_unique<BackgroundTask>();
    m_order->start<RunOrder>(
        this,
        [order] {
            OrderFiles files;
            files.needsWeights = false;
            Result<RunOrder> run = makeOrder(order.job, files);
            if (run) {
                run->options = {{QStringLiteral("only"), QStringLiteral("measure")},
                                {QStringLiteral("measure_again"), order.again},
                                {QStringLiteral("measure_of"), QJsonArray::fromStringList(order.devices)}};
            }
            return run;
        },
        [this](const RunOrder &run) { send(run); },
        [this](const Error &error) {
            if (!std::exchange(m_starting, false))
                return;
            end();
            Q_EMIT failed(error);
        });
}

void AgentMeasuring::send(const RunOrder &order) {
    // The agent has gone, or the user thought better of it.
    if (!m_starting)
        return;
    if (m_status.isEnding) {
        m_starting = false;
        end();
        return;
    }
    m_client.startRun(order, this, [this](const Result<QString> &id) {
        if (!std::exchange(m_starting, false))
            return;
        if (!id) {
            end();
            Q_EMIT failed(id.error());
            return;
        }
        const bool isUnwanted = m_status.isEnding;
        follow(*id);
        if (isUnwanted)
            cancel();
    });
}

void AgentMeasuring::follow(const QString &run) {
    m_run = run;
    m_status = {true, false, {}};
    m_pace = {};
    Q_EMIT changed();
    m_client.attach(run, 1, this, [this, run](const Result<QCborMap> &answer) {
        if (!answer && run == m_run) {
            end();
            Q_EMIT failed(answer.error());
        }
    });
}

void AgentMeasuring::cancel() {
    if (!m_status.isOn)
        return;
    m_status.isEnding = true;
    Q_EMIT changed();
    if (m_run.isEmpty())
        return;
    // One that has ended meanwhile needs no cancelling.
    m_client.command(m_run, QStringLiteral("stop"), {}, this, [](const auto &) {});
}

void AgentMeasuring::take(const QByteArray &line) {
    const auto event = RunEvent::fromLine(line);
    if (!event)
        return;
    if (const auto *run = std::get_if<event::Run>(&event->body)) {
        m_pace.begin(*run);
    } else if (const auto *profile = std::get_if<event::Profile>(&event->body)) {
        m_pace.take(event->t, *profile);
        m_status.end = m_pace.end();
        m_status.progress[profile->id] = {profile->done, profile->total};
        Q_EMIT changed();
    } else if (const auto *failure = std::get_if<event::Failure>(&event->body)) {
        Q_EMIT failed(failure->error);
    }
}

void AgentMeasuring::end() {
    m_run.clear();
    if (!m_status.isOn)
        return;
    m_status = {};
    Q_EMIT changed();
    Q_EMIT ended();
}

}  // namespace hearth
