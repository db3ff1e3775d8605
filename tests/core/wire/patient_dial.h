// A connection to a program that may be slow to answer, for tests that are not about that.
#pragma once

#include <QDeadlineTimer>
#include <QTest>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "core/wire/tls_dial.h"
#include "tests/core/base/patience.h"

namespace hearth {

/// Dials a program of this machine, and again where a handshake took longer than the other end allows, until it has let
/// us in or said that it does not. `take` is called in the turn in which the channel is there: nothing that comes is
/// missed. Errors: dialTls()'s.
inline Result<void> dialPatiently(const Identity &identity, quint16 port, const Fingerprint &expected,
                                  const std::function<void(std::unique_ptr<Channel>)> &take) {
    const QDeadlineTimer end(patience);
    for (;;) {
        QObject context;
        std::optional<Result<void>> done;
        dialTls(identity, QStringLiteral("127.0.0.1"), port, expected, std::chrono::milliseconds(patience), &context,
                [&](Result<std::unique_ptr<Channel>> opened) {
                    if (!opened) {
                        done = tl::unexpected(opened.error());
                        return;
                    }
                    take(std::move(*opened));
                    done = Result<void>();
                });
        if (!QTest::qWaitFor([&] { return done.has_value(); }, 2 * patience))
            return fail(QStringLiteral("test.no-answer"), QStringLiteral("No connection."));
        if (*done || end.hasExpired())
            return *done;
        // The other end gives up without a word where it waited too long for our part of the handshake.
        const QString &code = done->error().code;
        if (code != QLatin1String("wire.deadline") && code != QLatin1String("wire.handshake-failed") &&
            code != QLatin1String("wire.unreachable") && code != QLatin1String("wire.left"))
            return *done;
    }
}

}  // namespace hearth
