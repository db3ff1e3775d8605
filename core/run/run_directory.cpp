#include "core/run/run_directory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <cerrno>
#include <vector>

#include "core/base/files.h"
#include "core/base/system_reason.h"
#include "core/run/files/state_words.h"

namespace hearth {
namespace {

tl::unexpected<Error> notWritten(const QString &path, int code) {
    return fail(QStringLiteral("run.not-written"), sentence("The run could not be recorded in %1.").arg(path),
                systemReason(code), sentence("Free some space there; what is recorded already is safe."));
}

RunDirectory::Clock clockFrom(double start) {
    QElapsedTimer timer;
    timer.start();
    return [timer, start] { return start + static_cast<double>(timer.nsecsElapsed()) * 1e-9; };
}

/// New terms, checkpoints and the end must outlive a power cut: a later run builds on them.
bool mustBeDurable(const RunEventBody &body) {
    if (const auto *state = std::get_if<event::State>(&body))
        return isFinalState(state->state);
    return std::holds_alternative<event::Plan>(body) || std::holds_alternative<event::Checkpoint>(body) ||
           std::holds_alternative<event::Finished>(body) || std::holds_alternative<event::Failure>(body);
}

bool isFull(int code) {
    return code == ENOSPC || code == EDQUOT;
}

/// Some thousand rounds, and the files of a new term.
constexpr qint64 reserveBytes = 4 << 20;

}  // namespace

RunDirectory::RunDirectory(QString path, int fd, Clock clock)
    : m_path(std::move(path)),
      m_fd(fd),
      m_clock(std::move(clock)),
      m_reserve(file(QStringLiteral("reserve")), reserveBytes) {
    m_reserve.take();
}

bool RunDirectory::makeRoom() {
    if (!m_reserve.giveUp())
        return false;
    m_diskFull = m_hasMadeRoom = true;
    return true;
}

Result<std::unique_ptr<RunDirectory>> RunDirectory::create(const QString &path, Clock clock) {
    if (auto made = makePrivateFolder(path); !made)
        return tl::unexpected(made.error());
    const QString events = path + QStringLiteral("/events.jsonl");
    const int fd = ::open(QFile::encodeName(events).constData(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC,
                          S_IRUSR | S_IWUSR);
    if (fd < 0)
        return notWritten(events, errno);
    return std::unique_ptr<RunDirectory>(new RunDirectory(path, fd, clock ? std::move(clock) : clockFrom(0)));
}

Result<std::unique_ptr<RunDirectory>> RunDirectory::resume(const QString &path) {
    const QString events = path + QStringLiteral("/events.jsonl");
    QFile file(events);
    if (const auto open = openPlainFile(file); !open) {
        return fail(QStringLiteral("run.unreadable"), sentence("The run in %1 could not be read.").arg(path),
                    open.error().cause);
    }
    quint64 seq = 0;
    double t = 0;
    qint64 size = 0;
    std::vector<qint64> starts;
    for (QByteArray line = file.readLine(); line.endsWith('\n'); line = file.readLine()) {
        starts.push_back(size);
        size += line.size();
    }
    // Of a long run there are many, and the last one that can be read says all that is asked here.
    for (auto start = starts.crbegin(); seq == 0 && start != starts.crend() && file.seek(*start); ++start) {
        if (const auto read = RunEvent::fromLine(file.readLine()); read) {
            seq = read->seq;
            t = read->t;
        }
    }
    const int fd = ::open(QFile::encodeName(events).constData(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0)
        return notWritten(events, errno);
    std::unique_ptr<RunDirectory> directory(new RunDirectory(path, fd, clockFrom(t)));
    if (::ftruncate(fd, size) != 0)
        return notWritten(events, errno);
    directory->m_seq = seq;
    directory->m_size = size;
    directory->m_lastT = t;
    return directory;
}

RunDirectory::~RunDirectory() {
    ::close(m_fd);
}

QString RunDirectory::file(const QString &name) const {
    return m_path + QLatin1Char('/') + name;
}

Result<quint64> RunDirectory::append(const RunEventBody &body) {
    const quint64 seq = m_seq + 1;
    // Two readings of the clock never go backwards, whatever the clock does.
    const double t = std::max(m_lastT, m_clock());
    const QByteArray line = eventLine(seq, t, body) + '\n';
    for (qsizetype done = 0; done < line.size();) {
        const ssize_t written = ::write(m_fd, line.constData() + done, static_cast<size_t>(line.size() - done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            const int code = written < 0 ? errno : ENOSPC;
            if (isFull(code) && makeRoom())
                continue;
            // Half a line would swallow the next one; if even this fails, resume() cuts it off.
            if (done > 0 && ::ftruncate(m_fd, m_size) != 0)
                return notWritten(file(QStringLiteral("events.jsonl")), errno);
            return notWritten(file(QStringLiteral("events.jsonl")), code);
        }
        done += written;
    }
    m_size += line.size();
    m_seq = seq;
    m_lastT = t;
    m_reserve.takeAgain();
    if (mustBeDurable(body)) {
        if (auto synced = sync(); !synced)
            return tl::unexpected(synced.error());
    }
    return seq;
}

Result<void> RunDirectory::sync() {
    if (::fsync(m_fd) != 0 && errno != EINVAL)
        return notWritten(file(QStringLiteral("events.jsonl")), errno);
    return {};
}

Result<void> RunDirectory::saveJson(const QString &name, const QJsonObject &object, QJsonDocument::JsonFormat form) {
    const QByteArray content = QJsonDocument(object).toJson(form);
    auto saved = saveFile(file(name), content);
    if (saved || !isDiskFull(saved.error()) || !makeRoom())
        return saved;
    return saveFile(file(name), content);
}

}  // namespace hearth
