// Starting the laptop's own agent, which then outlives the app.
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QLocalSocket>
#include <QProcess>
#include <QTimer>
#include <memory>

#include "core/agent/agent_client.h"
#include "core/agent/agent_log.h"
#include "core/agent/user_service.h"
#include "core/base/files.h"
#include "core/home/state_dir.h"

namespace hearth {
namespace {

constexpr std::chrono::milliseconds pollInterval{20};

bool answers(const QString &stateDir) {
    const auto name = LocalSocketName::of(stateDir);
    if (!name)
        return false;
    QLocalSocket socket;
    socket.connectToServer(name->path());
    // A local socket connects or fails at once.
    return socket.waitForConnected(200);
}

struct Launched {
    qint64 pid = 0;
    qint64 logStart = 0;  // where its words begin
};

QString lastLine(const QString &path, qint64 from) {
    QFile file(path);
    if (!openPlainFile(file))
        return {};
    file.seek(std::max(from, file.size() - 4096));
    return QString::fromUtf8(file.readAll().trimmed().split('\n').last());
}

Result<Launched> launch(const QString &stateDir) {
    const auto folder = openStateDir(stateDir);
    if (!folder)
        return tl::unexpected(folder.error());
    const auto program = findProgram(QStringLiteral("hearth-agent"));
    if (!program)
        return tl::unexpected(program.error());
    QProcess agent;
    agent.setProgram(*program);
    agent.setArguments({QStringLiteral("--state"), *folder});
    agent.setStandardInputFile(QProcess::nullDevice());
    agent.setStandardOutputFile(QProcess::nullDevice());
    Launched launched;
    launched.logStart = keepLogEnd(agentLogPath(*folder));
    agent.setStandardErrorFile(agentLogPath(*folder), QIODevice::Append);
    agent.setWorkingDirectory(*folder);
    if (!agent.startDetached(&launched.pid)) {
        return fail(QStringLiteral("agent.not-started"), sentence("The agent could not be started."),
                    agent.errorString() + QLatin1Char('.'), sentence("Check the installation."));
    }
    return launched;
}

Error noAnswer(const QString &stateDir, qint64 logStart) {
    return {QStringLiteral("agent.not-started"), sentence("The agent was started but does not answer."),
            lastLine(agentLogPath(stateDir), logStart), sentence("See %1.").arg(agentLogPath(stateDir))};
}

Error serviceSilent() {
    return {QStringLiteral("agent.not-started"),
            sentence("The agent was started but does not answer."),
            {},
            sentence("See \"journalctl --user -u hearth-agent\".")};
}

bool isRunning(qint64 pid) {
    return QFile::exists(QStringLiteral("/proc/%1").arg(pid));
}

using Outcome = std::function<void(Result<void>)>;

/// Until one answers, or `lives` says that none will; then `silent` tells why.
void await(const QString &stateDir, std::chrono::milliseconds deadline, QObject *context, Outcome answer,
           std::function<bool()> lives, std::function<Error()> silent) {
    auto *poll = new QTimer(context);
    QObject::connect(poll, &QTimer::timeout, context,
                     [poll, stateDir, answer, lives, silent, timer = QDeadlineTimer(deadline)] {
                         const bool ready = answers(stateDir);
                         if (!ready && !timer.hasExpired() && lives())
                             return;
                         poll->stop();
                         poll->deleteLater();
                         // Another app may have started one at the same moment; then ours gave way to it.
                         if (ready || answers(stateDir))
                             answer({});
                         else
                             answer(tl::unexpected(silent()));
                     });
    poll->start(pollInterval);
}

void launchAndAwait(const QString &stateDir, std::chrono::milliseconds deadline, QObject *context, Outcome answer) {
    const auto launched = launch(stateDir);
    if (!launched) {
        answer(tl::unexpected(launched.error()));
        return;
    }
    await(
        stateDir, deadline, context, std::move(answer), [pid = launched->pid] { return isRunning(pid); },
        [stateDir, start = launched->logStart] { return noAnswer(stateDir, start); });
}

}  // namespace

void ensureAgentAsync(const QString &stateDir, QObject *context, std::function<void(Result<void>)> answer,
                      std::chrono::milliseconds deadline) {
    if (answers(stateDir)) {
        QTimer::singleShot(0, context, [answer] { answer({}); });
        return;
    }
    startUserService(stateDir, context, [stateDir, context, answer, deadline](const Result<bool> &started) {
        if (!started)
            answer(tl::unexpected(started.error()));
        else if (*started)
            await(
                stateDir, deadline, context, answer, [] { return true; }, serviceSilent);
        else
            launchAndAwait(stateDir, deadline, context, answer);
    });
}

Result<void> ensureAgent(const QString &stateDir, std::chrono::milliseconds deadline) {
    QEventLoop loop;
    Result<void> outcome;
    ensureAgentAsync(
        stateDir, &loop,
        [&](const Result<void> &result) {
            outcome = result;
            loop.quit();
        },
        deadline);
    loop.exec();
    return outcome;
}

}  // namespace hearth
