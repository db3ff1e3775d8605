#include "core/agent/child_process.h"

#include <sys/prctl.h>
#include <unistd.h>
#include <QLoggingCategory>
#include <QTimer>
#include <csignal>

#include "core/base/priority.h"
#include "core/wire/stream_channel.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(childLog, "hearth.home.child")

constexpr std::chrono::milliseconds memoryInterval{250};
constexpr qsizetype lastOutputBytes = 8 << 10;
// The channel of a dying child closes a little before its end is reported.
constexpr std::chrono::milliseconds endFollowsWithin{2000};

}  // namespace

ChildProcess::ChildProcess(Sentence role, QObject *parent) : QObject(parent), m_role(std::move(role)) {
    m_process.setProcessChannelMode(QProcess::SeparateChannels);
    m_process.setReadChannel(QProcess::StandardOutput);
    connect(&m_process, &QProcess::readyReadStandardError, this, &ChildProcess::keepLastOutput);
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        keepLastOutput();
        ChildEnd end;
        end.kind = status == QProcess::CrashExit ? ChildEnd::Kind::Signalled : ChildEnd::Kind::Exited;
        end.code = code;
        end.tookBytes = m_tooMuch;
        end.limitBytes = m_memoryLimit;
        end.outOfMemory = status == QProcess::CrashExit && code == SIGKILL && !m_killed && m_killsBefore >= 0 &&
                          outOfMemoryKills() > m_killsBefore;
        finish(end);
    });
    connect(&m_memoryTimer, &QTimer::timeout, this, &ChildProcess::checkMemory);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        ChildEnd end;
        end.kind = ChildEnd::Kind::NotStarted;
        end.detail = m_process.errorString() + QLatin1Char('.');
        end.noProcess = !m_channel;  // later it is the program that cannot be run
        finish(end);
        // Nothing else ends it, and with it the calls that wait for an answer.
        if (m_channel)
            m_channel->close(whyEnded());
    });
}

ChildProcess::~ChildProcess() {
    m_process.disconnect(this);
    m_rpc.reset();
    m_channel.reset();
    if (isRunning()) {
        m_process.kill();
        m_process.waitForFinished(1000);
    }
}

void ChildProcess::start(const QString &program, const QStringList &arguments) {
    m_killsBefore = outOfMemoryKills();
    const pid_t parent = ::getpid();
    m_process.setChildProcessModifier([parent, nice = m_nice, itself = std::vector<int>{0}] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent)  // it died between fork and prctl
            ::_exit(127);
        // A terminal's Ctrl-C is for the agent, which ends its children in order. A session of its own has a priority
        // of its own.
        ::setsid();
        if (nice > 0)
            lowerPriority(itself, nice);
    });
    m_process.start(program, arguments, QIODevice::ReadWrite);
    if (m_memoryLimit > 0)
        m_memoryTimer.start(memoryInterval);
    m_channel = std::make_unique<StreamChannel>(&m_process, m_role);
    m_rpc = std::make_unique<Rpc>(m_channel.get());
    m_rpc->onNotify(QStringLiteral("failed"), [this](const QCborMap &args) { m_ownReason = Error::fromCbor(args); });
}

void ChildProcess::setDefault(const QString &variable, const QString &value) {
    QProcessEnvironment environment = m_process.processEnvironment();
    if (environment.isEmpty())
        environment = QProcessEnvironment::systemEnvironment();
    if (!environment.contains(variable))
        environment.insert(variable, value);
    m_process.setProcessEnvironment(environment);
}

void ChildProcess::checkMemory() {
    const qint64 taken = ownMemory(pid());
    if (taken <= m_memoryLimit)
        return;
    m_tooMuch = taken;
    m_memoryTimer.stop();
    m_killed = true;  // and not requested: nobody has asked for it
    m_process.kill();
}

qint64 ChildProcess::pid() const {
    return m_process.processId();
}

bool ChildProcess::isRunning() const {
    return m_process.state() != QProcess::NotRunning;
}

void ChildProcess::call(const QString &op, const QCborMap &args, std::chrono::milliseconds deadline, QObject *context,
                        Rpc::Callback callback, Rpc::Bounds bounds) {
    const auto failWithEnd = [this, context, callback](const Error &fallback) {
        if (m_end) {
            callback(tl::unexpected(whyEnded()));
            return;
        }
        // Whichever comes first: the end, or the time after which the channel's own reason must do.
        auto *once = new QObject(context);
        connect(this, &ChildProcess::ended, once, [once, callback](const Error &reason) {
            delete once;
            callback(tl::unexpected(reason));
        });
        QTimer::singleShot(endFollowsWithin, once, [once, callback, fallback] {
            delete once;
            callback(tl::unexpected(fallback));
        });
    };
    if (m_end) {
        // Also where whoever heard of the end has let this go meanwhile.
        QTimer::singleShot(0, context, [callback, error = whyEnded()] { callback(tl::unexpected(error)); });
        return;
    }
    m_rpc->call(
        op, args, deadline, context,
        [this, alive = QPointer(this), failWithEnd, callback](const Result<QCborMap> &result) {
            if (!result && alive && (m_end || !m_channel->isOpen()))
                failWithEnd(result.error());
            else
                callback(result);
        },
        bounds);
}

void ChildProcess::stop(std::chrono::milliseconds grace) {
    m_requested = true;
    if (!isRunning())
        return;
    m_process.closeWriteChannel();
    QTimer::singleShot(grace, this, &ChildProcess::kill);
}

void ChildProcess::kill() {
    m_requested = true;
    if (!isRunning())
        return;
    m_killed = true;
    m_process.kill();
}

bool ChildProcess::waitForEnd(std::chrono::milliseconds deadline) {
    return !isRunning() || m_process.waitForFinished(static_cast<int>(deadline.count()));
}

void ChildProcess::keepLastOutput() {
    const QByteArray words = m_process.readAllStandardError();
    const QByteArray logged = words.left(mostLoggedBytes - m_loggedBytes);
    m_loggedBytes += logged.size();
    if (!logged.isEmpty())
        qCInfo(childLog, "%s: %s", qUtf8Printable(m_role.english()), logged.trimmed().constData());
    if (!logged.isEmpty() && m_loggedBytes == mostLoggedBytes)
        qCWarning(childLog, "%s says much: what follows is not logged.", qUtf8Printable(m_role.english()));
    m_lastOutput = (m_lastOutput + words).right(lastOutputBytes);
}

Error ChildProcess::whyEnded() const {
    return m_ownReason.value_or(describeEnd(m_role, *m_end));
}

void ChildProcess::finish(ChildEnd end) {
    if (m_end)
        return;
    end.requested = m_requested;
    end.lastOutput = m_lastOutput;
    m_end = end;
    const Error error = m_ownReason && !end.outOfMemory ? *m_ownReason : describeEnd(m_role, end);
    qCInfo(childLog, "%s", qUtf8Printable(error.toString()));
    Q_EMIT ended(error);
}

}  // namespace hearth
