#include "app/window_run_controller.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <limits>
#include <tuple>
#include <utility>

#include "core/agent/agent_client.h"
#include "core/inference/home_answers.h"
#include "core/run/files/state_words.h"
#include "core/run/record_reader.h"
#include "core/run/run_problem.h"

namespace hearth {

AgentRunController::AgentRunController(AgentClient &client, const QString &ownState, QObject *parent)
    : RunController(parent),
      m_client(client),
      m_ownState(ownState),
      m_history(ownState + QStringLiteral("/history.sqlite")) {
    connect(&m_history, &RunHistory::failed, this, &RunController::failed);
    connect(&client, &AgentClient::runEvent, this, &AgentRunController::takeLine);
    connect(&client, &AgentClient::runEnded, this, [this](const QString &run) {
        if (run == m_run)
            endRun();
    });
    connect(&client, &AgentClient::runChanged, this, &AgentRunController::refreshRuns);
    // Its last state was told while its coordinator was there still; only now it is over, and can go on.
    connect(&client, &AgentClient::runEnded, this, &AgentRunController::refreshRuns);
    connect(&client, &AgentClient::runChanged, this, &AgentRunController::followAgain);
    connect(&client, &AgentClient::closed, this, &AgentRunController::loseAgent);
}

AgentRunController::~AgentRunController() = default;

void AgentRunController::begin(const QString &stateDir) {
    m_stateDir = stateDir;
    OrderFiles files;
    files.trace = m_files.trace;
    m_files = files;
    // A demo home's runs, and those of the own home beside them.
    m_history.keepDeleted();  // a demo's went with it
    m_history.setFolders({stateDir + QStringLiteral("/runs"), m_ownState + QStringLiteral("/runs")});
    m_record.reset();
    m_past.reset();
    m_run.clear();
    m_known.clear();
    m_following = false;
    ++m_attempt;
    if (m_starting)
        setStarting(false);
}

void AgentRunController::loseAgent() {
    m_following = false;
    // Their coordinators end with it.
    for (RunInfo &run : m_known) {
        run.live = false;
        if (!isFinalState(run.state))
            run.state = QStringLiteral("interrupted");
    }
    Q_EMIT runsChanged(m_known);
    if (!m_run.isEmpty())
        endRun();
}

void AgentRunController::endRun() {
    m_following = false;
    Q_EMIT runEnded(m_run);
    if (!m_saving.isEmpty())
        saveWeights(std::exchange(m_saving, {}), RunWeights::Last);
}

void AgentRunController::openRecord(const QString &path) {
    const QFileInfo info(path);
    m_recordFolder = info.isDir() ? path : info.path();
    m_replaying = true;
    m_past.reset();
    m_record = std::make_unique<RecordReader>();
    RecordReader *record = m_record.get();
    connect(record, &RecordReader::opened, this, [this](const QString &run) {
        // What the agent tells of a run of this home has nobody to go to until it is attached again.
        m_run.clear();
        m_following = false;
        Q_EMIT runOpened(run);
    });
    connect(record, &RecordReader::event, this, &RunController::event);
    connect(record, &RecordReader::progressed, this, &RunController::replayProgressed);
    connect(record, &RecordReader::ended, this, &RunController::runEnded);
    connect(record, &RecordReader::failed, this, &RunController::failed);
    record->open(path);
}

void AgentRunController::closeRun() {
    m_record.reset();
    m_past.reset();
    m_run.clear();
    m_saving.clear();
    m_following = false;
    m_replaying = false;
}

void AgentRunController::start(const Job &job, const std::optional<Plan> &plan,
                               const std::optional<StartWeights> &weights) {
    OrderFiles files = m_files;
    if (weights) {
        files.weights = weights->path();
        files.partial = weights->partial;
    }
    prepare([job, plan, files] {
        Result<RunOrder> order = makeOrder(job, files);
        if (order && plan)
            order->plan = plan->toJson();
        return order;
    });
}

void AgentRunController::planOnly(const Job &job) {
    prepare([job] {
        OrderFiles files;
        files.needsWeights = false;
        Result<RunOrder> order = makeOrder(job, files);
        if (order)
            order->options[QStringLiteral("only")] = QStringLiteral("plan");
        return order;
    });
}

void AgentRunController::goOn(const QString &run) {
    prepare([run, files = m_files] { return makeResumeOrder(run, files); });
}

void AgentRunController::prepare(std::function<Result<RunOrder>()> make) {
    // A second click while the first is on its way must not start a second run.
    if (m_starting)
        return;
    setStarting(true);
    // What is at work cannot be given up, and to wait for it would hold up the window.
    std::erase_if(m_work, [](const auto &task) { return !task->isRunning(); });
    m_work.push_back(std::make_unique<BackgroundTask>());
    ++m_attempt;
    m_work.back()->start<RunOrder>(
        this, std::move(make),
        [this, attempt = m_attempt](const RunOrder &order) {
            if (attempt == m_attempt)
                send(order);
        },
        [this, attempt = m_attempt](const Error &error) {
            if (attempt != m_attempt)
                return;
            setStarting(false);
            Q_EMIT failed(error);
        });
}

void AgentRunController::send(const RunOrder &order) {
    // Another run would write over it.
    m_files.trace.clear();
    m_client.startRun(order, this, [this](const Result<QString> &run) {
        setStarting(false);
        if (!run) {
            Q_EMIT failed(run.error());
            return;
        }
        // Another run would write over these, too; one that did not begin is tried again with them.
        m_files.save.clear();
        // One that goes on is followed already where it was shown.
        if (*run != m_run || !m_following)
            attach(*run);
    });
}

void AgentRunController::setStarting(bool starting) {
    m_starting = starting;
    Q_EMIT startingChanged(starting);
}

void AgentRunController::attach(const QString &run) {
    // The agent knows nothing of runs of another home; where it does not answer, what was written down is all there is.
    const RunSummary *known = m_history.find(run);
    const bool another =
        known != nullptr && known->folder != QDir(m_stateDir + QStringLiteral("/runs")).absoluteFilePath(run);
    if (known != nullptr && (another || !m_client.isOpen())) {
        openRecord(known->folder);
        return;
    }
    m_record.reset();
    m_run = run;
    m_saving.clear();
    m_over = false;
    m_following = true;
    // Until the agent has answered everything counts as old.
    m_oldEvents = std::numeric_limits<quint64>::max();
    m_replaying = true;
    Q_EMIT runOpened(run);
    // What was written down is read and parsed beside the event loop: of a long run the agent would tell thousands of
    // events at once.
    m_past = std::make_unique<RecordReader>();
    const auto told = std::make_shared<quint64>(0);
    connect(m_past.get(), &RecordReader::event, this, [this, told](const RunEvent &event) {
        *told = event.seq;
        take(event);
    });
    connect(m_past.get(), &RecordReader::progressed, this, &RunController::replayProgressed);
    // Where the agent's files are not for this user, or one is damaged, the agent tells what it has.
    connect(m_past.get(), &RecordReader::finished, this, [this, told] {
        m_past.release()->deleteLater();
        if (m_following)
            follow(*told + 1);
    });
    m_past->open(folderOf(m_run));
}

void AgentRunController::follow(quint64 fromSeq) {
    // What was written down before anybody here looked is told already.
    if (fromSeq > 1)
        m_oldEvents = fromSeq - 1;
    m_client.attach(m_run, fromSeq, this, [this, fromSeq, run = m_run](const Result<QCborMap> &answer) {
        if (answer) {
            if (run == m_run && fromSeq == 1)
                m_oldEvents = static_cast<quint64>((*answer)[QStringLiteral("last_seq")].toInteger());
            return;
        }
        if (run == m_run)
            m_following = false;
        Q_EMIT failed(answer.error());
    });
}

std::unique_ptr<AnswerSource> AgentRunController::homeAnswers(const AskedRun &run) {
    return std::make_unique<HomeAnswers>(run, m_stateDir);
}

void AgentRunController::comeBack() {
    m_client.runs(this, [this](const Result<std::vector<RunInfo>> &runs) {
        if (!runs)
            return;
        take(*runs);
        if (m_starting || m_record)
            return;
        const RunInfo *newest = nullptr;
        for (const RunInfo &run : *runs) {
            // Nobody trains where only something is measured: Home shows how far it is.
            if (!run.only.isEmpty())
                continue;
            if (run.id == m_run && run.live && !m_following)
                attach(run.id);
            if (newest == nullptr || std::tuple(run.live, run.started) > std::tuple(newest->live, newest->started))
                newest = &run;
        }
        if (newest != nullptr && m_run.isEmpty() && (newest->live || newest->state == QLatin1String("interrupted")))
            attach(newest->id);
    });
}

void AgentRunController::refreshRuns() {
    if (!m_client.isOpen()) {
        return;
    }
    m_client.runs(this, [this](const Result<std::vector<RunInfo>> &runs) {
        if (runs) {
            take(*runs);
        } else {
            Q_EMIT failed(runs.error());
        }
    });
}

void AgentRunController::take(const std::vector<RunInfo> &runs) {
    m_known = runs;
    Q_EMIT runsChanged(runs);
}

void AgentRunController::followAgain(const QString &run, const QString &state) {
    if (run == m_run && !m_following && isUnderWay(state))
        attach(run);
}

bool AgentRunController::canChangePlan() const {
    return m_following;
}

void AgentRunController::changePlan(const Plan &plan) {
    command(QStringLiteral("plan"), {{QStringLiteral("plan"), QCborMap::fromJsonObject(plan.toJson())}});
}

void AgentRunController::saveWeights(const QString &path, RunWeights which) {
    // The best are whole whenever they are there, also while rounds go on.
    if (which == RunWeights::Last && m_following) {
        m_saving = path;
        m_replaced = QFileInfo(path).lastModified();
        // A coordinator that is at its end takes no orders; its weights are there when it has ended.
        if (!m_over)
            command(QStringLiteral("save"), {{QStringLiteral("path"), path}});
        return;
    }
    const QString folder = folderOf(m_run);
    // Another copy may be under way, and to give it up would hold up the window.
    std::erase_if(m_work, [](const auto &copy) { return !copy->isRunning(); });
    m_work.push_back(std::make_unique<BackgroundTask>());
    m_work.back()->start<QString>(
        this, [folder, which, path] { return copyWeights(folder, which, path).map([path] { return path; }); },
        [this](const QString &saved) { Q_EMIT weightsSaved(saved); },
        [this](const Error &error) { Q_EMIT failed(error); });
}

QString AgentRunController::folderOf(const QString &run) const {
    // A record tells its id itself; it names no folder of this home.
    return m_record ? m_recordFolder : m_stateDir + QStringLiteral("/runs/") + run;
}

void AgentRunController::findProblem(const QString &run) {
    m_problemOf = run;
    if (m_reader) {
        m_readAgain = true;
        return;
    }
    const QString folder = folderOf(run);
    const auto over = [this] {
        m_reader.reset();
        if (std::exchange(m_readAgain, false))
            findProblem(m_problemOf);
    };
    m_reader = std::make_unique<BackgroundTask>();
    m_reader->start<PlanningProblem>(
        this, [folder] { return newestProblem(folder); },
        [this, run, over](const PlanningProblem &problem) {
            if (!m_readAgain)
                Q_EMIT problemFound(run, problem);
            over();
        },
        [over](const Error &) { over(); });
}

void AgentRunController::command(const QString &word, const QCborMap &arguments) {
    if (m_run.isEmpty())
        return;
    m_client.command(m_run, word, arguments, this, [this](const Result<QCborMap> &answer) {
        if (!answer)
            Q_EMIT failed(answer.error());
    });
}

void AgentRunController::takeLine(const QString &run, const QByteArray &line) {
    if (run != m_run) {
        return;
    }
    if (const Result<RunEvent> parsed = RunEvent::fromLine(line))
        take(*parsed);
    else
        Q_EMIT failed(parsed.error());
}

void AgentRunController::take(const RunEvent &told) {
    m_replaying = told.seq <= m_oldEvents;
    Q_EMIT event(told);
    if (const auto *state = std::get_if<event::State>(&told.body))
        m_over = isFinalState(state->state);
    // A run keeps its weights in its own folder as well, and tells so when both are written.
    if (!m_saving.isEmpty() && std::holds_alternative<event::Checkpoint>(told.body) && QFile::exists(m_saving) &&
        QFileInfo(m_saving).lastModified() != m_replaced)
        Q_EMIT weightsSaved(std::exchange(m_saving, {}));
}

}  // namespace hearth
