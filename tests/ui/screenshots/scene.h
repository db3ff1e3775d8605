// One window over fakes, and pictures of it.
#pragma once

#include <QDir>
#include <memory>
#include <vector>

#include "tests/ui/fake_home.h"
#include "ui/base/rail.h"
#include "ui/base/theme.h"
#include "ui/shell/main_window.h"

namespace hearth::shots {

/// How the window looks: all pictures are taken of each.
struct Variant {
    QString name;
    ThemeChoice theme = ThemeChoice::Light;
    QString language = QStringLiteral("en");
    QSize size{1280, 800};
};

/// Lets layouts settle and the plots' timer fire.
void settle();

/// Until `isReached`, or for twenty seconds.
template <class Condition>
void settleUntil(Condition isReached) {
    for (int tries = 0; tries < 100 && !isReached(); ++tries)
        settle();
}

/// What stands behind the window may be changed before open().
struct Scene {
    Scene(const Variant &look, const QDir &out, std::vector<DeviceInfo> devices = {});

    MainWindow &open();
    template <class T>
    T *find(const char *objectName) const {
        auto *found = window->findChild<T *>(QLatin1String(objectName));
        if (found == nullptr)
            qFatal("there is no %s", objectName);
        return found;
    }
    void click(const char *button) const;
    void send(const std::vector<RunEvent> &events);

    /// "<variant>-<name>.png": of the window once it has settled, of one of its pages, or of any widget as it is.
    void grab(const QString &name) const;
    void grab(const QString &name, Place page) const;
    void grab(const QString &name, QWidget &widget) const;

    const Variant variant;
    const QDir folder;
    const Language spoken;
    FakeHomeSource home;
    FakeController controller;
    FakeQuestions answers;
    std::unique_ptr<MainWindow> window;
};

// Every function takes the pictures of one subject.
void shootPages(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootFirstStart(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootInstall(const Variant &variant, const QDir &folder);
void shootJob(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootData(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootFurther(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootHomes(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootMeasured(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootPairing(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootDialogs(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootLoss(const Variant &variant, const QDir &folder);
void shootResting(const Variant &variant, const QDir &folder);
void shootGuard(const Variant &variant, const QDir &folder);
void shootDeep(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootCuts(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootPhone(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
void shootTwelve(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);
/// Needs hearth-worker.
void shootTry(const Variant &variant, const QDir &folder);

}  // namespace hearth::shots
