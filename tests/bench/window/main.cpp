// window [drag] [dashboard] [blocks] [sheet] [memory] [idle]: figures of the window, over runs that are made up event
// by event. Without a word all of them. Set QT_QPA_PLATFORM=offscreen, or run it under a display.
#include <QLabel>
#include <QLoggingCategory>
#include <QMainWindow>
#include <cstring>

#include "tests/bench/window/common.h"
#include "tests/ui/fake_home.h"

using namespace hearth;

namespace {

/// What any window of Qt takes, for comparison: says "window visible" as `hearth` does, and stays until it is ended.
int bareWindow(int argc, char **argv) {
    QApplication app(argc, argv);
    QMainWindow window;
    window.setCentralWidget(new QLabel(QStringLiteral("Hearth")));
    window.resize(1280, 800);
    window.show();
    QTimer::singleShot(0, &window, [] { std::fprintf(stderr, "window visible\n"); });
    return QApplication::exec();
}

}  // namespace

int main(int argc, char **argv) {
    if (argc > 1 && std::strcmp(argv[1], "--bare") == 0)
        return bareWindow(argc, argv);
    bench::Watched app(argc, argv);
    const Language spoken{QLocale(QLocale::English, QLocale::UnitedStates)};
    const std::pair<const char *, void (*)(bench::Watched &)> parts[] = {
        {"drag", &bench::drag},   {"dashboard", &bench::dashboard}, {"blocks", &bench::blocks},
        {"sheet", &bench::sheet}, {"memory", &bench::memory},       {"idle", &bench::idle}};
    const QStringList wanted = QApplication::arguments().mid(1);
    for (const QString &word : wanted) {
        if (std::none_of(std::begin(parts), std::end(parts),
                         [&](const auto &part) { return word == QLatin1String(part.first); })) {
            std::fprintf(stderr, "There is no part \"%s\": drag, dashboard, blocks, sheet, memory, idle.\n",
                         qPrintable(word));
            return 2;
        }
    }
    for (const auto &[name, part] : parts) {
        if (wanted.isEmpty() || wanted.contains(QLatin1String(name)))
            part(app);
    }
    return 0;
}
