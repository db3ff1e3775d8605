// Pairing: a device that wants to, the digits, and how it ends; forgetting.
#include <QAbstractItemView>
#include <algorithm>

#include "tests/ui/screenshots/scene.h"
#include "ui/home/pairing_dialog.h"

namespace hearth::shots {
namespace {

PairingStatus statusOf(PairingPhase phase) {
    PairingStatus status;
    status.phase = phase;
    status.name = QStringLiteral("workshop-jetson");
    status.address = QStringLiteral("192.168.178.31");
    status.fingerprint = QStringLiteral("3f9a0c5be7d1482694f0aa17c35d88e2b6107fd94c2e53810d7a9be64f21c08d");
    status.secondsLeft = 42;
    if (phase == PairingPhase::Compare)
        status.code = QStringLiteral("048213");
    if (phase == PairingPhase::Failed) {
        status.secondsLeft = 0;
        status.error =
            Error{QStringLiteral("pairing.mismatch"), QStringLiteral("The digits did not match."),
                  QStringLiteral("Somebody between the two devices may have answered in place of the other one."),
                  QStringLiteral("Nothing was trusted. Try again; if it happens again, use another network.")};
    }
    return status;
}

/// The one that is open: closed ones may not have gone yet.
PairingDialog &dialogOf(const Scene &scene) {
    const auto all = scene.window->findChildren<PairingDialog *>();
    const auto open = std::ranges::find_if(all, [](const QWidget *each) { return each->isVisible(); });
    if (open == all.end())
        qFatal("no pairing dialog is open");
    return **open;
}

}  // namespace

void shootPairing(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    Scene scene(variant, folder, RecordedRun::devices(recorded));
    scene.home.demo = false;
    for (DeviceInfo &device : scene.home.list)
        device.state = DeviceState::Ready;
    scene.open();
    FakePairing &pairing = scene.home.fakePairing;
    pairing.become(statusOf(PairingPhase::WantsToPair));
    scene.grab(QStringLiteral("pairing-wanted"), HomePlace);
    scene.click("homeAdd");
    scene.grab(QStringLiteral("pairing-by-address"));
    scene.click("wantsToPairAccept");
    for (const auto &[phase, name] :
         {std::pair{PairingPhase::Asking, "asking"}, std::pair{PairingPhase::Compare, "digits"},
          std::pair{PairingPhase::Paired, "paired"}}) {
        pairing.become(statusOf(phase));
        settle();
        scene.grab(QStringLiteral("pairing-") + QLatin1String(name), dialogOf(scene));
    }
    dialogOf(scene).close();
    settle();
    pairing.become(statusOf(PairingPhase::WantsToPair));
    scene.click("wantsToPairAccept");
    pairing.become(statusOf(PairingPhase::Failed));
    settle();
    scene.grab(QStringLiteral("pairing-failed"), dialogOf(scene));
    dialogOf(scene).close();
    pairing.become(PairingStatus());
    scene.click("showList");
    auto *table = scene.find<QAbstractItemView>("deviceTable");
    table->setCurrentIndex(table->model()->index(1, 0));
    scene.grab(QStringLiteral("pairing-forget"));
}

}  // namespace hearth::shots
