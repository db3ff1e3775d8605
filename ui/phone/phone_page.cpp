#include "ui/phone/phone_page.h"

#include <QJsonDocument>
#include <utility>

#include "core/discovery/probes.h"
#include "ui/phone/phone_server.h"
#include "ui/phone/phone_state.h"
#include "ui/run/run_model.h"

namespace hearth {

QList<QHostAddress> phoneHosts(const QList<InterfaceFacts> &interfaces) {
    QList<QHostAddress> v4, v6;
    for (const InterfaceFacts &interface : interfaces) {
        if (!interface.isUp || interface.isLoopback || interface.isTunnel)
            continue;
        for (const QHostAddress &address : interface.addresses) {
            if (!address.isLinkLocal())
                (address.protocol() == QAbstractSocket::IPv4Protocol ? v4 : v6) << address;
        }
    }
    return v4.isEmpty() ? v6 : v4;
}

PhonePage::PhonePage(const HomeSource &home, const RunModel &run, QObject *parent)
    : QObject(parent), m_home(home), m_run(run), m_hosts([] { return phoneHosts(interfaceFacts()); }) {
    m_heard.start();
    connect(&run, &RunModel::eventTaken, this, [this] { m_heard.start(); });
}

PhonePage::~PhonePage() = default;

Result<void> PhonePage::begin() {
    if (isShown())
        return {};
    if (m_hosts().isEmpty()) {
        return fail(QStringLiteral("phone.no-address"), tr("The run cannot be shown on a phone."),
                    tr("This computer is in no network that a phone could be in, too."),
                    tr("Connect it by Wi-Fi or cable to the phone's network, then try again."));
    }
    auto server = std::make_unique<PhoneServer>();
    if (auto begun = server->begin(); !begun)
        return begun;
    m_server = std::move(server);
    serve();
    return {};
}

void PhonePage::serve() {
    m_server->setContent([this](PhoneServer::Part part) {
        constexpr qint64 second = 1000;
        return part == PhoneServer::Part::Page
                   ? phonePage()
                   : QJsonDocument(phoneState(m_home, m_run, m_recording, m_heard.elapsed() / second))
                         .toJson(QJsonDocument::Compact);
    });
    Q_EMIT shownChanged();
}

void PhonePage::end() {
    if (std::exchange(m_server, nullptr))
        Q_EMIT shownChanged();
}

QStringList PhonePage::addresses() const {
    QStringList all;
    if (m_server) {
        for (const QHostAddress &host : m_hosts())
            all << m_server->addressAt(host);
    }
    return all;
}

quint16 PhonePage::port() const {
    return m_server ? m_server->serverPort() : quint16(0);
}

void PhonePage::takeOver(PhonePage &before) {
    if (!before.isShown())
        return;
    m_server = std::move(before.m_server);
    serve();
    Q_EMIT before.shownChanged();
}

void PhonePage::setHosts(std::function<QList<QHostAddress>()> hosts) {
    m_hosts = std::move(hosts);
}

}  // namespace hearth
