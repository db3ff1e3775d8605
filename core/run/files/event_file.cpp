#include "core/run/files/event_file.h"

#include <QDateTime>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <algorithm>
#include <limits>

#include "core/base/files.h"
#include "core/run/files/lines_backwards.h"
#include "core/run/files/state_words.h"

namespace hearth {
namespace {

constexpr qint64 readChunk = 256 << 10;
// Of a file, in which the final state of a run is: nothing but a few warnings comes after it.
constexpr qint64 closingBytes = 1 << 20;

quint64 seqOf(const QByteArray &line) {
    return static_cast<quint64>(QJsonDocument::fromJson(line)[QLatin1String("seq")].toInteger());
}

Error notClosed(const QString &path, const QString &cause) {
    return {QStringLiteral("run.not-closed"), sentence("The end of the run could not be noted in %1.").arg(path),
            cause + QLatin1Char('.'), sentence("Free some space.")};
}

}  // namespace

QString eventsPath(const QString &runFolder) {
    return runFolder + QStringLiteral("/events.jsonl");
}

bool isEventKind(const QByteArray &line, const char *kind) {
    return line.contains(QByteArrayLiteral("\"event\":\"") + kind + '"');
}

EventReader::EventReader(const QString &path, quint64 fromSeq)
    : m_path(path), m_file(path), m_skip(fromSeq > 0 ? fromSeq - 1 : 0) {}

bool EventReader::open() {
    if (m_file.isOpen())
        return true;
    if (!openPlainFile(m_file, true))
        return false;
    goNear(m_skip + 1);
    return true;
}

/// To count the lines of a gigabyte would take the thread for a second.
void EventReader::goNear(quint64 seq) {
    Line low{0, 1};
    qint64 high = m_file.size();
    while (low.seq < seq && high - low.start > readChunk) {
        const qint64 middle = low.start + (high - low.start) / 2;
        const auto line = lineBehind(middle);
        if (line && line->start < high && line->seq > low.seq && line->seq <= seq)
            low = *line;
        else
            high = middle;
    }
    m_next = low.start;
    m_skip = seq - low.seq;
}

/// The first whole line that begins behind an offset, if it tells its seq.
std::optional<EventReader::Line> EventReader::lineBehind(qint64 offset) {
    if (!m_file.seek(offset))
        return std::nullopt;
    QByteArray part;
    qsizetype start = 0;  // of the line, once it is found: behind a line end
    while (part.size() <= longestEventLine) {
        const QByteArray chunk = m_file.read(readChunk / 4);
        if (chunk.isEmpty())
            return std::nullopt;
        const qsizetype from = part.size();
        part += chunk;
        if (start == 0)
            start = part.indexOf('\n', from) + 1;
        const qsizetype end = start == 0 ? -1 : part.indexOf('\n', std::max(start, from));
        if (end < 0)
            continue;
        const auto seq = QJsonDocument::fromJson(part.mid(start, end - start))[QLatin1String("seq")].toInteger();
        return seq > 0 ? std::optional(Line{offset + start, static_cast<quint64>(seq)}) : std::nullopt;
    }
    return std::nullopt;
}

QByteArrayList EventReader::next(qint64 maximumBytes) {
    QByteArrayList lines;
    if (!open())
        return lines;
    const QFileInfo now(m_path);
    const std::pair seen(now.size(), now.lastModified().toMSecsSinceEpoch());
    if (m_read == seen || !m_file.seek(m_next))
        return lines;
    m_read.reset();
    QByteArray part;  // of a line that goes on in the next chunk
    qint64 taken = 0;
    while (taken < maximumBytes) {
        const qint64 chunkStart = m_file.pos();
        const QByteArray chunk = m_file.read(std::min(readChunk, maximumBytes));
        if (chunk.isEmpty()) {
            m_read = seen;
            break;
        }
        qsizetype start = 0;
        for (qsizetype end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
            if (m_skip > 0) {
                --m_skip;
            } else {
                lines << part + chunk.mid(start, end - start);
                taken += lines.last().size();
            }
            part.clear();
            start = end + 1;
            m_next = chunkStart + start;
        }
        if (m_skip == 0 && part.size() + chunk.size() - start <= longestEventLine)
            part += chunk.mid(start);
    }
    return lines;
}

double EventReader::part() const {
    const qint64 all = m_file.size();
    return all <= 0 ? 1 : std::min(1.0, static_cast<double>(m_next) / static_cast<double>(all));
}

bool isRunId(const QString &id) {
    static const QRegularExpression pattern(QStringLiteral("\\A[a-z0-9][a-z0-9-]{0,63}\\z"));
    return pattern.match(id).hasMatch();
}

QString newRunId() {
    static constexpr char letters[] = "abcdefghjkmnpqrstuvwxyz";
    QString id = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-"));
    for (int i = 0; i < 4; ++i)
        id += QLatin1Char(letters[QRandomGenerator::system()->bounded(static_cast<int>(sizeof letters) - 1)]);
    return id;
}

QStringList dataOfJob(const QJsonObject &job) {
    const QJsonValue data = job[QLatin1String("data")];
    QStringList names;
    for (const QJsonValue name : data.isArray() ? data.toArray() : QJsonArray{data})
        names << name.toString();
    return names;
}

void applyEvent(RunInfo &info, const QByteArray &line) {
    ++info.lastSeq;
    if (!isEventKind(line, "state") && !isEventKind(line, "round") && !isEventKind(line, "evaluation") &&
        !isEventKind(line, "run"))
        return;
    const QJsonObject json = QJsonDocument::fromJson(line).object();
    const QString kind = json[QLatin1String("event")].toString();
    if (kind == QLatin1String("state")) {
        info.state = json[QLatin1String("state")].toString().left(32);
        info.endedEarly = json.contains(QLatin1String("why"));
    } else if (kind == QLatin1String("round")) {
        info.rounds = json[QLatin1String("round")].toInteger();
        info.loss = json[QLatin1String("loss")].toDouble(std::numeric_limits<double>::quiet_NaN());
    } else if (kind == QLatin1String("evaluation")) {
        info.accuracy = json[QLatin1String("accuracy")].toDouble(-1);
    } else if (kind == QLatin1String("run")) {
        const QJsonObject job = json[QLatin1String("job")].toObject();
        info.started = json[QLatin1String("started")].toString();
        info.model = job[QLatin1String("model")].toString();
        info.data = dataOfJob(job).join(QStringLiteral(", "));
        info.only = json[QLatin1String("only")].toString().left(32);
    }
}

std::optional<RunInfo> readRun(const QString &folder, const std::atomic<bool> *cancelled) {
    const QString events = eventsPath(folder);
    QFile file(events);
    if (!openPlainFile(file, true))
        return std::nullopt;
    RunInfo info;
    info.id = QFileInfo(folder).fileName();
    info.loss = std::numeric_limits<double>::quiet_NaN();
    EventReader first(events, 1);
    applyEvent(info, first.next(1).value(0));
    // Of each kind only the last one counts.
    LinesBackwards lines(file);
    quint64 lastSeq = 0;
    QList<const char *> wanted{"state", "round", "evaluation"};
    for (auto line = lines.next(); line && !wanted.isEmpty(); line = lines.next()) {
        if (cancelled && *cancelled)
            break;
        if (lastSeq == 0)
            lastSeq = seqOf(*line);
        const auto kind =
            std::find_if(wanted.begin(), wanted.end(), [&](const char *k) { return isEventKind(*line, k); });
        if (kind == wanted.end())
            continue;
        applyEvent(info, *line);
        wanted.erase(kind);
    }
    info.lastSeq = lastSeq;
    return info;
}

quint64 lastSeqOf(const QString &folder) {
    QFile file(eventsPath(folder));
    if (!openPlainFile(file, true))
        return 0;
    return seqOf(LinesBackwards(file).next().value_or(QByteArray()));
}

QStringList listRuns(const QString &runsFolder) {
    QStringList ids =
        QDir(runsFolder).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name | QDir::Reversed);
    ids.removeIf([](const QString &id) { return !isRunId(id); });
    return ids;
}

