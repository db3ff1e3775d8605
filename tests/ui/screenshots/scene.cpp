#include "tests/ui/screenshots/scene.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QEventLoop>
#include <QTextStream>
#include <QTimer>

namespace hearth::shots {

void settle() {
    QEventLoop loop;
    QTimer::singleShot(200, &loop, &QEventLoop::quit);
    loop.exec();
    // Dialogs that were closed outside of any event loop.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

Scene::Scene(const Variant &look, const QDir &out, std::vector<DeviceInfo> devices)
    : variant(look), folder(out), spoken(QLocale(look.language)) {
    ThemeManager::instance().setChoice(look.theme);
    home.list = std::move(devices);
}

MainWindow &Scene::open() {
    window = std::make_unique<MainWindow>(home, controller, answers);
    window->resize(variant.size);
    window->show();
    return *window;
}

void Scene::click(const char *button) const {
    find<QAbstractButton>(button)->click();
}

void Scene::send(const std::vector<RunEvent> &events) {
    for (const RunEvent &one : events)
        controller.send(one);
}

void Scene::grab(const QString &name) const {
    settle();
    grab(name, *window);
}

void Scene::grab(const QString &name, Place page) const {
    window->showPlace(page);
    grab(name);
}

void Scene::grab(const QString &name, QWidget &widget) const {
    const QString path = folder.filePath(QStringLiteral("%1-%2.png").arg(variant.name, name));
    if (!widget.grab().save(path))
        qFatal("cannot write %s", qPrintable(path));
    QTextStream(stdout) << path << Qt::endl;
}

}  // namespace hearth::shots
