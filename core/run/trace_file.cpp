#include "core/run/trace_file.h"

#include <QJsonDocument>

namespace hearth {
namespace {

double microseconds(qint64 nanoseconds) {
    return static_cast<double>(nanoseconds) / 1000;
}

}  // namespace

Error TraceFile::unwritable() const {
    return {QStringLiteral("trace.unwritable"),
            sentence("The trace could not be written to %1.").arg(m_file.fileName()), m_file.errorString(),
            sentence("Choose another file with --trace.")};
}

Result<std::unique_ptr<TraceFile>> TraceFile::create(const QString &path, qint64 limit) {
    std::unique_ptr<TraceFile> trace(new TraceFile(path, limit));
    // Unbuffered: what write() took is with the operating system, where a crash of ours does not reach it.
    if (!trace->m_file.open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered))
        return tl::unexpected(trace->unwritable());
    trace->m_buffer = "[";
    return trace;
}

TraceFile::~TraceFile() {
    (void)close();
}

void TraceFile::write(const QJsonObject &object) {
    m_buffer += m_first ? "\n" : ",\n";
    m_buffer += QJsonDocument(object).toJson(QJsonDocument::Compact);
    m_first = false;
}

void TraceFile::describe(const char *what, int pid, int tid, const char *key, const QJsonValue &value) {
    write({{QStringLiteral("ph"), QStringLiteral("M")},
           {QStringLiteral("name"), QLatin1String(what)},
           {QStringLiteral("pid"), pid},
           {QStringLiteral("tid"), tid},
           {QStringLiteral("args"), QJsonObject{{QLatin1String(key), value}}}});
}

void TraceFile::nameProcess(int pid, const QString &name, int rank) {
    describe("process_name", pid, 0, "name", name);
    describe("process_sort_index", pid, 0, "sort_index", rank);
}

void TraceFile::nameThread(int pid, int tid, const QString &name, int rank) {
    describe("thread_name", pid, tid, "name", name);
    describe("thread_sort_index", pid, tid, "sort_index", rank);
}

bool TraceFile::add(const TraceEvent &event) {
    if (m_room <= 0)
        return false;
    --m_room;
    QJsonObject object{{QStringLiteral("ph"), QStringLiteral("X")},
                       {QStringLiteral("pid"), event.pid},
                       {QStringLiteral("tid"), event.tid},
                       {QStringLiteral("name"), event.name},
                       {QStringLiteral("cat"), event.category},
                       {QStringLiteral("ts"), microseconds(event.start)},
                       {QStringLiteral("dur"), microseconds(event.end - event.start)}};
    if (!event.args.isEmpty())
        object[QStringLiteral("args")] = event.args;
    write(object);
    return true;
}

void TraceFile::mark(const QString &name, qint64 at) {
    write({{QStringLiteral("ph"), QStringLiteral("i")},
           {QStringLiteral("s"), QStringLiteral("g")},
           {QStringLiteral("pid"), 0},
           {QStringLiteral("tid"), 0},
           {QStringLiteral("name"), name},
           {QStringLiteral("ts"), microseconds(at)}});
}

Result<void> TraceFile::flush() {
    if (m_file.isOpen() && m_file.write(m_buffer) != m_buffer.size())
        return tl::unexpected(unwritable());
    m_buffer.clear();
    return {};
}

Result<void> TraceFile::close() {
    if (m_closed)
        return {};
    m_closed = true;
    m_buffer += "\n]\n";
    const auto flushed = flush();
    m_file.close();
    return flushed;
}

}  // namespace hearth
