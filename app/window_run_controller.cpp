#include "app/window_run_controller.h"

#include <algorithm>

#include "core/home/agent_client.h"
#include "core/home/event_file.h"

namespace hearth {

AgentRunController::AgentRunController(AgentClient &client, QObject *parent) : RunController(parent), m_client(client) {
    connect(&client, &AgentClient::runEvent, this, &AgentRunController::takeLine);
    connect(&client, &AgentClient::runEnded, this, [this](const QString &run) {
        if (run != m_run)
            return;
        m_following = false;
        Q_EMIT runEnded(run);
    });
    connect(&client, &AgentClient::runChanged, this, &AgentRunController::refreshRuns);
    connect(&client, &AgentClient::runChanged, this, &AgentRunController::followAgain);
    connect(&client, &AgentClient::closed, this, [this] {
        if (!m_run.isEmpty())
            Q_EMIT runEnded(m_run);
    });
}

void AgentRunController::start(const Job &job) {
    // A second click while the first is on its way must not start a second run.
    if (m_starting) {
        return;
    }
    const Result<RunOrder> order = makeOrder(job, m_files);
    if (!order) {
        Q_EMIT failed(order.error());
        return;
    }
    setStarting(true);
    m_client.startRun(*order, this, [this](const Result<QString> &run) {
        setStarting(false);
        if (!run) {
            Q_EMIT failed(run.error());
            return;
        }
        attach(*run);
    });
}

void AgentRunController::setStarting(bool starting) {
    m_starting = starting;
    Q_EMIT startingChanged(starting);
}

void AgentRunController::attach(const QString &run) {
    m_run = run;
    m_following = true;
    Q_EMIT runOpened(run);
    m_client.attach(run, 1, this, [this](const Result<QCborMap> &answer) {
        if (!answer)
            Q_EMIT failed(answer.error());
    });
}

void AgentRunController::attachToLiveRun() {
    m_client.runs(this, [this](const Result<std::vector<RunInfo>> &runs) {
        if (!runs || !m_run.isEmpty() || m_starting) {
            return;
        }
        const RunInfo *newest = nullptr;
        for (const RunInfo &run : *runs) {
            if (run.live && (newest == nullptr || run.started > newest->started))
                newest = &run;
        }
        if (newest != nullptr) {
            attach(newest->id);
        }
    });
}

void AgentRunController::refreshRuns() {
    if (!m_client.isOpen()) {
        return;
    }
    m_client.runs(this, [this](const Result<std::vector<RunInfo>> &runs) {
        if (runs) {
            Q_EMIT runsChanged(*runs);
        } else {
            Q_EMIT failed(runs.error());
        }
    });
}

void AgentRunController::followAgain(const QString &run, const QString &state) {
    const bool isUnderWay = !isFinalState(state) && state != QLatin1String("interrupted");
    if (run == m_run && !m_following && isUnderWay)
        attach(run);
}

void AgentRunController::command(const QString &word) {
    m_client.command(m_run, word, {}, this, [this](const Result<QCborMap> &answer) {
        if (!answer)
            Q_EMIT failed(answer.error());
    });
}

void AgentRunController::takeLine(const QString &run, const QByteArray &line) {
    if (run != m_run) {
        return;
    }
    const Result<RunEvent> parsed = RunEvent::fromLine(line);
    if (parsed) {
        Q_EMIT event(*parsed);
    } else {
        Q_EMIT failed(parsed.error());
    }
}

}  // namespace hearth
