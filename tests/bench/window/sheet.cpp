// The Job page's sheet of samples, of a set of 100,000 pictures: how long from opening the page until samples are
// painted, how long an event of the loop takes meanwhile, and a frame while the page is scrolled. The files are in the
// page cache: they were just written.
#include <QBuffer>
#include <QDir>
#include <QImage>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>

#include "core/data/data_registry.h"
#include "tests/bench/window/common.h"
#include "tests/ui/fake_home.h"
#include "ui/base/rail.h"
#include "ui/job/job_draft.h"
#include "ui/shell/main_window.h"

namespace hearth::bench {

namespace {

constexpr int pictures = 100'000, classes = 10, kinds = 100, side = 64;
constexpr double target = 500;

/// A small JPEG of a colour of its own.
QByteArray jpegOf(int kind) {
    QImage image(side, side, QImage::Format_RGB32);
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x)
            image.setPixel(x, y, qRgb(x * (kind % 4 + 1) % 256, y * 4 * kind / kinds, kind * 2));
    }
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "jpg", 85);
    return buffer.data();
}

/// A folder for each class; a number behind the picture makes each file one of its own.
bool makePictures(const QString &folder) {
    std::vector<QByteArray> jpegs;
    jpegs.reserve(kinds);
    for (int kind = 0; kind < kinds; ++kind)
        jpegs.push_back(jpegOf(kind));
    for (int i = 0; i < pictures; ++i) {
        const QString inside = QStringLiteral("%1/class-%2").arg(folder).arg(i % classes);
        if (i < classes && !QDir().mkpath(inside))
            return false;
        QFile file(QStringLiteral("%1/holiday-picture-%2.jpg").arg(inside).arg(i, 6, 10, QLatin1Char('0')));
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(jpegs[static_cast<std::size_t>(i % kinds)] + QByteArray::number(i)) < 0)
            return false;
    }
    return true;
}

/// Of all threads of this process, in milliseconds.
double processorMilliseconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// When samples were painted first.
class FirstSamples : public QObject {
  public:
    explicit FirstSamples(QWidget *sheet) : m_sheet(sheet) {
        m_since.start();
        sheet->installEventFilter(this);
    }
    double milliseconds() const { return m_milliseconds; }
    double ofProcessor() const { return m_ofProcessor; }
    bool eventFilter(QObject *, QEvent *event) override {
        // What it says of its samples is there with them.
        if (event->type() != QEvent::Paint || m_milliseconds > 0 || m_sheet->accessibleDescription().isEmpty())
            return false;
        m_sheet->removeEventFilter(this);
        QCoreApplication::sendEvent(m_sheet, event);
        m_milliseconds = static_cast<double>(m_since.nsecsElapsed()) / 1e6;
        m_ofProcessor = processorMilliseconds() - m_before;
        return true;
    }

  private:
    QWidget *m_sheet;
    QElapsedTimer m_since;
    const double m_before = processorMilliseconds();
    double m_milliseconds = 0, m_ofProcessor = 0;
};

/// The window opens the page of a job with these data.
void openPage(Watched &app, const char *what, const QString &data) {
    FakeHomeSource home;
    FakeController controller;
    FakeQuestions questions;
    MainWindow window(home, controller, questions);
    // So tall that the sheet is in sight.
    window.resize(1280, 1600);
    Job job;
    job.data = QStringList{data};
    window.jobDraft().setJob(job);
    window.showPlace(HomePlace);
    window.show();
    spin(500);
    double opened = 0, ofProcessor = 0;
    app.watch([&] {
        FirstSamples samples(window.findChild<QWidget *>(QStringLiteral("sampleSheet")));
        window.showPlace(JobPlace);
        while (samples.milliseconds() == 0)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        opened = samples.milliseconds();
        ofProcessor = samples.ofProcessor();
        spin(1000);
    });
    std::printf("  %-58s %7.0f ms until samples are painted (target %.0f), %.0f of the processor\n", what, opened,
                target, ofProcessor);
    app.blocks().print("one event of the loop meanwhile");
    std::printf("    the longest was for %s\n", app.longestOf().constData());
    window.resize(1280, 800);
    spin(500);
    QScrollBar *bar = window.findChild<QScrollArea *>(QStringLiteral("jobScroll"))->verticalScrollBar();
    Samples frames;
    for (int turn = 0; turn < 4; ++turn) {
        for (int i = 0; i <= 50; ++i) {
            const int at = bar->maximum() * (turn % 2 == 0 ? i : 50 - i) / 50;
            frames.add([&] {
                bar->setValue(at);
                QCoreApplication::processEvents();
            });
        }
    }
    frames.print("one frame while the page is scrolled");
}

}  // namespace

void sheet(Watched &app) {
    std::printf("sheet: %d JPEGs of %dx%d in %d folders\n", pictures, side, side, classes);
    std::fflush(stdout);
    const QTemporaryDir folder;
    qputenv("XDG_DATA_HOME", QFile::encodeName(folder.filePath(QStringLiteral("data"))));
    const QString path = folder.filePath(QStringLiteral("pictures")), name = QStringLiteral("holiday");
    if (!makePictures(path)) {
        std::printf("  They cannot be written to %s.\n", qPrintable(path));
        return;
    }
    openPage(app, "a folder that nobody has looked at", path);
    const double seconds = millisecondsOf([&] {
                               if (const auto data = registerDataset(name, path, false); !data)
                                   std::printf("  %s\n", qPrintable(data.error().toString()));
                           }) /
                           1000;
    std::printf("  %-58s %7.1f s\n", "all pictures are looked at once, when they get a name", seconds);
    openPage(app, "the set by its name", name);
}

}  // namespace hearth::bench
