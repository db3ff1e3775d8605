#include <fcntl.h>
#include <unistd.h>

#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <array>

#include "core/wire/rpc.h"
#include "core/wire/stdio_channel.h"
#include "tests/core/base/patience.h"
#include "tests/core/wire/wire_samples.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

struct Pipe {
    std::array<int, 2> fds{-1, -1};
    Pipe() {
        if (::pipe2(fds.data(), O_CLOEXEC) != 0)
            qFatal("no pipe");
    }
    ~Pipe() {
        closeReader();
        closeWriter();
    }
    void closeReader() { closeEnd(0); }
    void closeWriter() { closeEnd(1); }
    void closeEnd(std::size_t end) {
        if (fds[end] >= 0)
            ::close(fds[end]);
        fds[end] = -1;
    }
};

/// What the child process of runsOverAProcess() does.
int child(int argc, char **argv) {
    QCoreApplication application(argc, argv);
    StdioChannel channel;
    Rpc rpc(&channel);
    rpc.handle(QStringLiteral("echo"), [](const QCborMap &args, const Reply &reply) { reply.ok(args); });
    QObject::connect(&channel, &Channel::closed, &application, [] { QCoreApplication::exit(7); });
    rpc.notify(QStringLiteral("started"));
    return QCoreApplication::exec();
}

}  // namespace

class TestStdioChannel : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void framesLargerThanThePipePass() {
        Pipe there;
        Pipe back;
        StdioChannel a(back.fds[0], there.fds[1]);
        StdioChannel b(there.fds[0], back.fds[1]);
        QSignalSpy control(&b, &Channel::controlReceived);
        QSignalSpy tensors(&b, &Channel::tensorReceived);
        const auto payload = patterned(3'000'001);
        a.sendControl(note(1));
        a.sendTensor(headerFor(payload->size()), Payload::of(payload));
        a.sendControl({{QStringLiteral("long"), QString(500'000, QLatin1Char('x'))}});
        QTRY_COMPARE_WITH_TIMEOUT(control.count(), 2, patience);
        QTRY_COMPARE_WITH_TIMEOUT(tensors.count(), 1, patience);
        QVERIFY(sameBytes(*tensors.at(0).at(0).value<TensorFrame>().payload, *payload));
        QTRY_COMPARE_WITH_TIMEOUT(a.queuedBytes(), 0, patience);
        QCOMPARE(a.bytesSent(), b.bytesReceived());
    }

    void theEndOfFileCloses() {
        Pipe there;
        Pipe back;
        StdioChannel b(there.fds[0], back.fds[1]);
        QSignalSpy closed(&b, &Channel::closed);
        there.closeWriter();
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
        QCOMPARE(closed.at(0).at(0).value<Error>().code, QStringLiteral("wire.closed"));
    }

    void theEndOfFileInsideAFrameIsToldApart() {
        Pipe there;
        Pipe back;
        StdioChannel b(there.fds[0], back.fds[1]);
        QSignalSpy closed(&b, &Channel::closed);
        const QByteArray frame = encodeFrame(FrameType::Control, note(1));
        QCOMPARE(::write(there.fds[1], frame.constData(), 9), ssize_t(9));
        there.closeWriter();
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
        QCOMPARE(closed.at(0).at(0).value<Error>().code, QStringLiteral("wire.truncated"));
    }

    void aReaderThatWentAwayIsNoSignal() {
        Pipe there;
        Pipe back;
        StdioChannel a(back.fds[0], there.fds[1]);
        QSignalSpy closed(&a, &Channel::closed);
        there.closeReader();
        a.sendControl(note(1));
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
    }

    void runsOverAProcess() {
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(QCoreApplication::arguments().first(), {QStringLiteral("--child")});
        QVERIFY(process.waitForStarted());
        StreamChannel channel(&process, QStringLiteral("the child"));
        Rpc rpc(&channel);
        bool started = false;
        rpc.onNotify(QStringLiteral("started"), [&started](const QCborMap &) { started = true; });
        QCborMap answer;
        const QCborMap large{{QStringLiteral("long"), QString(300'000, QLatin1Char('y'))}};
        rpc.call(QStringLiteral("echo"), large, 60s, this,
                 [&answer](const Result<QCborMap> &result) { answer = result.value_or(QCborMap()); });
        QTRY_VERIFY_WITH_TIMEOUT(started, patience);
        QTRY_COMPARE_WITH_TIMEOUT(answer, large, patience);
        QSignalSpy finished(&process, &QProcess::finished);
        QSignalSpy closed(&channel, &Channel::closed);
        process.closeWriteChannel();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, patience);
        QCOMPARE(process.exitCode(), 7);
        QCOMPARE(closed.count(), 1);
    }
};

int main(int argc, char **argv) {
    if (argc == 2 && qstrcmp(argv[1], "--child") == 0)
        return child(argc, argv);
    QCoreApplication application(argc, argv);
    TestStdioChannel test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_stdio_channel.moc"
