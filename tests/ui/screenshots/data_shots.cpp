// A person's own data: they get a name, some cannot be used, a network sees pictures in its way and is fitted to them,
// and what changed since is found.
#include <QAction>
#include <QDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "core/data/data_registry.h"
#include "tests/ui/screenshots/scene.h"
#include "ui/job/job_draft.h"

namespace hearth::shots {
namespace {

/// Suns, hills and waves of many shapes and colours, in a folder for each.
void draw(const QString &path) {
    const char *const kinds[] = {"hills", "sea", "suns"};
    for (int i = 0; i < 60; ++i) {
        const int kind = i % 3, width = 160 + i % 7 * 20, height = 120 + i % 5 * 30;
        QImage picture(width, height, QImage::Format_RGB32);
        picture.fill(QColor::fromHsv(200 + i, 60 + i, 240));
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor::fromHsv(kind == 0 ? 90 + i : kind == 1 ? 210 : 40, 150, 120 + i * 2));
        if (kind == 0)
            painter.drawPolygon(QPolygon({{0, height}, {width / 2 + i, height / 3}, {width, height}}));
        else if (kind == 1)
            painter.drawRect(0, height / 2 + i % 20, width, height);
        else
            painter.drawEllipse(QPoint(width / 2, height / 2), 20 + i, 20 + i);
        painter.end();
        const QString file = QStringLiteral("%1/%2/%3.png").arg(path, QLatin1String(kinds[kind])).arg(i);
        if (!QDir().mkpath(QFileInfo(file).path()) || !picture.save(file))
            qFatal("cannot write %s", qPrintable(file));
    }
}

void write(const QString &path, const QByteArray &content) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) < 0)
        qFatal("cannot write %s", qPrintable(path));
}

/// A network of ten classes beside data of three: what does not fit, what fits it, and a network that nothing fits.
void shootFit(const Scene &scene) {
    const auto *misfit = scene.find<QLabel>("jobFit"), *fitted = scene.find<QLabel>("jobFitted");
    const auto *fit = scene.find<QPushButton>("jobFitData");
    auto *area = scene.find<QScrollArea>("jobScroll");
    const auto grab = [&](const QString &name, const QLabel *label) {
        settle();
        area->ensureWidgetVisible(label->parentWidget());
        scene.grab(name);
    };
    settleUntil([&] { return fit->isVisible(); });
    grab(QStringLiteral("data-misfit"), misfit);
    scene.click("jobFitData");
    settleUntil([&] { return !misfit->isVisible(); });
    grab(QStringLiteral("data-fitted"), fitted);
    scene.window->jobDraft().setModel(QStringLiteral("bert-small"));
    settleUntil([&] { return misfit->isVisible() && !fit->isVisible(); });
    grab(QStringLiteral("data-misfit-of-another-kind"), misfit);
}

/// "Check or remove …", before and after it found what cannot be used.
void shootKnown(const Scene &scene) {
    scene.click("jobDataKnown");
    scene.find<QAction>("jobDataManage")->trigger();
    scene.find<QMenu>("jobDataMenu")->close();
    settle();
    auto *dialog = scene.find<QDialog>("knownDataDialog");
    scene.grab(QStringLiteral("data-known"), *dialog);
    scene.click("knownDataCheck");
    const auto *leftOut = scene.find<QWidget>("knownDataLeftOut");
    settleUntil([&] { return leftOut->isVisible(); });
    settle();
    scene.grab(QStringLiteral("data-known-checked"), *dialog);
    scene.click("knownDataClose");
    settle();
}

/// A table shows its first rows before it is added; all of this one is of one class.
void shootTable(Scene &scene, const QString &path) {
    QByteArray rows = "width in centimetres,what the owner wrote about it one evening,animal\n";
    for (int i = 0; i < 60; ++i)
        rows += QByteArray::number(i * 31 % 61) + ",as he lay by the fire " + QByteArray::number(i) + ",cat\n";
    write(path, rows);
    scene.click("jobDataAdd");
    settle();
    auto *dialog = scene.find<QDialog>("addDataDialog");
    scene.answers.file = path;
    scene.click("addDataFile");
    const auto *beginning = scene.find<QWidget>("addDataRows");
    settleUntil([&] { return beginning->isVisible(); });
    settle();
    scene.grab(QStringLiteral("data-table"), *dialog);
    scene.click("addDataAdd");
    const auto *told = scene.find<QLabel>("addDataTold");
    settleUntil([&] { return told->text().contains(QLatin1Char('.')); });
    settle();
    scene.grab(QStringLiteral("data-of-one-class"), *dialog);
    scene.click("addDataClose");
    settle();
}

}  // namespace

void shootData(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    const QTemporaryDir files;
    const QString pictures = files.filePath(QStringLiteral("holidays-by-the-sea"));
    draw(pictures);
    write(pictures + QStringLiteral("/sea/empty.jpg"), {});
    write(pictures + QStringLiteral("/sea/a name\nof two lines.png"), "no picture");
    write(pictures + QStringLiteral("/suns/a-picture-that-was-cut-short-by-a-bad-memory-card-one-evening.jpg"),
          QByteArray::fromHex("ffd8ffe000104a46494600010100000100010000"));
    write(pictures + QStringLiteral("/notes.txt"), "of the journey");
    QStandardPaths::setTestModeEnabled(true);
    Scene scene(variant, folder, RecordedRun::devices(recorded));
    scene.open().showPlace(JobPlace);
    scene.click("jobDataAdd");
    settle();
    auto *dialog = scene.find<QDialog>("addDataDialog");
    scene.grab(QStringLiteral("data-add"), *dialog);
    scene.answers.folder = files.filePath(QStringLiteral("gone"));
    scene.click("addDataFolder");
    scene.click("addDataAdd");
    const auto *told = scene.find<QLabel>("addDataTold");
    settleUntil([&] { return told->property("role").toString() == QLatin1String("wrong"); });
    scene.grab(QStringLiteral("data-gone"), *dialog);
    scene.answers.folder = pictures;
    scene.click("addDataFolder");
    scene.click("addDataAdd");
    const auto *broken = scene.find<QWidget>("addDataBroken");
    settleUntil([&] { return broken->isVisible(); });
    scene.grab(QStringLiteral("data-left-out"), *dialog);
    scene.click("addDataAdd");
    JobDraft &draft = scene.window->jobDraft();
    draft.setModel(QStringLiteral("mobilenetv2"));
    const auto *note = scene.find<QLabel>("jobDataNote");
    auto *sheet = scene.find<QWidget>("sampleSheet");
    settleUntil(
        [&] { return !sheet->accessibleDescription().isEmpty() && note->text().contains(QLatin1String("hills")); });
    scene.find<QScrollArea>("jobScroll")->ensureWidgetVisible(sheet);
    scene.grab(QStringLiteral("data-samples"));
    shootFit(scene);
    shootKnown(scene);
    shootTable(scene, files.filePath(QStringLiteral("animals.csv")));
    for (const QString &name : registeredDatasets()) {
        if (const auto removed = unregisterDataset(name); !removed)
            qFatal("%s", qPrintable(removed.error().toString()));
    }
    QStandardPaths::setTestModeEnabled(false);
}

}  // namespace hearth::shots
