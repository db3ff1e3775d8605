// A device of which there is nothing but its key and what it says.
#pragma once

#include <QTimer>

#include "core/home/link_watch.h"
#include "core/wire/tls_dial.h"
#include "pairing_home.h"

namespace hearth {

class PlayedDevice : public QObject {
  public:
    explicit PlayedDevice(const char *name)
        : m_name(QString::fromLatin1(name)), m_identity(*Identity::generate(m_name)) {
        QObject::connect(&m_beats, &QTimer::timeout, this, [this] { m_rpc->notify(QStringLiteral("beat")); });
    }

    IdentityFile file() const { return {m_name, m_identity.fingerprint(), {}}; }
    const Identity &identity() const { return m_identity; }
    QString id() const { return m_identity.fingerprint().toHex(); }

    /// Until it is linked with that agent, and ready there.
    bool linkWith(const PlayedHome &home) {
        const auto at = targetOf(*home.agent);
        dialTls(m_identity, at.host, at.port, home.agent->fingerprint(), deadline, this,
                [this](auto result) { m_channel = result ? std::move(*result) : nullptr; });
        if (!QTest::qWaitFor([this] { return m_channel != nullptr; }, patience))
            return false;
        m_rpc = std::make_unique<Rpc>(m_channel.get());
        DeviceInfo info;
        info.id = id();
        info.name = m_name;
        info.state = DeviceState::Ready;
        m_rpc->call(QStringLiteral("hello"), {{QStringLiteral("device"), info.toCbor()}}, deadline, this,
                    [](const auto &) {});
        m_beats.start(LinkWatch::calm.beat);
        return comesTo(DeviceState::Ready, home);
    }
    bool endLinkWith(const PlayedHome &home) {
        m_beats.stop();
        m_rpc.reset();
        m_channel.reset();
        return comesTo(DeviceState::Lost, home);
    }
    /// Says it, as something that it knew when the link began.
    void pass(const RemovalRoster &word) {
        QCborMap told = word.toCbor();
        told[QStringLiteral("known")] = true;
        m_rpc->notify(QStringLiteral("removals"), told);
    }
    /// What was said before has been heard: what is asked afterwards is answered afterwards, or the link has ended.
    bool isHeard() {
        const auto answer = ask(QStringLiteral("nothing"), {});
        return answer || answer.error().code != QLatin1String("test.no-answer");
    }
    /// What it is asked, it answers with this; after linkWith().
    void answer(const QString &op, const QCborMap &with) {
        m_rpc->handle(op, [with](const QCborMap &, const Reply &reply) { reply.ok(with); });
    }
    void say(const QString &note, const QCborMap &args) { m_rpc->notify(note, args); }
    Result<QCborMap> ask(const QString &op, const QCborMap &args) {
        std::optional<Result<QCborMap>> answer;
        QObject context;
        m_rpc->call(op, args, deadline, &context, [&](const auto &result) { answer = result; });
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, patience))
            return fail(QStringLiteral("test.no-answer"), QStringLiteral("What was asked was not answered."));
        return *answer;
    }

  private:
    static constexpr std::chrono::seconds deadline{30};

    bool comesTo(DeviceState state, const PlayedHome &home) const {
        return QTest::qWaitFor([&] { return home.stateOf(id()) == state; }, patience);
    }

    QString m_name;
    Identity m_identity;
    std::unique_ptr<Channel> m_channel;
    std::unique_ptr<Rpc> m_rpc;
    QTimer m_beats;  // it is there, however long a test takes
};

}  // namespace hearth
