#include "core/run/record_reader.h"

#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <optional>

#include "core/base/files.h"
#include "core/base/post_to.h"
#include "core/run/files/event_file.h"

namespace hearth {
namespace {

// Some fifty events: a few milliseconds for whoever shows them.
constexpr qint64 portionBytes = 24 << 10;

Error missing(const QString &path, const Sentence &cause) {
    return {QStringLiteral("record.missing"), sentence("The run %1 cannot be opened.").arg(path), cause,
            sentence("Choose the folder of a run, or the file events.jsonl in it.")};
}

Error notARun(const QString &path, const Sentence &cause) {
    return {QStringLiteral("record.not-a-run"), sentence("%1 does not hold the events of a run.").arg(path), cause,
            sentence("Choose a file called events.jsonl that Hearth has written.")};
}

/// The file to read, once it is sure that reading it ends.
Result<QString> eventsOf(const QString &path) {
    QFileInfo info(path);
    if (info.isDir()) {
        info = QFileInfo(path + QStringLiteral("/events.jsonl"));
        if (!info.exists())
            return tl::unexpected(missing(path, sentence("The folder has no file events.jsonl.")));
    }
    if (!info.exists())
        return tl::unexpected(missing(path, sentence("It does not exist.")));
    if (!info.isFile())
        return tl::unexpected(missing(path, sentence("It is neither a folder nor a plain file.")));
    QFile file(info.filePath());
    if (const auto open = openPlainFile(file); !open)
        return tl::unexpected(missing(path, open.error().cause));
    char first = '\0';
    if (!file.getChar(&first))
        return tl::unexpected(notARun(path, sentence("It is empty.")));
    // Seen before anything is read line by line: a film has no lines.
    if (first != '{')
        return tl::unexpected(notARun(path, sentence("Its first line is no JSON object.")));
    return info.filePath();
}

}  // namespace

struct RecordReader::Portion {
    std::vector<RunEvent> events;
    std::optional<Error> error;
    bool last = false;
    double part = 1;
};

class RecordReader::Worker : public QObject {
  public:
    Portion begin(const QString &path) {
        m_path = path;
        const auto file = eventsOf(path);
        if (!file)
            return {{}, file.error(), true, 1};
        m_end = QFileInfo(*file).size();
        m_reader.emplace(*file, 1);
        return next();
    }

    Portion next() {
        Portion portion;
        const QByteArrayList lines = m_reader->next(portionBytes);
        for (const QByteArray &line : lines)
            m_at += line.size() + 1;
        portion.last = lines.isEmpty() || m_at >= m_end;
        portion.part = m_reader->part();
        for (const QByteArray &line : lines) {
            ++m_line;
            auto event = RunEvent::fromLine(line);
            if (m_line == 1) {
                portion.error = refusalOf(event);
            } else if (!event) {
                portion.error = {QStringLiteral("record.damaged"),
                                 sentence("Line %1 of %2 cannot be read.").arg(m_line).arg(m_path), event.error().cause,
                                 sentence("What stands before it is shown.")};
            }
            if (portion.error) {
                portion.last = true;
                return portion;
            }
            portion.events.push_back(*std::move(event));
        }
        if (portion.last && m_line == 0)
            portion.error = notARun(m_path, sentence("It has no whole line."));
        return portion;
    }

  private:
    std::optional<Error> refusalOf(const Result<RunEvent> &event) const {
        if (!event)
            return notARun(m_path, sentence("Its first line is no event of a run."));
        if (!std::holds_alternative<event::Run>(event->body))
            return notARun(m_path, sentence("Its first line does not begin a run."));
        const QString format = event->json[QLatin1String("format")].toString();
        if (format != QLatin1String("hearth-events/1"))
            return notARun(m_path, sentence("Its format is \"%1\", and this version of Hearth reads "
                                            "\"hearth-events/1\".")
                                       .arg(format.left(40)));
        return std::nullopt;
    }

    QString m_path;
    std::optional<EventReader> m_reader;
    qint64 m_at = 0;   // how far it is read
    qint64 m_end = 0;  // of the file, as it was when it was opened
    qint64 m_line = 0;
};

RecordReader::RecordReader(QObject *parent) : QObject(parent) {}

RecordReader::~RecordReader() {
    m_thread.quit();
    m_thread.wait();
}

void RecordReader::open(const QString &path) {
    Q_ASSERT(m_worker == nullptr);
    m_worker = new Worker;
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
    m_sinceProgress.start();
    postTo(m_worker, [this, worker = m_worker, path] {
        const auto portion = std::make_shared<Portion>(worker->begin(path));
        postTo(this, [this, portion] { take(*portion); });
    });
}

void RecordReader::take(const Portion &portion) {
    if (m_run.isEmpty() && !portion.events.empty()) {
        m_run = std::get<event::Run>(portion.events.front().body).id;
        if (m_run.isEmpty())
            m_run = QStringLiteral("record");
        Q_EMIT opened(m_run);
    }
    for (const RunEvent &one : portion.events)
        Q_EMIT event(one);
    if (portion.error)
        Q_EMIT failed(*portion.error);
    if (!portion.last && m_sinceProgress.elapsed() >= m_progressInterval.count()) {
        m_sinceProgress.start();
        m_progressed = true;
        Q_EMIT progressed(portion.part);
    }
    if (!portion.last) {
        postTo(m_worker, [this, worker = m_worker] {
            const auto read = std::make_shared<Portion>(worker->next());
            postTo(this, [this, read] { take(*read); });
        });
        return;
    }
    if (m_progressed)
        Q_EMIT progressed(1);
    // Whoever is told may open something else, and end this.
    const QPointer<RecordReader> alive(this);
    if (!m_run.isEmpty())
        Q_EMIT ended(m_run);
    if (alive)
        Q_EMIT finished();
}

}  // namespace hearth