Result<void> closeRun(const QString &folder, const std::optional<Error> &error, const QString &state) {
    QFile file(eventsPath(folder));
    if (!file.open(QIODevice::ReadWrite))
        return tl::unexpected(notClosed(file.fileName(), file.errorString()));
    LinesBackwards lines(file);
    const qint64 whole = lines.wholeBytes();
    const QByteArray last = lines.next().value_or(QByteArray());
    const double seconds = QJsonDocument::fromJson(last)[QLatin1String("t")].toDouble();
    quint64 seq = seqOf(last);
    qint64 read = 0;
    for (auto line = std::optional(last); line && read <= closingBytes; line = lines.next()) {
        read += line->size();
        if (!isEventKind(*line, "state"))
            continue;
        RunInfo told;
        applyEvent(told, *line);
        if (isFinalState(told.state))
            return {};
        break;
    }
    QByteArray added;
    const auto append = [&](QJsonObject json, const char *kind) {
        json[QStringLiteral("event")] = QLatin1String(kind);
        json[QStringLiteral("seq")] = static_cast<qint64>(++seq);
        json[QStringLiteral("t")] = seconds;
        added += QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
    };
    if (error)
        append(error->toJson(), "error");
    append({{QStringLiteral("state"), state}}, "state");
    if (!file.resize(whole) || !file.seek(whole) || file.write(added) != added.size() || !file.flush())
        return tl::unexpected(notClosed(file.fileName(), file.errorString()));
    return {};
}

}  // namespace hearth
