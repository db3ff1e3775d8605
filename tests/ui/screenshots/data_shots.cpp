// A person's own pictures: they get a name, some cannot be used, and a network sees them in its way.
#include <QDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
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

template <class Condition>
void settleUntil(Condition isReached) {
    for (int tries = 0; tries < 100 && !isReached(); ++tries)
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
    for (const QString &name : registeredDatasets()) {
        if (const auto removed = unregisterDataset(name); !removed)
            qFatal("%s", qPrintable(removed.error().toString()));
    }
    QStandardPaths::setTestModeEnabled(false);
}

}  // namespace hearth::shots
