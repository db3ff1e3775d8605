// Starting the laptop's own agent, which then outlives the app.
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QLocalSocket>
#include <QProcess>
#include <QTimer>
#include <memory>

#include "core/home/agent_client.h"
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

QString logPath(const QString &stateDir) {
    return stateDir + QStringLiteral("/agent.log");
}

QString lastLine(const QString &path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    file.seek(std::max<qint64>(0, file.size() - 4096));
    return QString::fromUtf8(file.readAll().trimmed().split('\n').last());
}

Result<qint64> launch(const QString &stateDir) {
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
    agent.setStandardErrorFile(logPath(*folder));
    agent.setWorkingDirectory(*folder);
    qint64 pid = 0;
    if (!agent.startDetached(&pid)) {
        return fail(QStringLiteral("agent.not-started"), QStringLiteral("The agent could not be started."),
                    agent.errorString() + QLatin1Char('.'), QStringLiteral("Check the installation."));
    }
    return pid;
}

Error noAnswer(const QString &stateDir) {
    return {QStringLiteral("agent.not-started"), QStringLiteral("The agent was started but does not answer."),
            lastLine(logPath(stateDir)), QStringLiteral("See %1.").arg(logPath(stateDir))};
}

bool isRunning(qint64 pid) {
    return QFile::exists(QStringLiteral("/proc/%1").arg(pid));
}

}  // namespace

void ensureAgentAsync(const QString &stateDir, QObject *context, std::function<void(Result<void>)> answer,
                      std::chrono::milliseconds deadline) {
    const auto later = [context, answer](const Result<void> &result) {
        QTimer::singleShot(0, context, [answer, result] { answer(result); });
    };
    if (answers(stateDir)) {
        later({});
        return;
    }
    const auto pid = launch(stateDir);
    if (!pid) {
        later(tl::unexpected(pid.error()));
        return;
    }
    auto *poll = new QTimer(context);
    QObject::connect(poll, &QTimer::timeout, context,
                     [poll, stateDir, answer, pid = *pid, timer = QDeadlineTimer(deadline)] {
                         const bool ready = answers(stateDir);
                         if (!ready && !timer.hasExpired() && isRunning(pid))
                             return;
                         poll->stop();
                         poll->deleteLater();
                         // Another app may have started one at the same moment; then ours gave way to it.
                         if (ready || answers(stateDir))
                             answer({});
                         else
                             answer(tl::unexpected(noAnswer(stateDir)));
                     });
    poll->start(pollInterval);
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
