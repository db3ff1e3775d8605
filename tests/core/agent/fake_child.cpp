// A child that behaves as its first argument says; also plays coordinator, data process and worker in the tests of the
// agent.
#include <unistd.h>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>

#include "core/base/buffer.h"
#include "core/base/no_memory.h"
#include "core/wire/rpc.h"
#include "core/wire/stdio_channel.h"

using namespace hearth;

// Where it plays a program whose memory runs out, that is for it to say, and no finding.
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char *__asan_default_options() {
    return "allocator_may_return_null=1";
}
#elif defined(__SANITIZE_THREAD__)
extern "C" const char *__tsan_default_options() {
    return "allocator_may_return_null=1";
}
#endif

namespace {

constexpr int endOfInput = 0;

void say(const char *text) {
    std::fprintf(stderr, "%s\n", text);
    std::fflush(stderr);
}

/// The n-th line has seq n, whoever wrote those before; `fields` follow, without braces.
void appendEvent(const QString &folder, const QByteArray &kind, const QByteArray &fields) {
    QFile file(folder + QStringLiteral("/events.jsonl"));
    if (!file.open(QIODevice::ReadWrite))
        return;
    const auto seq = QByteArray::number(file.readAll().count('\n') + 1);
    file.write("{\"seq\":" + seq + ",\"t\":0." + seq + ",\"event\":\"" + kind + "\"," + fields + "}\n");
}

/// The coordinator of the tests: {"request": {"job": {"act": …}}}. It tells by events what it is told. What it starts
/// is the job's "process", "worker" or "holder".
class Coordinator : public QObject {
  public:
    explicit Coordinator(Rpc &rpc) : m_rpc(rpc) {
        rpc.handle(QStringLiteral("start"), [this](const QCborMap &args, const Reply &reply) { start(args, reply); });
        rpc.onNotify(QStringLiteral("worker.exited"), [this](const QCborMap &note) {
            const Error error = Error::fromCbor(note[QStringLiteral("error")].toMap());
            tell("lost", "\"cause\":\"" + error.code.toUtf8() + '"');
        });
        rpc.onNotify(QStringLiteral("holder.exited"), [this](const QCborMap &note) {
            const Error error = Error::fromCbor(note[QStringLiteral("error")].toMap());
            tell("holder-lost", "\"cause\":\"" + error.code.toUtf8() + '"');
        });
        rpc.onNotify(QStringLiteral("device.changed"), [this](const QCborMap &note) {
            const QString state = note[QStringLiteral("state")].toString();
            if (state == QLatin1String("leaving") || state == QLatin1String("resting"))
                tell("leaving", "\"id\":\"" + note[QStringLiteral("id")].toString().toUtf8() + '"');
        });
        rpc.onNotify(QStringLiteral("device.removed"), [this](const QCborMap &note) {
            tell("removed", "\"id\":\"" + note[QStringLiteral("device")].toString().toUtf8() + '"');
        });
        rpc.onNotify(QStringLiteral("worker.sees"), [this](const QCborMap &note) {
            const QJsonDocument places(note[QStringLiteral("sees")].toMap().toJsonObject());
            tell("sees", "\"id\":\"" + note[QStringLiteral("device")].toString().toUtf8() +
                             "\",\"places\":" + places.toJson(QJsonDocument::Compact));
        });
        rpc.onNotify(QStringLiteral("command"), [this](const QCborMap &args) { command(args); });
    }

  private:
    void start(const QCborMap &args, const Reply &reply) {
        m_folder = args[QStringLiteral("dir")].toString();
        m_job = args[QStringLiteral("request")].toMap()[QStringLiteral("job")].toMap();
        const bool again = args[QStringLiteral("again")].toBool();
        const bool resume = args[QStringLiteral("resume")].toBool();
        const QString act = m_job[QStringLiteral("act")].toString();
        if (act == QLatin1String("refuse") || (again && act == QLatin1String("refuse-again"))) {
            reply.fail({QStringLiteral("job.invalid"), QStringLiteral("The job is not valid."), {}, {}});
            return;
        }
        if (again && act == QLatin1String("die-in-start"))
            std::_Exit(8);
        if (act == QLatin1String("write-and-read")) {
            for (const char *name : {"events.jsonl", "reserve", "coordinator.pem", "frozen.safetensors.aBcDeF"}) {
                QFile file(m_folder + QLatin1Char('/') + QLatin1String(name));
                if (!file.open(QIODevice::WriteOnly))
                    return;
            }
        }
        if (act == QLatin1String("read") || act == QLatin1String("write-and-read") ||
            qEnvironmentVariableIsSet("HEARTH_FAKE_READS")) {
            reply.tellWorking();
            m_reading = reply;  // until somebody ends it
            return;
        }
        QCborMap answer;
        answer[QStringLiteral("fingerprint")] = QString(64, QLatin1Char('a'));
        reply.ok(answer);
        if (again || resume) {
            tell("started", again ? "\"how\":\"again\"" : "\"how\":\"resumed\"");
        } else {
            const QCborMap options = args[QStringLiteral("request")].toMap()[QStringLiteral("options")].toMap();
            const bool measures = options[QStringLiteral("only")] == QLatin1String("measure");
            appendEvent(m_folder, "run",
                        QByteArray(R"("started":"2026-01-01T12:00:00Z","job":{"model":"m","data":"d"})") +
                            (measures ? R"(,"only":"measure")" : ""));
        }
        tell("state", "\"state\":\"training\"");
        perform(act, again);
    }

