// hearth-screenshots FOLDER [SUBJECT]: every page of the window over a recorded run, in light, dark, German and
// 1024×640, and the states without a run. Runs without a display (QT_QPA_PLATFORM=offscreen).
#include <QApplication>
#include <QTextStream>
#include <functional>

#include "tests/ui/screenshots/manual_shots.h"

using namespace hearth;
using namespace hearth::shots;

int main(int argc, char **argv) {
    QApplication app(argc, argv);
    QCoreApplication::setApplicationVersion(QStringLiteral("0.1.0"));
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() < 2 || arguments.size() > 3 || !QDir().mkpath(arguments[1])) {
        QTextStream(stderr) << "Usage: hearth-screenshots FOLDER [SUBJECT]" << Qt::endl;
        return 2;
    }
    const QDir folder(arguments[1]);
    const std::vector<RunEvent> recorded = RecordedRun::load();
    using Shoot = std::function<void(const Variant &)>;
    const std::pair<const char *, Shoot> subjects[] = {
        {"first-start", [&](const Variant &variant) { shootFirstStart(variant, folder, recorded); }},
        {"pairing", [&](const Variant &variant) { shootPairing(variant, folder, recorded); }},
        {"dialogs", [&](const Variant &variant) { shootDialogs(variant, folder, recorded); }},
        {"install", [&](const Variant &variant) { shootInstall(variant, folder); }},
        {"job", [&](const Variant &variant) { shootJob(variant, folder, recorded); }},
        {"data", [&](const Variant &variant) { shootData(variant, folder, recorded); }},
        {"further", [&](const Variant &variant) { shootFurther(variant, folder, recorded); }},
        {"homes", [&](const Variant &variant) { shootHomes(variant, folder, recorded); }},
        {"measured", [&](const Variant &variant) { shootMeasured(variant, folder, recorded); }},
        {"pages", [&](const Variant &variant) { shootPages(variant, folder, recorded); }},
        {"cuts", [&](const Variant &variant) { shootCuts(variant, folder, recorded); }},
        {"loss", [&](const Variant &variant) { shootLoss(variant, folder); }},
        {"resting", [&](const Variant &variant) { shootResting(variant, folder); }},
        {"phone", [&](const Variant &variant) { shootPhone(variant, folder, recorded); }},
        {"guard", [&](const Variant &variant) { shootGuard(variant, folder); }},
        {"deep", [&](const Variant &variant) { shootDeep(variant, folder, recorded); }},
        {"manual", [&](const Variant &variant) { shootManual(variant, folder, recorded); }},
        {"try", [&](const Variant &variant) { shootTry(variant, folder); }},
        {"twelve", [&](const Variant &variant) { shootTwelve(variant, folder, recorded); }}};
    const QString german = QStringLiteral("de");
    const QSize small(1024, 640);
    for (const Variant &variant : {Variant{QStringLiteral("light")}, Variant{QStringLiteral("dark"), ThemeChoice::Dark},
                                   Variant{QStringLiteral("german-small"), ThemeChoice::Light, german, small},
                                   Variant{QStringLiteral("small"), ThemeChoice::Dark, QStringLiteral("en"), small}}) {
        for (const auto &[name, shoot] : subjects) {
            if (arguments.size() == 2 || arguments[2] == QLatin1String(name))
                shoot(variant);
        }
    }
    return 0;
}
