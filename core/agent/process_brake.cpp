#include "core/agent/process_brake.h"

#include <signal.h>
#include <QDir>
#include <QFile>
#include <QMultiHash>
#include <chrono>
#include <optional>

namespace hearth {
namespace {

using namespace std::chrono_literals;
// A quarter of the time; both far below the 100 ms in which a sign of life is expected.
constexpr auto runSlice = 10ms;
constexpr auto stopSlice = 30ms;
// A worker that was started anew is found after so many cycles.
constexpr int cyclesPerSearch = 25;

struct ProcessLine {
    QString name;  // as the kernel cuts it: 15 characters
    qint64 parent = 0;
    quint64 startTicks = 0;
    char state = '?';
};

/// /proc/<pid>/stat, proc(5). The name may hold anything, also parentheses: it ends at the last one.
std::optional<ProcessLine> readProcess(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray line = file.readAll();
    const qsizetype open = line.indexOf('('), close = line.lastIndexOf(')');
    if (open < 0 || close < open)
        return std::nullopt;
    const QList<QByteArray> fields = line.mid(close + 2).split(' ');
    constexpr qsizetype stateField = 0, parentField = 1, startField = 19;
    if (fields.size() <= startField || fields[stateField].isEmpty())
        return std::nullopt;
    return ProcessLine{QString::fromLocal8Bit(line.mid(open + 1, close - open - 1)), fields[parentField].toLongLong(),
                       fields[startField].toULongLong(), fields[stateField].front()};
}

void signalTo(const ProcessMark &process, int signal) {
    if (process.startTicks != 0 && processMark(process.pid) == process)
        ::kill(static_cast<pid_t>(process.pid), signal);
}

}  // namespace

ProcessMark processMark(qint64 pid) {
    const auto process = readProcess(pid);
    const bool lives = process && process->state != 'Z' && process->state != 'X';
    return {pid, lives ? process->startTicks : 0};
}

std::vector<qint64> descendantsOf(qint64 pid) {
    QMultiHash<qint64, qint64> children;
    for (const QString &entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        bool isNumber = false;
        const qint64 each = entry.toLongLong(&isNumber);
        if (!isNumber)
            continue;
        if (const auto process = readProcess(each))
            children.insert(process->parent, each);
    }
    std::vector<qint64> found;
    const auto append = [&](qint64 parent) {
        for (const qint64 child : children.values(parent))
            found.push_back(child);
    };
    append(pid);
    for (std::size_t i = 0; i < found.size(); ++i)
        append(found[i]);
    return found;
}

ProcessBrake::ProcessBrake(qint64 agentPid, QObject *parent) : QObject(parent), m_agent(processMark(agentPid)) {
    m_slice.setTimerType(Qt::PreciseTimer);
    m_slice.setSingleShot(true);
    connect(&m_slice, &QTimer::timeout, this, &ProcessBrake::slice);
}

ProcessBrake::~ProcessBrake() {
    release();
}

bool ProcessBrake::isValid() const {
    return m_agent.startTicks != 0 && processMark(m_agent.pid) == m_agent;
}

bool ProcessBrake::freeze() {
    release();
    if (!isValid())
        return false;
    m_state = State::Frozen;
    // The agent first: it can start nothing any more while its children are counted.
    signalTo(m_agent, SIGSTOP);
    for (const qint64 pid : descendantsOf(m_agent.pid))
        signalTo(processMark(pid), SIGSTOP);
    return true;
}

bool ProcessBrake::slowDown(const QString &program) {
    release();
    if (!isValid())
        return false;
    m_state = State::Slowed;
    m_program = program;
    m_slices = 0;
    m_running = true;
    findWorkers();
    m_slice.start(runSlice);
    return true;
}

void ProcessBrake::release() {
    m_slice.stop();
    if (m_state != State::Released) {
        for (const qint64 pid : descendantsOf(m_agent.pid))
            signalTo(processMark(pid), SIGCONT);
        signalTo(m_agent, SIGCONT);
    }
    m_workers.clear();
    m_state = State::Released;
}

void ProcessBrake::findWorkers() {
    m_workers.clear();
    constexpr qsizetype longestName = 15;
    for (const qint64 pid : descendantsOf(m_agent.pid)) {
        const auto process = readProcess(pid);
        if (process && process->name == m_program.left(longestName))
            m_workers.push_back(processMark(pid));
    }
}

void ProcessBrake::signalWorkers(int signal) const {
    for (const ProcessMark &worker : m_workers)
        signalTo(worker, signal);
}

void ProcessBrake::slice() {
    m_running = !m_running;
    signalWorkers(m_running ? SIGCONT : SIGSTOP);
    if (m_running && ++m_slices % cyclesPerSearch == 0)
        findWorkers();
    m_slice.start(m_running ? runSlice : stopSlice);
}

}  // namespace hearth
