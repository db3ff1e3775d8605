// A connection to a program that may be slow to answer, for tests that are not about that.
#pragma once

#include <QElapsedTimer>
#include <QTest>
#include <functional>
#include <memory>
#include <optional>

#include "core/wire/tls_dial.h"
#include "core/wire/tls_listener.h"
#include "tests/core/base/patience.h"
#include "tests/core/base/standstill.h"

namespace hearth {

/// Dials a program of this machine, and again where a handshake took about as long as the other end allows. `take` is
/// called in the turn in which the channel is there: nothing that comes is missed. Errors: dialTls()'s.
inline Result<void> dialPatiently(const Identity &identity, quint16 port, const Fingerprint &expected,
                                  const std::function<void(std::unique_ptr<Channel>)> &take) {
    for (Tries tries;;) {
        QElapsedTimer took;
        took.start();
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
        if (*done)
            return *done;
        // The other end gives up without a word where it waited too long for our part of the handshake.
        const QString &code = done->error().code;
        const bool isLeft = code == QLatin1String("wire.handshake-failed") ||
                            code == QLatin1String("wire.unreachable") || code == QLatin1String("wire.left");
        if (!isLeft || !took.hasExpired(TlsListener::handshakeDeadline.count() / 2) ||
            !tries.again(QStringLiteral("After %1 ms: %2").arg(took.elapsed()).arg(done->error().toString())))
            return *done;
    }
}

}  // namespace hearth
