// The real program as a test runs it: its agent's end on pipes, mutual TLS to its coordinator.
#pragma once

#include <QProcess>
#include <QTest>
#include <memory>
#include <optional>
#include <vector>

#include "core/protocol/memory_shortage.h"
#include "core/protocol/round_report.h"
#include "core/wire/rpc.h"
#include "core/wire/stream_channel.h"
#include "tests/core/wire/patient_dial.h"

namespace hearth {

/// One hearth-worker and both of its masters: agent (pipes) and coordinator (TLS).
struct RealWorker {
    QProcess process;
    std::unique_ptr<StreamChannel> pipes;
    std::unique_ptr<Rpc> agent;
    Fingerprint fingerprint;
    quint16 port = 0;
    std::unique_ptr<Channel> channel;
    std::unique_ptr<Rpc> rpc;
    std::vector<RoundReport> reports;
    std::vector<Error> failures;
    std::optional<MemoryShortage> shortage;
    qint64 addressBytes = 0;  // that the system lets it have, from start() on; 0: as many as it likes

    ~RealWorker() {
        rpc.reset();
        agent.reset();
        channel.reset();
        pipes.reset();
        process.kill();
        process.waitForFinished();
    }
    static Result<QCborMap> call(Rpc &rpc, const QString &op, const QCborMap &args = {}) {
        QObject context;
        std::optional<Result<QCborMap>> answer;
        rpc.call(op, args, std::chrono::milliseconds(2 * patience), &context,
                 [&](Result<QCborMap> result) { answer = std::move(result); });
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, 3 * patience))
            return fail(QStringLiteral("test.no-answer"), QStringLiteral("No answer."));
        return *answer;
    }
    Result<void> start(const Fingerprint &coordinator, qint64 memory = 0) {
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        const QString program = qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth-worker");
        const QStringList arguments{QStringLiteral("--run"),     QStringLiteral("r"),
                                    QStringLiteral("--threads"), QStringLiteral("1"),
                                    QStringLiteral("--memory"),  QString::number(memory),
                                    QStringLiteral("--listen"),  QStringLiteral("127.0.0.1"),
                                    QStringLiteral("--ports"),   QStringLiteral("0-0")};
        if (addressBytes > 0) {
            const QString limited = QStringLiteral("ulimit -v %1; exec \"$0\" \"$@\"").arg(addressBytes / 1024);
            process.start(QStringLiteral("/bin/sh"), QStringList{QStringLiteral("-c"), limited, program} + arguments);
        } else {
            process.start(program, arguments);
        }
        if (!process.waitForStarted())
            return fail(QStringLiteral("test.not-started"), process.errorString());
        pipes = std::make_unique<StreamChannel>(&process, QStringLiteral("the worker"));
        agent = std::make_unique<Rpc>(pipes.get());
        const auto started =
            call(*agent, QStringLiteral("start"),
                 {{QLatin1String("run"), QLatin1String("r")}, {QLatin1String("coordinator"), coordinator.toHex()}});
        if (!started)
            return tl::unexpected(started.error());
        fingerprint = *Fingerprint::fromHex((*started)[QLatin1String("fingerprint")].toString());
        port = static_cast<quint16>((*started)[QLatin1String("port")].toInteger());
        return {};
    }
    Result<void> dial(const Identity &identity) {
        return dialPatiently(identity, port, fingerprint, [this](std::unique_ptr<Channel> opened) {
            channel = std::move(opened);
            rpc = std::make_unique<Rpc>(channel.get());
            rpc->onNotify(QStringLiteral("round.done"),
                          [this](const QCborMap &args) { reports.push_back(*RoundReport::fromCbor(args)); });
            rpc->onNotify(QStringLiteral("memory.short"),
                          [this](const QCborMap &args) { shortage = MemoryShortage::fromCbor(args); });
            rpc->onNotify(QStringLiteral("failed"),
                          [this](const QCborMap &args) { failures.push_back(Error::fromCbor(args)); });
        });
    }
    void send(const TensorHeader &header, const QByteArray &bytes) {
        auto copy = Buffer::allocate(bytes.size());
        std::copy_n(reinterpret_cast<const std::byte *>(bytes.data()), bytes.size(), copy->data());
        channel->sendTensor(header, Payload::of(copy));
    }
};

}  // namespace hearth
