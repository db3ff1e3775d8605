#include "ui/shell/window_memory.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScreen>
#include <QSplitter>
#include <QTableView>
#include <algorithm>

#include "core/base/json_reader.h"
#include "ui/history/history_page.h"
#include "ui/home/home_view.h"
#include "ui/job/job_draft.h"
#include "ui/job/weights_card.h"
#include "ui/shell/main_window.h"
#include "ui/train/train_plots.h"

namespace hearth {

namespace {

QString geometryKey() {
    return QStringLiteral("window/geometry");
}
QString jobKey() {
    return QStringLiteral("window/job");
}
QString jobFileKey() {
    return QStringLiteral("window/jobFile");
}
QString startWeightsKey() {
    return QStringLiteral("window/startWeights");
}
QString modelsKey() {
    return QStringLiteral("window/models");
}
QString runColumnsKey() {
    return QStringLiteral("window/runColumns");
}
QString smoothingKey() {
    return QStringLiteral("window/lossSmoothing");
}
QString plotAxisKey() {
    return QStringLiteral("window/plotAxis");
}
QString pageKey() {
    return QStringLiteral("window/page");
}
QString homePlacesKey() {
    return QStringLiteral("window/homePlaces");
}

constexpr std::pair<AxisKind, const char *> axisWords[] = {
    {AxisKind::Time, "time"}, {AxisKind::Round, "round"}, {AxisKind::Epoch, "epoch"}};

/// {"id": …, "run": …, "folder": …, "best": …, "partial": …}
QByteArray startWeightsText(const StartWeights &weights) {
    const QJsonObject json{{QStringLiteral("id"), weights.id},
                           {QStringLiteral("run"), weights.run},
                           {QStringLiteral("folder"), weights.folder},
                           {QStringLiteral("best"), weights.which == RunWeights::Best},
                           {QStringLiteral("partial"), weights.partial}};
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}
std::optional<StartWeights> startWeightsFrom(const QByteArray &text) {
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    const QString runFolder = json[QLatin1String("folder")].toString();
    if (!QFileInfo(runFolder).isAbsolute())
        return std::nullopt;
    return StartWeights{json[QLatin1String("id")].toString(), json[QLatin1String("run")].toString(), runFolder,
                        json[QLatin1String("best")].toBool() ? RunWeights::Best : RunWeights::Last,
                        json[QLatin1String("partial")].toBool()};
}

/// {"<id of a device>": [x, y], …}; a place that no card can have had is left out.
QMap<QString, QPointF> homePlacesFrom(const QByteArray &text) {
    QMap<QString, QPointF> places;
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    for (auto it = json.constBegin(); it != json.constEnd(); ++it) {
        const QJsonArray pair = it.value().toArray();
        const double x = pair.at(0).toDouble(-1), y = pair.at(1).toDouble(-1);
        if (x >= 0 && x <= 1 && y >= 0 && y <= 1)
            places[it.key()] = QPointF(x, y);
    }
    return places;
}
QByteArray homePlacesText(const QMap<QString, QPointF> &places) {
    QJsonObject json;
    for (auto it = places.constBegin(); it != places.constEnd(); ++it)
        json[it.key()] = QJsonArray{it->x(), it->y()};
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

}  // namespace

/// The key says for how many columns or panes a state was made: one for others is never looked at.
template <class Visitor>
void WindowMemory::visitPanes(Visitor visit) const {
    for (auto *table : m_window.findChildren<QTableView *>()) {
        const QHeaderView *header = table->horizontalHeader();
        if (!table->objectName().isEmpty())
            visit(QStringLiteral("window/columns/%1/%2").arg(table->objectName()).arg(header->count()),
                  table->horizontalHeader());
    }
    for (auto *splitter : m_window.findChildren<QSplitter *>()) {
        if (!splitter->objectName().isEmpty())
            visit(QStringLiteral("window/panes/%1/%2").arg(splitter->objectName()).arg(splitter->count()), splitter);
    }
}

void WindowMemory::restore() {
    restoreGeometry();
    if (auto *history = m_window.findChild<HistoryPage *>(); history != nullptr && m_settings.contains(runColumnsKey()))
        history->chooseColumns(m_settings.value(runColumnsKey()).toStringList());
    visitPanes([this](const QString &key, auto *pane) {
        const QByteArray before = pane->saveState();
        const QByteArray state = m_settings.value(key).toByteArray();
        if (!state.isEmpty() && !pane->restoreState(state))
            pane->restoreState(before);
    });
    // Those that are away now may lie on a disk that is not plugged in.
    m_window.jobDraft().setOpenedModels(m_settings.value(modelsKey()).toStringList());
    if (auto *plots = m_window.findChild<TrainPlots *>(); plots != nullptr) {
        plots->setSmoothing(m_settings.value(smoothingKey()).toInt());
        const QString word = m_settings.value(plotAxisKey()).toString();
        for (const auto &[axis, itsWord] : axisWords) {
            if (word == QLatin1String(itsWord))
                plots->setAxis(axis);
        }
    }
    if (auto *home = m_window.findChild<HomeView *>())
        home->setPlaces(homePlacesFrom(m_settings.value(homePlacesKey()).toByteArray()));
    m_window.showPlaceNamed(m_settings.value(pageKey()).toString());
}

void WindowMemory::restoreGeometry() {
    const QByteArray geometry = m_settings.value(geometryKey()).toByteArray();
    const QRect before = m_window.geometry();
    if (geometry.isEmpty() || !m_window.restoreGeometry(geometry))
        m_window.setGeometry(before);
    // A title bar that no screen shows could not be dragged back, and what is left of a screen could not be read.
    const QRect frame = m_window.frameGeometry();
    const QPoint grip(frame.center().x(), frame.top());
    for (const QScreen *screen : QGuiApplication::screens()) {
        const QRect room = screen->availableGeometry();
        if (room.contains(grip) && (frame.left() >= room.left() || frame.width() <= room.width()))
            return;
    }
    if (const QScreen *screen = QGuiApplication::primaryScreen()) {
        const QRect room = screen->availableGeometry();
        m_window.resize(m_window.size().boundedTo(room.size()).expandedTo(m_window.minimumSize()));
        m_window.move(std::max(room.left(), room.center().x() - m_window.width() / 2),
                      std::max(room.top(), room.center().y() - m_window.height() / 2));
    }
}

Result<void> WindowMemory::restoreJob() {
    m_keepsJob = true;
    const Result<std::optional<KeptJob>> unsaved = unsavedJob();
    if (auto *card = m_window.findChild<WeightsCard *>())
        card->setWeights(startWeightsFrom(m_settings.value(startWeightsKey()).toByteArray()));
    const auto opened =
        m_window.jobDraft().resume(m_settings.value(jobFileKey()).toString(), unsaved.value_or(std::nullopt));
    if (!unsaved)
        return tl::unexpected(unsaved.error());
    return opened;
}

Result<std::optional<KeptJob>> WindowMemory::unsavedJob() const {
    const QByteArray text = m_settings.value(jobKey()).toByteArray();
    if (text.isEmpty())
        return std::nullopt;
    const QString source = m_settings.fileName();
    const auto kept = parseJsonObject(text, source).and_then([&source](const QJsonObject &json) -> Result<KeptJob> {
        // Earlier versions kept a whole job.
        if (json.contains(QLatin1String("format")))
            return Job::fromJson(json, source).map([](const Job &job) { return KeptJob{job, {}}; });
        return KeptJob::fromJson(json, source);
    });
    if (kept)
        return *kept;
    return fail(QStringLiteral("window.job-not-read"),
                tr("The changes of the job that were not saved could not be read."), kept.error().toSentence(),
                tr("Make them again."));
}

void WindowMemory::saveJob() {
    const JobDraft &draft = m_window.jobDraft();
    m_settings.setValue(jobFileKey(), draft.path());
    if (draft.hasUnsavedChanges())
        m_settings.setValue(jobKey(), QJsonDocument(draft.kept().toJson()).toJson(QJsonDocument::Compact));
    else
        m_settings.remove(jobKey());
    if (const auto *card = m_window.findChild<WeightsCard *>(); card != nullptr && card->weights())
        m_settings.setValue(startWeightsKey(), startWeightsText(*card->weights()));
    else
        m_settings.remove(startWeightsKey());
}

Result<void> WindowMemory::save() {
    if (m_keepsJob)
        saveJob();
    m_settings.setValue(geometryKey(), m_window.saveGeometry());
    m_settings.setValue(pageKey(), m_window.placeName());
    m_settings.setValue(modelsKey(), m_window.jobDraft().openedModels());
    if (const auto *history = m_window.findChild<HistoryPage *>(); history != nullptr && history->chosenColumns())
        m_settings.setValue(runColumnsKey(), *history->chosenColumns());
    else
        m_settings.remove(runColumnsKey());
    if (const auto *plots = m_window.findChild<TrainPlots *>(); plots != nullptr) {
        m_settings.setValue(smoothingKey(), plots->smoothing());
        const auto *axis = std::ranges::find(axisWords, plots->axis(), &std::pair<AxisKind, const char *>::first);
        m_settings.setValue(plotAxisKey(), QLatin1String(axis->second));
    }
    if (const auto *home = m_window.findChild<HomeView *>())
        m_settings.setValue(homePlacesKey(), homePlacesText(home->places()));
    visitPanes([this](const QString &key, auto *pane) { m_settings.setValue(key, pane->saveState()); });
    // What went wrong once stays in the status of settings; others of the same file tell how it is now.
    QSettings now(m_settings.fileName(), m_settings.format());
    now.sync();
    if (!m_keepsJob || !m_window.jobDraft().hasUnsavedChanges() || now.status() != QSettings::AccessError)
        return {};
    return fail(QStringLiteral("window.job-not-kept"), tr("The changes of the job could not be kept."),
                tr("%1 cannot be written.").arg(now.fileName()),
                tr("Save the job as a file, or free some space. Closing the window again discards the changes."));
}

}  // namespace hearth
