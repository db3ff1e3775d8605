#include "core/run/data_program.h"

namespace hearth {

DataProgram::DataProgram(DataProgramOptions options, QObject *parent)
    : QObject(parent), m_options(std::move(options)), m_rpc(&m_agent) {
    connect(&m_agent, &Channel::closed, this, &DataProgram::finished);
    m_rpc.handle(QStringLiteral("start"), [this](const QCborMap &args, const Reply &reply) { start(args, reply); });
}

DataProgram::~DataProgram() = default;

void DataProgram::start(const QCborMap &args, const Reply &reply) {
    if (m_listener)
        return reply.fail({QStringLiteral("holder.started"), sentence("This process was started before."), {}, {}});
    if (args[QLatin1String("run")].toString() != m_options.run)
        return reply.fail({QStringLiteral("holder.other-run"), sentence("This process serves another run."), {}, {}});
    const auto coordinator = Fingerprint::fromHex(args[QLatin1String("coordinator")].toString());
    if (!coordinator)
        return reply.fail(coordinator.error());
    auto identity = Identity::generate(QStringLiteral("hearth-data"));
    if (!identity)
        return reply.fail(identity.error());
    const Fingerprint own = identity->fingerprint();
    m_coordinator = *coordinator;
    m_service = std::make_unique<DataService>();
    connect(m_service.get(), &DataService::abandoned, this, &DataProgram::finished);
    auto listener = std::make_unique<TlsListener>(std::move(*identity),
                                                  [this](const Fingerprint &peer) { return peer == m_coordinator; });
    connect(listener.get(), &TlsListener::channelReady, m_service.get(),
            [this](Channel *channel) { m_service->adopt(std::unique_ptr<Channel>(channel)); });
    const auto port = listener->listen(m_options.listen, m_options.ports.first, m_options.ports.last);
    if (!port)
        return reply.fail(port.error());
    m_listener = std::move(listener);
    reply.ok({{QLatin1String("fingerprint"), own.toHex()}, {QLatin1String("port"), *port}});
}

}  // namespace hearth
