// Both ends of TLS channels, as the tests set them up.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/wire/tls_dial.h"
#include "core/wire/tls_listener.h"
#include "tests/core/base/patience.h"

namespace hearth {

inline const QString localhost = QStringLiteral("127.0.0.1");

/// A listener that accepts `friends` only.
struct Home {
    Identity identity = *Identity::generate(QStringLiteral("server"));
    QList<Fingerprint> friends;
    TlsListener listener{identity, [this](const Fingerprint &who) { return friends.contains(who); }};
    std::vector<std::unique_ptr<Channel>> channels;
    std::vector<std::pair<Fingerprint, Error>> refusals;
    int tensors = 0;  // counted from the turn in which the channel came, so that none is missed
    quint16 port;

    Home() : port(*listener.listen(QHostAddress::LocalHost, 0, 0)) {
        listener.setHandshakeDeadline(std::chrono::minutes(10));  // a machine that stands still is none of the causes
        QObject::connect(&listener, &TlsListener::channelReady, &listener, [this](Channel *channel) {
            channels.emplace_back(channel);
            QObject::connect(channel, &Channel::tensorReceived, channel, [this] { ++tensors; });
        });
        QObject::connect(&listener, &TlsListener::refused, &listener,
                         [this](const Fingerprint &who, const QHostAddress &, const Error &reason) {
                             refusals.emplace_back(who, reason);
                         });
    }
};

struct Guest {
    Identity identity = *Identity::generate(QStringLiteral("client"));
    QObject context;
    std::unique_ptr<Channel> channel;
    std::optional<Error> error;

    void dial(const Home &home, const Fingerprint &expected,
              std::chrono::milliseconds deadline = std::chrono::seconds(60)) {
        dial(home.port, expected, deadline);
    }
    void dial(quint16 port, const Fingerprint &expected,
              std::chrono::milliseconds deadline = std::chrono::seconds(60)) {
        dialTls(identity, localhost, port, expected, deadline, &context,
                [this](Result<std::unique_ptr<Channel>> result) {
                    if (result)
                        channel = std::move(*result);
                    else
                        error = result.error();
                });
    }
    QString code() const { return error ? error->code : QString(); }
};

}  // namespace hearth
