// hearth-screenshots FOLDER: every page of the window over a recorded run, in light, dark, German and 1024×640, and the
// states without a run. Runs without a display (QT_QPA_PLATFORM=offscreen).
#include <QApplication>
#include <QTextStream>

#include "tests/ui/screenshots/scene.h"

using namespace hearth;
using namespace hearth::shots;

int main(int argc, char **argv) {
    QApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() != 2 || !QDir().mkpath(arguments[1])) {
        QTextStream(stderr) << "Usage: hearth-screenshots FOLDER" << Qt::endl;
        return 2;
    }
    const QDir folder(arguments[1]);
    const std::vector<RunEvent> recorded = RecordedRun::load();
    const QString german = QStringLiteral("de");
    const QSize small(1024, 640);
    for (const Variant &variant : {Variant{QStringLiteral("light")}, Variant{QStringLiteral("dark"), ThemeChoice::Dark},
                                   Variant{QStringLiteral("german-small"), ThemeChoice::Light, german, small},
                                   Variant{QStringLiteral("small"), ThemeChoice::Dark, QStringLiteral("en"), small}}) {
        shootFirstStart(variant, folder, recorded);
        shootPairing(variant, folder, recorded);
        shootDialogs(variant, folder, recorded);
        shootInstall(variant, folder);
        shootJob(variant, folder, recorded);
        shootHomes(variant, folder, recorded);
        shootMeasured(variant, folder, recorded);
        shootPages(variant, folder, recorded);
        shootLoss(variant, folder);
        shootResting(variant, folder);
        shootTwelve(variant, folder, recorded);
    }
    return 0;
}