    void perform(const QString &act, bool again) {
        const bool crashes = act == QLatin1String("die") || act == QLatin1String("refuse-again") ||
                             act == QLatin1String("die-in-start") || (act == QLatin1String("die-once") && !again);
        if (crashes) {
            say("cannot go on");
            QTimer::singleShot(0, [] { std::_Exit(7); });
        } else if (act == QLatin1String("give-up")) {
            const Error why{QStringLiteral("disk.full"), QStringLiteral("There is no space left."), {}, {}};
            m_rpc.notify(QStringLiteral("failed"), why.toCbor());
            QTimer::singleShot(50, [] { std::_Exit(1); });
        } else if (act == QLatin1String("finish")) {
            end("finished");
        } else if (act == QLatin1String("paused") || act == QLatin1String("waiting")) {
            tell("state", "\"state\":\"" + act.toUtf8() + '"');
        } else if (act == QLatin1String("worker")) {
            startProcess();
        }
        // "wait": until somebody ends it.
    }

    QString process() const { return m_job[QStringLiteral("process")].toString(QStringLiteral("worker")); }

    void startProcess() {
        const QCborMap wanted{{QStringLiteral("device"), m_job[QStringLiteral("device")]}};
        m_rpc.call(process() + QStringLiteral(".start"), wanted, std::chrono::seconds(60), this,
                   [this](const Result<QCborMap> &result) {
                       if (result && result->contains(QLatin1String("warning")))
                           warn(Error::fromCbor((*result)[QStringLiteral("warning")].toMap()));
                       const QByteArray text = result ? QByteArray::number((*result)[QStringLiteral("pid")].toInteger())
                                                      : result.error().code.toUtf8();
                       const auto place = [&result](const char *key) -> QByteArray {
                           const QString told = result ? (*result)[QLatin1String(key)].toString() : QString();
                           return QByteArray(",\"") + key + "\":\"" + told.toUtf8() + '"';
                       };
                       tell("worker", "\"worker_pid\":\"" + text + '"' + place("address") + place("for_others"));
                   });
    }

    void warn(const Error &warning) {
        tell("warning", QJsonDocument(warning.toJson()).toJson(QJsonDocument::Compact).chopped(1).mid(1));
    }

    void command(const QCborMap &args) {
        const QString word = args[QStringLiteral("command")].toString();
        const QString device = args[QStringLiteral("device")].toString();
        if (word == QLatin1String("stop"))
            end("stopped");
        else if (word == QLatin1String("evaluate"))
            startProcess();
        else if (word == QLatin1String("pause"))
            m_rpc.notify(process() + QStringLiteral(".stop"),
                         {{QStringLiteral("device"), m_job[QStringLiteral("device")]}});
        else if (word == QLatin1String("leave"))
            tell("left", "\"id\":\"" + device.toUtf8() + '"');
        else if (word == QLatin1String("save") || word == QLatin1String("plan"))
            tell("warning",
                 QJsonDocument(QCborMap{{QStringLiteral("what"), word}, {QStringLiteral("cause"), args}}.toJsonObject())
                     .toJson(QJsonDocument::Compact)
                     .chopped(1)
                     .mid(1));
    }

    void end(const QByteArray &state) {
        tell("state", "\"state\":\"" + state + '"');
        QTimer::singleShot(0, [] { QCoreApplication::exit(0); });
    }

    void tell(const QByteArray &kind, const QByteArray &fields) {
        appendEvent(m_folder, kind, fields);
        m_rpc.notify(QStringLiteral("event"));
    }

    Rpc &m_rpc;
    QString m_folder;
    QCborMap m_job;
    std::optional<Reply> m_reading;
};

void serveWorker(Rpc &rpc) {
    rpc.onNotify(QStringLiteral("card"), [](const QCborMap &args) {
        QFile file(qEnvironmentVariable("HEARTH_FAKE_HEARD"));
        if (file.open(QIODevice::WriteOnly | QIODevice::Append))
            file.write(QJsonDocument(args.toJsonObject()).toJson(QJsonDocument::Compact) + '\n');
    });
    rpc.handle(QStringLiteral("start"), [](const QCborMap &, const Reply &reply) {
        // Written to, for what is only reserved takes no memory.
        static const QByteArray eaten(qEnvironmentVariableIntValue("HEARTH_FAKE_EATS"), 'x');
        QCborMap answer;
        answer[QStringLiteral("fingerprint")] = QString(64, QLatin1Char('b'));
        answer[QStringLiteral("port")] = 4711;
        reply.ok(answer);
    });
}

/// As hearth-coordinator --serve.
void serveData(Rpc &rpc) {
    rpc.handle(QStringLiteral("start"), [](const QCborMap &args, const Reply &reply) {
        // The key tells for which coordinator it was started.
        const QString coordinator = args[QStringLiteral("coordinator")].toString();
        if (coordinator == QString(64, QLatin1Char('e'))) {
            reply.fail({QStringLiteral("data.none"), QStringLiteral("There are no data here."), {}, {}});
            return;
        }
        QCborMap answer;
        answer[QStringLiteral("fingerprint")] = coordinator;
        answer[QStringLiteral("port")] = 4712;
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
    if (act == QLatin1String("chatter")) {
        for (int i = 0; i < 20000; ++i)
            say("libpng warning: iCCP: known incorrect sRGB profile");
        say("the last picture");
        return 3;
    }
    if (act == QLatin1String("exhaust")) {
        endWhereMemoryEnds();
        std::thread([] { (void)Buffer::allocate(qsizetype{1} << 60); }).join();
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
    std::unique_ptr<Coordinator> coordinator;
    if (act == QLatin1String("--serve"))
        serveData(rpc);
    else if (program == QLatin1String("hearth-coordinator"))
        coordinator = std::make_unique<Coordinator>(rpc);
    if (program == QLatin1String("hearth-worker"))
        serveWorker(rpc);
    return app.exec();
}
