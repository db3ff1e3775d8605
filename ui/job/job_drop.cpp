#include "ui/job/job_drop.h"

#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <optional>

#include "core/base/background_task.h"
#include "core/base/json_reader.h"
#include "core/data/data_registry.h"
#include "core/model/import/open_model.h"
#include "ui/base/widgets.h"

namespace hearth {

namespace {

struct Dropped {
    enum class Kind { Model, Data, Description };
    Kind kind = Kind::Model;
    QString path;  // of a model as a job names it
};

/// One file or folder of this computer.
std::optional<QString> droppedFile(const QEvent *event) {
    const QList<QUrl> urls = static_cast<const QDropEvent *>(event)->mimeData()->urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? std::optional(urls.front().toLocalFile()) : std::nullopt;
}

/// A folder that is no model's, or a table, texts, an archive …
bool isData(const QString &path, const CheckProgress &progress) {
    if (QFileInfo(path).isDir())
        return !QFileInfo::exists(path + QStringLiteral("/config.json"));
    return !kindOfData(path, progress).isEmpty();
}

/// A file that describes data.
bool describesData(const QString &path) {
    if (QFileInfo(path).suffix().toLower() != QLatin1String("json"))
        return false;
    const auto object = readJsonFile(path);
    return object && object->value(QLatin1String("format")) == QLatin1String("hearth-data/1");
}

/// Reads of the file what tells. Blocks.
Dropped droppedAt(const QString &path, const CheckProgress &progress) {
    if (describesData(path))
        return {Dropped::Kind::Description, path};
    if (isData(path, progress))
        return {Dropped::Kind::Data, path};
    return {Dropped::Kind::Model, modelOfFile(path)};
}

}  // namespace

JobDrop::JobDrop(QWidget *page, QWidget *card, QLabel *hint) : QObject(page), m_card(card), m_hint(hint) {
    page->setAcceptDrops(true);
    page->installEventFilter(this);
    showWelcome(false);
}

JobDrop::~JobDrop() = default;

bool JobDrop::eventFilter(QObject *watched, QEvent *event) {
    const QEvent::Type type = event->type();
    if (type == QEvent::DragLeave)
        showWelcome(false);
    if ((type != QEvent::DragEnter && type != QEvent::Drop) || isLooking())
        return QObject::eventFilter(watched, event);
    const std::optional<QString> path = droppedFile(event);
    if (path && type == QEvent::Drop)
        lookAt(*path);
    showWelcome(path && type == QEvent::DragEnter);
    if (path)
        static_cast<QDropEvent *>(event)->acceptProposedAction();
    return path.has_value();
}

bool JobDrop::isLooking() const {
    return m_looking && m_looking->isRunning();
}

void JobDrop::lookAt(const QString &path) {
    m_looking = std::make_unique<BackgroundTask>();
    m_looking->start<Dropped>(
        this,
        [path, cancelled = m_looking->cancelled()] {
            return Result<Dropped>(droppedAt(path, [&cancelled](qint64, qint64) { return !*cancelled; }));
        },
        [this](const Dropped &dropped) {
            showWelcome(false);
            switch (dropped.kind) {
                case Dropped::Kind::Model:
                    Q_EMIT modelDropped(dropped.path);
                    break;
                case Dropped::Kind::Data:
                    Q_EMIT dataDropped(dropped.path);
                    break;
                case Dropped::Kind::Description:
                    Q_EMIT descriptionDropped(dropped.path);
                    break;
            }
        },
        [](const Error &) {});
}

void JobDrop::showWelcome(bool welcome) {
    m_hint->setText(welcome       ? tr("Let go to open it.")
                    : isLooking() ? tr("Looking at it …")
                                  : tr("Or drop a file or a folder here."));
    setRole(m_card, welcome ? "drop" : "card");
}

}  // namespace hearth
