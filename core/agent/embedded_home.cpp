#include "core/agent/embedded_home.h"
#include "core/agent/host_resources.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <QDateTime>
#include <QDeadlineTimer>
#include <QDir>
#include <QJsonDocument>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTimer>
#include <csignal>

#include "core/agent/agent_client.h"
#include "core/agent/child_end.h"
#include "core/base/files.h"
#include "core/home/state_dir.h"
#include "core/home/trust_store.h"

namespace hearth {
namespace {

constexpr int maximumDevices = 64;
// Keys, TLS and N process starts on a busy machine.
constexpr std::chrono::milliseconds readyDeadline{30000};
// All agents end their children at the same time; a person waits 2 s at most.
constexpr std::chrono::milliseconds endDeadline{1500};
constexpr qint64 staleAfterSeconds = 60;
constexpr qsizetype mostWordsBytes = 8 << 10;

QString prefix() {
    return QStringLiteral("hearth-demo-");
}

OwnedFd lockFolder(const QString &path) {
    OwnedFd fd(::open(QFile::encodeName(path).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (fd.get() >= 0 && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0)
        return fd;
    return OwnedFd();
}

/// Homes whose app and agents were all killed at once.
void sweep() {
    const QDir temp(QDir::tempPath());
    for (const QFileInfo &info : temp.entryInfoList({prefix() + QLatin1Char('*')}, QDir::Dirs | QDir::NoSymLinks)) {
        if (info.ownerId() != ::geteuid() ||
            info.lastModified().secsTo(QDateTime::currentDateTime()) < staleAfterSeconds)
            continue;
        if (const OwnedFd lock = lockFolder(info.filePath()); lock.get() >= 0)
            QDir(info.filePath()).removeRecursively();
    }
}

}  // namespace

class EmbeddedHome::Private {
  public:
    struct Device {
        std::unique_ptr<QProcess> process;
        QString stateDir;
        QString address;
        Fingerprint fingerprint;
        QByteArray output;
        QByteArray lastOutput;
        bool ready = false;
    };

    explicit Private(EmbeddedHome *home) : q(home) {}

    Result<void> prepare(const EmbeddedHomeOptions &options);
    Result<void> launch(int index, const EmbeddedHomeOptions &options);
    void readOutput(Device &device);
    void agentIsReady();
    void introduce();
    void deviceChanged(const DeviceInfo &info);
    void fail(const Error &error);
    void tellToEnd();

    EmbeddedHome *q;
    QString folder;
    OwnedFd lock;
    std::vector<Device> devices;
    std::unique_ptr<AgentClient> client;
    QTimer timeout;
    QSet<QString> seen;
    bool settled = false;  // ready or failed was told
    bool stopping = false;
};

EmbeddedHome::EmbeddedHome(QObject *parent) : QObject(parent), d(std::make_unique<Private>(this)) {}

EmbeddedHome::~EmbeddedHome() {
    stop();
}

QString EmbeddedHome::stateDir() const {
    return d->devices.empty() ? QString() : d->devices.front().stateDir;
}

std::vector<qint64> EmbeddedHome::agentPids() const {
    std::vector<qint64> pids;
    for (const auto &device : d->devices) {
        if (device.process && device.process->state() != QProcess::NotRunning)
            pids.push_back(device.process->processId());
    }
    return pids;
}

void EmbeddedHome::removeState(const QString &stateDir) {
    const QFileInfo info(QDir(stateDir).absolutePath());
    QDir(info.filePath()).removeRecursively();
    if (info.dir().dirName().startsWith(prefix()))
        QDir().rmdir(info.path());  // succeeds for the last one only
}

void EmbeddedHome::start(const EmbeddedHomeOptions &options) {
    EmbeddedHomeOptions checked = options;
    checked.devices = std::clamp(options.devices, 1, maximumDevices);
    if (checked.memoryBytesPerDevice <= 0)
        checked.memoryBytesPerDevice = hostResources().memoryBytes / checked.devices;
    d->timeout.setSingleShot(true);
    connect(&d->timeout, &QTimer::timeout, this, [this] {
        d->fail({QStringLiteral("demo.slow"), sentence("The embedded home did not get ready."),
                 sentence("Not all agents answered within %1 s.").arg(readyDeadline.count() / 1000),
                 sentence("Take fewer devices, or close other programs.")});
    });
    d->timeout.start(readyDeadline);
    auto prepared = d->prepare(checked);
    for (int i = 0; prepared && i < checked.devices; ++i)
        prepared = d->launch(i, checked);
    if (!prepared) {
        const Error error = prepared.error();
        QTimer::singleShot(0, this, [this, error] { d->fail(error); });
    }
}

Result<void> EmbeddedHome::Private::prepare(const EmbeddedHomeOptions &options) {
    sweep();
    QTemporaryDir made(QDir::tempPath() + QLatin1Char('/') + prefix());
    if (!made.isValid()) {
        return hearth::fail(QStringLiteral("demo.no-folder"),
                            sentence("No temporary folder could be made in %1.").arg(QDir::tempPath()),
                            made.errorString() + QLatin1Char('.'), sentence("Free some space, or set TMPDIR."));
    }
    // It goes in stop(), or by whichever agent ends last where this process was killed.
    made.setAutoRemove(false);
    folder = made.path();
    lock = lockFolder(folder);
    std::vector<TrustedDevice> everybody;
    for (int i = 1; i <= options.devices; ++i) {
        Device device;
        device.stateDir = QStringLiteral("%1/%2").arg(folder).arg(i);
        const QString name = QStringLiteral("local-%1").arg(i);
        const auto identity = Identity::loadOrCreate(device.stateDir, name);
        if (!identity)
            return tl::unexpected(identity.error());
        device.fingerprint = identity->fingerprint();
        everybody.push_back({device.fingerprint, name, {}});
        devices.push_back(std::move(device));
    }
    for (const Device &device : devices) {
        auto store = TrustStore::load(device.stateDir + QStringLiteral("/trust.json"));
        if (!store)
            return tl::unexpected(store.error());
        for (const TrustedDevice &other : everybody) {
            if (other.fingerprint == device.fingerprint)
                continue;
            if (auto added = store->add(other); !added)
                return added;
        }
    }
    return {};
}

Result<void> EmbeddedHome::Private::launch(int index, const EmbeddedHomeOptions &options) {
    const auto program = findProgram(QStringLiteral("hearth-agent"));
    if (!program)
        return tl::unexpected(program.error());
    Device &device = devices[static_cast<std::size_t>(index)];
    device.process = std::make_unique<QProcess>();
    QProcess *process = device.process.get();
    // A terminal's Ctrl-C is for the app, which ends its home in order.
    process->setChildProcessModifier([] { ::setpgid(0, 0); });
    connect(process, &QProcess::readyReadStandardOutput, q,
            [this, index] { readOutput(devices[static_cast<std::size_t>(index)]); });
    connect(process, &QProcess::readyReadStandardError, q, [this, index, process] {
        auto &words = devices[static_cast<std::size_t>(index)].lastOutput;
        words = (words + process->readAllStandardError()).right(mostWordsBytes);
    });
    const auto ended = [this, index](ChildEnd::Kind kind, int code, const Sentence &detail) {
        if (stopping)
            return;
        ChildEnd end;
        end.kind = kind;
        end.code = code;
        end.detail = detail;
        end.lastOutput = devices[static_cast<std::size_t>(index)].lastOutput;
        const Error error = describeEnd(sentence("The agent of local-%1").arg(index + 1), end);
        if (settled)
            Q_EMIT q->agentEnded(index + 1, error);
        else
            fail(error);
    };
    connect(process, &QProcess::finished, q, [ended](int code, QProcess::ExitStatus status) {
        ended(status == QProcess::CrashExit ? ChildEnd::Kind::Signalled : ChildEnd::Kind::Exited, code, {});
    });
    connect(process, &QProcess::errorOccurred, q, [ended, process](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            ended(ChildEnd::Kind::NotStarted, 0, process->errorString() + QLatin1Char('.'));
    });
    QStringList arguments{QStringLiteral("--state"),       device.stateDir,
                          QStringLiteral("--name"),        QStringLiteral("local-%1").arg(index + 1),
                          QStringLiteral("--listen"),      QStringLiteral("127.0.0.1:0"),
                          QStringLiteral("--threads"),     QString::number(options.threadsPerDevice),
                          QStringLiteral("--memory"),      QString::number(options.memoryBytesPerDevice),
                          QStringLiteral("--no-mdns"),     QStringLiteral("--no-card"),
                          QStringLiteral("--parent-pipe"), QStringLiteral("--ephemeral")};
    // All are one computer, which the first one keeps awake: it leads the runs.
    if (index > 0)
        arguments << QStringLiteral("--may-sleep");
    process->start(*program, arguments);
    return {};
}

void EmbeddedHome::Private::readOutput(Device &device) {
    device.output += device.process->readAllStandardOutput();
    if (device.ready || !device.output.contains('\n'))
        return;
    const QJsonObject about = QJsonDocument::fromJson(device.output.left(device.output.indexOf('\n'))).object();
    device.address = about[QLatin1String("address")].toString();
    device.ready = true;
    agentIsReady();
}

void EmbeddedHome::Private::agentIsReady() {
    for (const Device &device : devices) {
        if (!device.ready)
            return;
    }
    client = std::make_unique<AgentClient>();
    connect(client.get(), &AgentClient::ready, q, [this] { introduce(); });
    connect(client.get(), &AgentClient::closed, q, [this](const Error &reason) {
        if (!stopping)
            fail(reason);
    });
    connect(client.get(), &AgentClient::deviceChanged, q, [this](const DeviceInfo &info) { deviceChanged(info); });
    client->open(devices.front().stateDir);
}

void EmbeddedHome::Private::introduce() {
    for (std::size_t i = 1; i < devices.size(); ++i) {
        QCborMap args;
        args[QStringLiteral("fingerprint")] = devices[i].fingerprint.toHex();
        args[QStringLiteral("address")] = devices[i].address;
        client->call(QStringLiteral("device.address"), args, std::chrono::seconds(10), q,
                     [this](const Result<QCborMap> &result) {
                         if (!result)
                             fail(result.error());
                     });
    }
    client->subscribe();
}

void EmbeddedHome::Private::deviceChanged(const DeviceInfo &info) {
    if (settled || info.state == DeviceState::Lost)
        return;
    seen.insert(info.id);
    if (seen.size() < static_cast<qsizetype>(devices.size()))
        return;
    settled = true;
    timeout.stop();
    client->disconnect(q);
    client.release()->deleteLater();  // we are inside its signal
    Q_EMIT q->ready();
}

void EmbeddedHome::Private::fail(const Error &error) {
    if (settled)
        return;
    settled = true;
    timeout.stop();
    Q_EMIT q->failed(error);
}

void EmbeddedHome::Private::tellToEnd() {
    stopping = true;
    timeout.stop();
    if (client) {
        client->disconnect(q);
        client.reset();
    }
    for (auto &device : devices) {
        if (device.process)
            device.process->closeWriteChannel();
    }
}

void EmbeddedHome::end() {
    d->tellToEnd();
    const auto finish = [this] {
        stop();
        Q_EMIT ended();
    };
    // The deadline also ends the wait where there is nothing to wait for.
    d->timeout.disconnect(this);
    connect(&d->timeout, &QTimer::timeout, this, finish);
    d->timeout.start(agentPids().empty() ? std::chrono::milliseconds(0) : endDeadline);
    for (auto &device : d->devices) {
        if (device.process)
            connect(device.process.get(), &QProcess::finished, this, [this] {
                if (agentPids().empty())
                    d->timeout.start(0);
            });
    }
}

Error EmbeddedHome::leaveBehind(const Error &reason, const QString &keepIn) {
    const QFileInfo home(d->folder);
    const QString left = home.path() + QStringLiteral("/hearth-left-") + home.fileName().mid(prefix().size());
    if (d->folder.isEmpty())
        return reason;
    const QString runs =
        left + QLatin1Char('/') + QDir(d->folder).relativeFilePath(stateDir()) + QStringLiteral("/runs");
    // A new name takes no space, and the agents, which remove their folders, do not find them under the old one.
    if (!QDir().rename(d->folder, left))
        return reason;
    d->folder.clear();
    return {reason.code, reason.what, reason.cause,
            sentence("The runs of the demo lie in %1, which may be emptied when this computer starts again. Free some "
                     "space, check who owns %2, and copy them there.")
                .arg(runs, keepIn + QStringLiteral("/runs"))};
}

void EmbeddedHome::stop() {
    d->tellToEnd();
    const QDeadlineTimer deadline(endDeadline);
    for (auto &device : d->devices) {
        if (!device.process)
            continue;
        const auto left = static_cast<int>(std::max<qint64>(1, deadline.remainingTime()));
        if (device.process->state() != QProcess::NotRunning && !device.process->waitForFinished(left)) {
            device.process->kill();
            device.process->waitForFinished(200);
        }
    }
    d->devices.clear();
    if (!d->folder.isEmpty())
        QDir(d->folder).removeRecursively();
    d->folder.clear();
}

}  // namespace hearth
