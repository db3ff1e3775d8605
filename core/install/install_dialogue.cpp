#include "core/install/install_dialogue.h"

namespace hearth {

QString toWord(InstallStep step) {
    switch (step) {
        case InstallStep::Connect:
            return QStringLiteral("connect");
        case InstallStep::HostKey:
            return QStringLiteral("host-key");
        case InstallStep::LogIn:
            return QStringLiteral("log-in");
        case InstallStep::Inspect:
            return QStringLiteral("inspect");
        case InstallStep::Confirm:
            return QStringLiteral("confirm");
        case InstallStep::Copy:
            return QStringLiteral("copy");
        case InstallStep::Package:
            return QStringLiteral("package");
        case InstallStep::Pair:
            return QStringLiteral("pair");
        case InstallStep::Service:
            return QStringLiteral("service");
        case InstallStep::Await:
            return QStringLiteral("await");
        case InstallStep::Undo:
            return QStringLiteral("undo");
        case InstallStep::Remove:
            break;
    }
    return QStringLiteral("remove");
}

QString toTitle(InstallStep step) {
    switch (step) {
        case InstallStep::Connect:
            return QStringLiteral("Connect");
        case InstallStep::HostKey:
            return QStringLiteral("Check the host key");
        case InstallStep::LogIn:
            return QStringLiteral("Log in");
        case InstallStep::Inspect:
            return QStringLiteral("Look at the device");
        case InstallStep::Confirm:
            return QStringLiteral("Ask for consent");
        case InstallStep::Copy:
            return QStringLiteral("Copy the package");
        case InstallStep::Package:
            return QStringLiteral("Install the package");
        case InstallStep::Pair:
            return QStringLiteral("Trust each other");
        case InstallStep::Service:
            return QStringLiteral("Start the agent");
        case InstallStep::Await:
            return QStringLiteral("Wait for the device");
        case InstallStep::Undo:
            return QStringLiteral("Undo what was done");
        case InstallStep::Remove:
            break;
    }
    return QStringLiteral("Remove Hearth");
}

QJsonObject InstallProgress::toJson() const {
    static constexpr const char *states[] = {"started", "moving", "done", "failed"};
    QJsonObject json{{QStringLiteral("step"), toWord(step)},
                     {QStringLiteral("state"), QString::fromLatin1(states[static_cast<int>(state)])}};
    if (!text.isEmpty())
        json[QStringLiteral("text")] = text.english();
    if (fraction >= 0)
        json[QStringLiteral("fraction")] = fraction;
    if (check)
        json[QStringLiteral("check")] = check->toJson();
    return json;
}

}  // namespace hearth
