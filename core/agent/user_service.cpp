#include "core/agent/user_service.h"

#include <QProcess>
#include <QTimer>
#include <chrono>
#include <optional>

#include "core/agent/programs.h"

namespace hearth {
namespace {

const QString unit = QStringLiteral("hearth-agent.service");
// systemd answers within milliseconds, or is not there.
constexpr std::chrono::seconds serviceDeadline{10};

/// Tells what it said, if it succeeded; else nothing, and its complaint.
using Said = std::function<void(std::optional<QString>, const QString &complaint)>;

void askSystemd(const QStringList &words, QObject *context, Said said) {
    auto *process = new QProcess(context);
    QObject::connect(process, &QProcess::finished, context, [process, said](int status, QProcess::ExitStatus how) {
        process->deleteLater();
        const QString complaint = QString::fromLocal8Bit(process->readAllStandardError()).trimmed();
        const bool succeeded = how == QProcess::NormalExit && status == 0;
        said(succeeded ? std::optional(QString::fromLocal8Bit(process->readAllStandardOutput())) : std::nullopt,
             complaint);
    });
    QObject::connect(process, &QProcess::errorOccurred, context, [process, said](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        process->deleteLater();
        said(std::nullopt, process->errorString());
    });
    QTimer::singleShot(serviceDeadline, process, &QProcess::kill);
    process->setStandardInputFile(QProcess::nullDevice());
    // A program that is missing is told within the call.
    QTimer::singleShot(0, process, [process, words] {
        process->start(QStringLiteral("systemctl"), QStringList{QStringLiteral("--user")} + words);
    });
}

/// As `systemctl show` tells it.
bool serves(const QString &shown, const QString &stateDir) {
    const QString folder = QStringLiteral(" --state ");
    bool isEnabled = false, isItsFolder = false;
    for (const QString &line : shown.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("UnitFileState=enabled")))
            isEnabled = true;
        else if (line.startsWith(QLatin1String("ExecStart=")))
            isItsFolder = line.contains(folder) ? line.contains(folder + stateDir + QLatin1Char(' '))
                                                : stateDir == defaultStateDir();
    }
    return isEnabled && isItsFolder;
}

}  // namespace

void startUserService(const QString &stateDir, QObject *context, std::function<void(Result<bool>)> answer) {
    const auto started = [answer](const std::optional<QString> &done, const QString &complaint) {
        if (done) {
            answer(true);
            return;
        }
        answer(fail(QStringLiteral("agent.service-failed"),
                    sentence("The service hearth-agent of this user could not be started."), complaint,
                    sentence("See \"journalctl --user -u hearth-agent\".")));
    };
    askSystemd({QStringLiteral("show"), unit, QStringLiteral("--property=UnitFileState,ExecStart")}, context,
               [stateDir, context, answer, started](const std::optional<QString> &shown, const QString &) {
                   if (!shown || !serves(*shown, stateDir)) {
                       answer(false);
                       return;
                   }
                   // It may have failed before; somebody wants it now.
                   askSystemd({QStringLiteral("reset-failed"), unit}, context,
                              [context, started](const std::optional<QString> &, const QString &) {
                                  askSystemd({QStringLiteral("start"), unit}, context, started);
                              });
               });
}

}  // namespace hearth
