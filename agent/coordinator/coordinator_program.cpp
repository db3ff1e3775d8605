#include "coordinator_program.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

#include "core/base/cbor.h"
#include "core/run/frozen_tensors.h"
#include "core/run/job_data.h"
#include "core/run/run_state_file.h"

namespace hearth {
namespace {

/// How long data that cannot be read are left alone.
constexpr std::chrono::seconds tryAgain{1};

QString identityFile(const RunRequest &request) {
    return request.directory + QStringLiteral("/coordinator.pem");
}

/// Workers and agents know a run's coordinator by its key: one that takes the place of one that died must have it.
Result<Identity> identityFor(const RunRequest &request) {
    if (request.again)
        return Identity::load(identityFile(request));
    auto identity = Identity::generate(QStringLiteral("run ") + request.id);
    if (!identity)
        return identity;
    if (auto saved = identity->save(identityFile(request)); !saved)
        return tl::unexpected(saved.error());
    return identity;
}

Result<std::unique_ptr<RunDirectory>> openDirectory(const RunRequest &request) {
    if (!request.again && !request.resume)
        return RunDirectory::create(request.directory);
    auto directory = RunDirectory::resume(request.directory);
    if (!directory || request.again)
        return directory;
    // From here on the last state that was written is not the end any more.
    if (auto written = (*directory)->append(event::State{QStringLiteral("recovering")}); !written)
        return tl::unexpected(written.error());
    // While its data are awaited, too, whoever takes this one's place must not look for the workers of before.
    if (auto known = RunStateFile::load((*directory)->file(RunStateFile::name())); known && known->plan) {
        known->plan.reset();
        known->sentAway.clear();
        if (auto saved = (*directory)->saveJson(RunStateFile::name(), known->toJson()); !saved)
            return tl::unexpected(saved.error());
    }
    return directory;
}

/// May write gigabytes. They are what they were in a run that has begun before, and a file of them is whole.
Result<void> keepFrozen(const RunRequest &request, const FrozenTensors &frozen) {
    if ((request.again || request.resume) && QFileInfo::exists(frozenFile(request.directory)))
        return {};
    return saveFrozen(request.directory, frozen);
}

}  // namespace

CoordinatorProgram::CoordinatorProgram(QObject *parent) : QObject(parent), m_rpc(&m_channel), m_agent(m_rpc) {
    connect(&m_channel, &Channel::closed, this, [this] { Q_EMIT finished(1); });
    m_rpc.handle(QStringLiteral("start"), [this](const QCborMap &args, const Reply &reply) { start(args, reply); });
    m_rpc.handle(QStringLiteral("ask"), [this](const QCborMap &args, const Reply &reply) { ask(args, reply); });
}

CoordinatorProgram::~CoordinatorProgram() {
    m_coordinator.reset();  // before what it refers to
}

void CoordinatorProgram::start(const QCborMap &args, const Reply &reply) {
    if (m_request) {
        reply.fail({QStringLiteral("run.started"), sentence("The run has begun already."), {}, {}});
        return;
    }
    auto request = RunRequest::fromCbor(args);
    if (!request) {
        reply.fail(request.error());
        return;
    }
    m_request = std::move(*request);
    if (m_request->readsElsewhere())
        startWithHolders(reply);
    else
        startHere(reply);
}

void CoordinatorProgram::startHere(const Reply &reply) {
    const auto refuse = [this, reply](const Error &error) {
        m_reading.reset();
        if (m_connector)
            QFile::remove(identityFile(*m_request));
        m_request.reset();
        reply.fail(error);
    };
    reply.tellWorking();
    const auto started = [this, reply, refuse](const RunInputs &inputs) {
        if (auto prepared = prepare(); !prepared)
            return refuse(prepared.error());
        begin(inputs);
        reply.ok({{QStringLiteral("fingerprint"), m_connector->fingerprint().toHex()}});
        m_coordinator->start();
        m_reading.reset();
    };
    read({}, started, refuse);
}

void CoordinatorProgram::read(const ReadyData &ready, const std::function<void(const RunInputs &)> &begin,
                              const std::function<void(const Error &)> &refuse) {
    m_reading = std::make_unique<BackgroundTask>();
    m_reading->start<RunInputs>(
        this,
        [request = *m_request, ready, cancelled = m_reading->cancelled()]() -> Result<RunInputs> {
            keepDecodedPictures();
            auto inputs = RunInputs::load(request, ready);
            if (!inputs)
                return inputs;
            // Nobody waits for it any more, and a file of it would only be removed again.
            if (*cancelled)
                return fail(QStringLiteral("run.stopped"), sentence("It was stopped before it began."));
            if (auto kept = keepFrozen(request, inputs->frozen); !kept)
                return tl::unexpected(kept.error());
            return inputs;
        },
        begin, refuse);
}

Result<void> CoordinatorProgram::prepare() {
    auto directory = openDirectory(*m_request);
    if (!directory)
        return tl::unexpected(directory.error());
    auto identity = identityFor(*m_request);
    if (!identity)
        return tl::unexpected(identity.error());
    m_directory = std::move(*directory);
    m_identity = *identity;
    m_connector = std::make_unique<TlsConnector>(std::move(*identity));
    return {};
}

void CoordinatorProgram::begin(const RunInputs &inputs) {
    m_coordinator = std::make_unique<Coordinator>(*m_request, inputs, m_agent, *m_connector, *m_directory);
    connect(m_coordinator.get(), &Coordinator::ended, this,
            [this](RunState state) { leave(state == RunState::Failed ? 1 : 0); });
}

// ---- Data of other devices -----------------------------------------------------------------------------------------

void CoordinatorProgram::startWithHolders(const Reply &reply) {
    if (auto prepared = prepare(); !prepared) {
        m_request.reset();
        reply.fail(prepared.error());
        return;
    }
    keepNotes();
    reply.ok({{QStringLiteral("fingerprint"), m_connector->fingerprint().toHex()}});
    openHeldData();
}

void CoordinatorProgram::openHeldData() {
    m_held =
        std::make_unique<HeldData>(*m_request, m_agent, [this] { return std::make_unique<TlsConnector>(*m_identity); });
    connect(m_held.get(), &HeldData::failed, this, &CoordinatorProgram::failRun);
    connect(m_held.get(), &HeldData::opened, this, &CoordinatorProgram::readHeldData);
    m_held->open();
}

void CoordinatorProgram::readHeldData() {
    const auto started = [this](const RunInputs &inputs) {
        if (m_hasLeft)
            return;
        begin(inputs);
        m_coordinator->start();
        releaseNotes();
        m_reading.reset();
    };
    const auto failed = [this](const Error &error) {
        // A run that is taken up waits for its data here as it does later.
        if (m_request->again && error.code == QLatin1String("data.unreadable"))
            QTimer::singleShot(tryAgain, this, &CoordinatorProgram::readHeldData);
        else
            failRun(error);
    };
    read(m_held->ready(), started, failed);
}

void CoordinatorProgram::keepNotes() {
    m_notes = std::make_unique<KeptNotes>(m_agent);
    connect(&m_agent, &AgentLink::command, m_notes.get(), [this](const QCborMap &command) {
        if (command[QStringLiteral("command")].toString() == QLatin1String("stop"))
            stopRun();
    });
}

void CoordinatorProgram::releaseNotes() {
    m_notes->release();
    m_notes.reset();
}

bool CoordinatorProgram::record(const RunEventBody &event) {
    const auto written = m_directory->append(event);
    if (written)
        m_agent.eventWritten(*written);
    else
        m_agent.failed(written.error());
    return written.has_value();
}

bool CoordinatorProgram::recordBeginning() {
    if (m_directory->lastSeq() > 0)
        return true;
    const RunRequest &request = *m_request;
    return record(event::Run{request.id, QDateTime::currentDateTimeUtc().toString(Qt::ISODate), request.job.toJson(),
                             request.model.toJson(), runKindName(request.kind), 0, 0, request.weights});
}

void CoordinatorProgram::failRun(const Error &error) {
    if (m_hasLeft)
        return;
    if (recordBeginning() && record(event::Failure{error}))
        record(event::State{QStringLiteral("failed")});
    leave(1);
}

void CoordinatorProgram::stopRun() {
    if (recordBeginning())
        record(event::State{QStringLiteral("stopped")});
    leave(0);
}

void CoordinatorProgram::leave(int status) {
    // What is under way fails with the channel, and has nothing to say any more.
    if (m_held)
        m_held->disconnect(this);
    m_hasLeft = true;
    QFile::remove(identityFile(*m_request));  // nobody will take this one's place
    // What was said last still has to go through the pipe; the agent closes it, or the channel does.
    m_channel.disconnect(this);
    m_channel.close({QStringLiteral("run.ended"), sentence("The run has ended."), {}, {}});
    Q_EMIT finished(status);
}

void CoordinatorProgram::ask(const QCborMap &args, const Reply &reply) {
    if (!m_coordinator) {
        reply.fail({QStringLiteral("run.not-started"), sentence("The run has not begun yet."), {}, {}});
        return;
    }
    const QCborValue row = args[QStringLiteral("row")];
    m_coordinator->ask(args[QStringLiteral("samples")].toByteArray(),
                       row.isInteger() ? std::optional(row.toInteger()) : std::nullopt,
                       [reply](const Result<std::vector<double>> &values) {
                           if (values)
                               reply.ok({{QStringLiteral("values"), bytesOfNumbers(*values)}});
                           else
                               reply.fail(values.error());
                       });
}

}  // namespace hearth
