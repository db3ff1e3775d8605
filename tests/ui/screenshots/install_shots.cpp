// Installing on a computer: where, who is there, what was found, the consent, the work, and an end that is none.
#include "tests/ui/fake_installation.h"
#include "tests/ui/screenshots/scene.h"
#include "ui/home/install_dialog.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>

namespace hearth::shots {

void shootInstall(const Variant &variant, const QDir &folder) {
    Scene scene(variant, folder);
    scene.open();
    InstallingHome home;
    home.demo = false;
    home.around.status.state = DiscoveryState::Running;
    FakeQuestions questions;
    InstallDialog dialog(home, questions, nullptr, scene.window.get());
    dialog.show();
    const auto grab = [&](const char *name) {
        settle();
        scene.grab(QStringLiteral("install-") + QLatin1String(name), dialog);
    };
    grab("where");
    Nearby around = home.around;
    around.computers = {foundComputer(QStringLiteral("nano-3"), QStringLiteral("192.168.1.9")),
                        foundComputer(QStringLiteral("the-old-gaming-pc-of-my-brother-under-the-stairs"),
                                      QStringLiteral("192.168.1.12")),
                        foundComputer(QStringLiteral("Tower"), QStringLiteral("fe80::a00:27ff:fe4e:66a1%wlp0s20f3")),
                        foundComputer(QStringLiteral("media"), QStringLiteral("192.168.1.20")),
                        foundComputer(QStringLiteral("laptop"), QStringLiteral("192.168.1.5"))};
    around.computers[3].sshPort = 0;
    around.computers[4].hasHearth = true;
    home.setNearby(around);
    dialog.findChild<QListWidget *>(QStringLiteral("foundComputers"))->setCurrentRow(1);
    grab("found");
    dialog.findChild<QPushButton *>(QStringLiteral("installAdvanced"))->click();
    grab("advanced");
    dialog.setHost(QStringLiteral("anna@the-old-gaming-pc-of-my-brother"));
    dialog.findChild<QPushButton *>(QStringLiteral("installGo"))->click();
    FakeInstallation &job = *home.installation;
    job.done(InstallStep::Connect);
    job.step(InstallStep::HostKey, InstallProgress::State::Started);
    Q_EMIT job.hostKeyShown({SshHostKey::State::Unknown, QStringLiteral("ssh-ed25519"),
                             QStringLiteral("SHA256:q0n1b3Kq0bqXvN4dP3sJ0mU1l9C2h7Wf5tYzR8aE6Uo")});
    grab("host-key");
    job.step(InstallStep::HostKey, InstallProgress::State::Done);
    job.step(InstallStep::LogIn, InstallProgress::State::Started);
    Q_EMIT job.passwordWanted(PasswordKind::LogIn, QStringLiteral("anna@the-old-gaming-pc-of-my-brother"), 2);
    grab("password");
    job.step(InstallStep::LogIn, InstallProgress::State::Done);
    job.look();
    job.step(InstallStep::Inspect, InstallProgress::State::Done);
    Q_EMIT job.consentWanted(job.changes);
    grab("consent");
    dialog.findChild<QPushButton *>(QStringLiteral("installYes"))->click();
    job.step(InstallStep::Copy, InstallProgress::State::Started);
    job.step(InstallStep::Copy, InstallProgress::State::Moving, {}, 0.42);
    grab("copy");
    job.look({QStringLiteral("libtorch1.13"), QStringLiteral("libqt6network6")});
    job.step(InstallStep::Inspect, InstallProgress::State::Failed);
    Q_EMIT job.failed({QStringLiteral("install.libraries"),
                       QStringLiteral("Libraries that Hearth needs are not installed on that device."),
                       QStringLiteral("anna cannot install them: that needs root or sudo."),
                       QStringLiteral("Log in as root or as somebody with sudo, or have them installed there: apt-get "
                                      "install libtorch1.13 libqt6network6")});
    grab("failed");
}

}  // namespace hearth::shots
