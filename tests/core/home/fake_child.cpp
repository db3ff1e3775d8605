// A child that behaves as its first argument says; also plays coordinator and worker in the tests of the agent.
#include <unistd.h>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/wire/rpc.h"
#include "core/wire/stdio_channel.h"

using namespace hearth;

namespace {

constexpr int endOfInput = 0;

void say(const char *text) {
    std::fprintf(stderr, "%s\n", text);
    std::fflush(stderr);
}

void appendEvent(const QString &folder, const QByteArray &line) {
    QFile file(folder + QStringLiteral("/events.jsonl"));
    if (file.open(QIODevice::Append))
        file.write(line + '\n');
}

/// The coordinator of the tests: {"request": {"job": {"act": …}}}.
void serveCoordinator(Rpc &rpc) {
    rpc.handle(QStringLiteral("start"), [&rpc](const QCborMap &args, const Reply &reply) {
        const QString folder = args[QStringLiteral("dir")].toString();
        const QCborMap job = args[QStringLiteral("request")].toMap()[QStringLiteral("job")].toMap();
        const QString act = job[QStringLiteral("act")].toString();
        if (act == QLatin1String("refuse")) {
            reply.fail({QStringLiteral("job.invalid"), QStringLiteral("The job is not valid."), {}, {}});
            return;
        }
        QCborMap answer;
        answer[QStringLiteral("fingerprint")] = QString(64, QLatin1Char('a'));
        reply.ok(answer);
        appendEvent(folder,
                    R"({"seq":1,"t":0,"event":"run","started":"2026-01-01T12:00:00Z","job":{"model":"m","data":"d"}})");
        appendEvent(folder, R"({"seq":2,"t":0.1,"event":"state","state":"training"})");
        rpc.notify(QStringLiteral("event"));
        if (act == QLatin1String("die")) {
            say("cannot go on");
            QTimer::singleShot(0, [] { std::_Exit(7); });
        } else if (act == QLatin1String("finish")) {
            appendEvent(folder, R"({"seq":3,"t":0.2,"event":"state","state":"finished"})");
            rpc.notify(QStringLiteral("event"));
            QTimer::singleShot(0, [] { QCoreApplication::exit(0); });
        } else if (act == QLatin1String("worker")) {
            QCborMap wanted;
            wanted[QStringLiteral("device")] = job[QStringLiteral("device")];
            rpc.call(QStringLiteral("worker.start"), wanted, std::chrono::seconds(20), qApp,
                     [&rpc, folder](const Result<QCborMap> &result) {
                         const QByteArray text = result
                                                     ? QByteArray::number((*result)[QStringLiteral("pid")].toInteger())
                                                     : result.error().code.toUtf8();
                         appendEvent(folder, R"({"seq":3,"t":0.3,"event":"worker","worker_pid":")" + text + R"("})");
                         rpc.notify(QStringLiteral("event"));
                     });
        }
        // "wait": until somebody ends it.
        rpc.onNotify(QStringLiteral("worker.exited"), [&rpc, folder](const QCborMap &note) {
            const Error error = Error::fromCbor(note[QStringLiteral("error")].toMap());
            appendEvent(folder, R"({"seq":4,"t":0.4,"event":"lost","cause":")" + error.code.toUtf8() + R"("})");
            rpc.notify(QStringLiteral("event"));
        });
        rpc.onNotify(QStringLiteral("command"), [&rpc, folder](const QCborMap &) {
            appendEvent(folder, R"({"seq":3,"t":0.5,"event":"state","state":"stopped"})");
            rpc.notify(QStringLiteral("event"));
            QTimer::singleShot(0, [] { QCoreApplication::exit(0); });
        });
    });
}

void serveWorker(Rpc &rpc) {
    rpc.handle(QStringLiteral("start"), [](const QCborMap &, const Reply &reply) {
        QCborMap answer;
        answer[QStringLiteral("fingerprint")] = QString(64, QLatin1Char('b'));
        answer[QStringLiteral("port")] = 4711;
        reply.ok(answer);
    });
}

}  // namespace

int main(int argc, char **argv) {
    QCoreApplication app(argc, argv);
    const QString program = QFileInfo(app.applicationFilePath()).fileName();
    const QString act = QString::fromLocal8Bit(argc > 1 ? argv[1] : "");
    if (act == QLatin1String("exit")) {
        say("first words");
        say("the file is broken");
        return std::atoi(argv[2]);
    }
    if (act == QLatin1String("signal")) {
        say("about to fall");
        std::signal(std::atoi(argv[2]), SIG_DFL);
        std::raise(std::atoi(argv[2]));
    }
    StdioChannel channel;
    Rpc rpc(&channel);
    if (act == QLatin1String("hang")) {
        // Neither the end of its input nor a polite signal ends it.
        std::signal(SIGTERM, SIG_IGN);
        std::printf("%s", "");
        while (true)
            ::pause();
    }
    QObject::connect(&channel, &Channel::closed, &app, [] { QCoreApplication::exit(endOfInput); });
    rpc.handle(QStringLiteral("echo"), [](const QCborMap &args, const Reply &reply) { reply.ok(args); });
    rpc.handle(QStringLiteral("die"), [](const QCborMap &, const Reply &) {
        say("dying in the middle of a call");
        std::_Exit(5);
    });
    rpc.handle(QStringLiteral("explain"), [&](const QCborMap &, const Reply &reply) {
        rpc.notify(
            QStringLiteral("failed"),
            Error{QStringLiteral("worker.out-of-memory"), QStringLiteral("Too little memory."), {}, {}}.toCbor());
        QTimer::singleShot(50, [reply] { std::_Exit(3); });
    });
    if (program == QLatin1String("hearth-coordinator"))
        serveCoordinator(rpc);
    if (program == QLatin1String("hearth-worker"))
        serveWorker(rpc);
    return app.exec();
}
