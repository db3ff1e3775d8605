#include "ui/home/install_words.h"

#include <QCoreApplication>
#include <QHash>

namespace hearth {

namespace {

struct InstallWords {
    Q_DECLARE_TR_FUNCTIONS(InstallWords)
};

}  // namespace

QString stepText(InstallStep step) {
    switch (step) {
        case InstallStep::Connect:
            return InstallWords::tr("Connect");
        case InstallStep::HostKey:
            return InstallWords::tr("Check who answers");
        case InstallStep::LogIn:
            return InstallWords::tr("Log in");
        case InstallStep::Inspect:
            return InstallWords::tr("Look at the device");
        case InstallStep::Confirm:
            return InstallWords::tr("Ask you");
        case InstallStep::Copy:
            return InstallWords::tr("Copy the package");
        case InstallStep::Package:
            return InstallWords::tr("Install the package");
        case InstallStep::Pair:
            return InstallWords::tr("Trust each other");
        case InstallStep::Service:
            return InstallWords::tr("Start the agent");
        case InstallStep::Await:
            return InstallWords::tr("Wait for the device");
        case InstallStep::Undo:
            return InstallWords::tr("Undo what was done");
        case InstallStep::Remove:
            break;
    }
    return InstallWords::tr("Remove Hearth");
}

QString checkTitle(const InstallCheck &check) {
    const QHash<QString, QString> titles{{QStringLiteral("system"), InstallWords::tr("Operating system")},
                                         {QStringLiteral("home"), InstallWords::tr("Home folder")},
                                         {QStringLiteral("memory"), InstallWords::tr("Memory")},
                                         {QStringLiteral("service"), InstallWords::tr("Service manager")},
                                         {QStringLiteral("rights"), InstallWords::tr("Rights")},
                                         {QStringLiteral("existing"), InstallWords::tr("Earlier installation")},
                                         {QStringLiteral("port"), InstallWords::tr("Port")},
                                         {QStringLiteral("clock"), InstallWords::tr("Clock")},
                                         {QStringLiteral("processor"), InstallWords::tr("Processor")},
                                         {QStringLiteral("libc"), InstallWords::tr("C library")},
                                         {QStringLiteral("space"), InstallWords::tr("Free space")},
                                         {QStringLiteral("libraries"), InstallWords::tr("Libraries")}};
    return titles.value(check.id, check.title);
}

QString passwordQuestion(PasswordKind kind, const QString &prompt, int attempt) {
    const QString again = attempt > 1 ? InstallWords::tr("That was not accepted.") + QLatin1Char(' ') : QString();
    switch (kind) {
        case PasswordKind::LogIn:
            return again + InstallWords::tr("The password of %1:").arg(prompt);
        case PasswordKind::Sudo:
            return again + InstallWords::tr(
                               "The password for sudo of %1. Without it Hearth is installed for this user "
                               "only.")
                               .arg(prompt);
        case PasswordKind::KeyFile:
            break;
    }
    return again + InstallWords::tr("Your key is locked. Its passphrase:");
}

}  // namespace hearth
