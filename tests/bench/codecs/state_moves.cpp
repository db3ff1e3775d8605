// A state of MobileNetV2 on its way to another device, with packed chunks and without, in the same run.
// Usage: state_moves [STEP]. Loopback is faster than any packing; this is a link of 100 Mbit/s:
//   unshare -rn sh -c 'ip link set lo mtu 1500 up; tc qdisc add dev lo root tbf rate 100mbit burst 32kb latency 100ms;
//   exec build/release/bench/state_moves'
#include <QCoreApplication>
#include <QEventLoop>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTextStream>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/base/median.h"
#include "core/train/memory.h"
#include "core/train/state_sender.h"
#include "core/train/threads.h"
#include "core/wire/state_chunks.h"
#include "core/wire/stream_channel.h"
#include "real_tensors.h"

using namespace hearth;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

std::shared_ptr<Buffer> bufferOf(const std::vector<float> &first, const std::vector<float> &second) {
    const std::size_t bytes = first.size() * sizeof(float), more = second.size() * sizeof(float);
    auto buffer = Buffer::allocate(static_cast<qsizetype>(bytes + more));
    std::memcpy(buffer->data(), first.data(), bytes);
    std::memcpy(buffer->data() + bytes, second.data(), more);
    return buffer;
}

/// Chunk by chunk, as it is sent.
void tellPacking(const char *what, const std::shared_ptr<const Buffer> &state) {
    double packing = 0, unpacking = 0;
    qint64 sent = 0;
    StateAssembly assembly(0, 1, state->size());
    const int count = stateChunkCount(state->size());
    for (int index = 0; index < count; ++index) {
        TensorFrame frame{stateChunkHeader({0, 1, index, count}, state->size(), 1), nullptr};
        Payload payload = stateChunkPayload(state, index);
        auto began = Clock::now();
        packStateChunk(frame.header, payload);
        packing += secondsSince(began);
        sent += payload.size;
        frame.payload = Buffer::allocate(payload.size);
        std::memcpy(frame.payload->data(), payload.data, static_cast<std::size_t>(payload.size));
        began = Clock::now();
        if (!assembly.add(frame))
            std::abort();
        unpacking += secondsSince(began);
    }
    if (!std::ranges::equal(state->bytes(), assembly.state()->bytes()))
        std::abort();
    const auto bytes = static_cast<double>(state->size());
    std::printf("%-22s %6.1f MB  %.3f times fewer bytes  packed at %4.0f MB/s, unpacked at %5.0f MB/s\n", what,
                bytes / 1e6, bytes / static_cast<double>(sent), bytes / packing / 1e6, bytes / unpacking / 1e6);
}

struct Move {
    double seconds = 0;
    qint64 bytes = 0;
};

/// From the first chunk to the last one unpacked, over one connection that has carried the state before.
Move moveOf(const std::shared_ptr<const Buffer> &state, bool mayPack) {
    QTcpServer server;
    if (!server.listen(QHostAddress::LocalHost))
        std::abort();
    auto socket = std::make_unique<QTcpSocket>();
    socket->connectToHost(QHostAddress::LocalHost, server.serverPort());
    if (!socket->waitForConnected() || !server.waitForNewConnection(5000))
        std::abort();
    StreamChannel out(std::move(socket));
    StreamChannel in(server.nextPendingConnection());
    StateSender sender([&](const QString &) { return &out; }, [] { return false; }, nullptr,
                       [mayPack](const Channel &channel) { return mayPack ? linkRate(channel) : 0; });
    Move move;
    for (const quint64 version : {quint64{1}, quint64{2}}) {
        StateAssembly assembly(0, version, state->size());
        move.bytes = 0;
        const auto began = Clock::now();
        QEventLoop loop;
        const auto connection = QObject::connect(&in, &Channel::tensorReceived, &loop, [&](const TensorFrame &frame) {
            move.bytes += frame.payload->size();
            if (!assembly.add(frame))
                std::abort();
            if (assembly.complete())
                loop.quit();
        });
        sender.send({{}, version, {{0, state}}}, StateSender::Purpose::Move, 1, {});
        loop.exec();
        QObject::disconnect(connection);
        move.seconds = secondsSince(began);
    }
    return move;
}

}  // namespace

int main(int argc, char **argv) {
    const QCoreApplication application(argc, argv);
    const int step = argc > 1 ? std::atoi(argv[1]) : 40;
    if (step < 1)
        return std::fprintf(stderr, "Usage: state_moves [STEP]\n"), 2;
    installTensorMemory();
    prepareComputeThread(1);
    RealState real;
    if (const auto trained = realTensors({QStringLiteral("mobilenetv2-cifar"), 32, {step}}, &real); !trained) {
        QTextStream(stderr) << trained.error().toString() << '\n';
        return 1;
    }
    std::printf("MobileNetV2 after step %d, in chunks of %lld bytes:\n", step, static_cast<long long>(stateChunkBytes));
    tellPacking("weights", bufferOf(real.weights, {}));
    tellPacking("momentum", bufferOf(real.momentum, {}));
    const auto state = bufferOf(real.weights, real.momentum);
    tellPacking("both", state);
    std::vector<double> ratios;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const Move plain = moveOf(state, false), packed = moveOf(state, true);
        std::printf(
            "moved in %.3f s as it is (%.1f MB, %.0f Mbit/s), in %.3f s packed where it pays (%.1f MB): %.3f times faster\n",
            plain.seconds, static_cast<double>(plain.bytes) / 1e6,
            static_cast<double>(plain.bytes) * 8e-6 / plain.seconds, packed.seconds,
            static_cast<double>(packed.bytes) / 1e6, plain.seconds / packed.seconds);
        ratios.push_back(plain.seconds / packed.seconds);
    }
    std::printf("median: %.3f times faster\n", medianOf(ratios));
    return 0;
}
