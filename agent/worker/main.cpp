// hearth-worker: computes its part of one run, and dies alone. Started by hearth-agent; nothing but the protocol goes
// to standard output.
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFile>
#include <csignal>
#include <cstdlib>

#include "answer_program.h"
#include "core/base/core_dumps.h"
#include "core/base/no_memory.h"
#include "core/base/terminal.h"
#include "core/base/version.h"
#include "core/train/memory.h"
#include "core/wire/listen_place.h"
#include "worker_program.h"
#ifdef HEARTH_ON_CARDS
#include <QJsonDocument>

#include "core/train/cuda_device.h"
#endif

namespace {

constexpr int wrongUsage = 2;

int usage(const QString &text) {
    hearth::writeLine(stderr, QStringLiteral("hearth-worker: ") + text);
    return wrongUsage;
}

/// When memory runs out, the kernel should end this process, however small, not the agent or the person's programs.
void volunteerForOutOfMemory() {
    QFile file(QStringLiteral("/proc/self/oom_score_adj"));
    if (file.open(QIODevice::WriteOnly))
        file.write("1000");
}

#ifdef HEARTH_ON_CARDS
constexpr int noCard = 4;

/// What the agent asks before it starts a run.
int listCards() {
    hearth::writeLine(
        stdout, QString::fromUtf8(QJsonDocument(hearth::findCudaCards().toJson()).toJson(QJsonDocument::Compact)));
    return 0;
}
#endif

/// Before the libraries begin, LibTorch among them, which takes memory of its own: the executable's first word.
[[gnu::section(".preinit_array"), gnu::used]] void (*whereMemoryEnds)() = &hearth::endWhereMemoryEnds;

}  // namespace

int main(int argc, char **argv) {
    hearth::cleanLog();
    // Ctrl-C in a terminal reaches the whole process group; this process ends when its agent wants it to.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    volunteerForOutOfMemory();
    hearth::leaveNoCoreDumps();
    hearth::installTensorMemory();
    QCoreApplication app(argc, argv);
    app.setApplicationName(QStringLiteral("hearth-worker"));
    hearth::setProgramVersion();

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Computes one device's part of a run. Started by hearth-agent."));
    const QCommandLineOption run(QStringLiteral("run"), QStringLiteral("Id of the run."), QStringLiteral("id"));
    const QCommandLineOption threads(QStringLiteral("threads"), QStringLiteral("Threads that compute."),
                                     QStringLiteral("count"), QStringLiteral("1"));
    const QCommandLineOption memory(QStringLiteral("memory"), QStringLiteral("Bytes it may use; 0 = no limit."),
                                    QStringLiteral("bytes"), QStringLiteral("0"));
    const QCommandLineOption listen(QStringLiteral("listen"), QStringLiteral("Address to listen on."),
                                    QStringLiteral("address"), QStringLiteral("::"));
    const QCommandLineOption ports(QStringLiteral("ports"), QStringLiteral("Ports to choose from; 0-0 = any."),
                                   QStringLiteral("first-last"), QStringLiteral("47601-47632"));
    const QCommandLineOption fabric(QStringLiteral("trusted-fabric"),
                                    QStringLiteral("Gradients may go over the network without encryption."));
    const QCommandLineOption answer(QStringLiteral("answer"),
                                    QStringLiteral("Answer with a trained network, without a run."));
    parser.addOptions({run, threads, memory, listen, ports, fabric, answer});
#ifdef HEARTH_ON_CARDS
    const QCommandLineOption cards(QStringLiteral("cards"), QStringLiteral("List the cards that it can compute on."));
    const QCommandLineOption card(QStringLiteral("card"), QStringLiteral("The card to compute on."),
                                  QStringLiteral("index"), QStringLiteral("0"));
    parser.addOptions({cards, card});
#endif
    parser.addHelpOption();
    parser.addVersionOption();
    parser.process(app);

    hearth::WorkerProgramOptions options;
#ifdef HEARTH_ON_CARDS
    if (parser.isSet(cards))
        return listCards();
    bool cardOk = false;
    const int index = parser.value(card).toInt(&cardOk);
    if (!cardOk || index < 0)
        return usage(QStringLiteral("--card takes a number from 0."));
#endif
    bool threadsOk = false, memoryOk = false;
    options.worker.run = parser.value(run);
    options.worker.threads = parser.value(threads).toInt(&threadsOk);
    options.worker.memoryBytes = parser.value(memory).toLongLong(&memoryOk);
    options.worker.trustsFabric = parser.isSet(fabric);
    options.listen = hearth::listenAddressOf(parser.value(listen));
    if (options.worker.run.isEmpty() && !parser.isSet(answer))
        return usage(QStringLiteral("--run is needed; this program is started by hearth-agent."));
    if (!threadsOk || options.worker.threads < 1 || options.worker.threads > 1024)
        return usage(QStringLiteral("--threads takes a number from 1 to 1024."));
    if (!memoryOk || options.worker.memoryBytes < 0)
        return usage(QStringLiteral("--memory takes a number of bytes."));
    if (options.listen.isNull())
        return usage(QStringLiteral("--listen takes an address."));
    const auto range = hearth::PortRange::of(parser.value(ports));
    if (!range)
        return usage(QStringLiteral("--ports takes a range such as 47601-47632."));
    options.ports = *range;

    // There is nothing to save, and the compute thread may be in the middle of a long step: leave at once, without
    // the destructors of LibTorch's libraries.
    const auto leave = [](int status) {
        std::fflush(stderr);
        std::_Exit(status);
    };
    if (parser.isSet(answer)) {
        hearth::AnswerProgram program(options.worker.threads);
        QObject::connect(&program, &hearth::AnswerProgram::parentGone, &app, [leave] { leave(0); });
        return app.exec();
    }
#ifdef HEARTH_ON_CARDS
    auto device = hearth::cudaDevice(index);
    if (!device) {
        hearth::writeLine(stderr, QStringLiteral("hearth-worker: ") + device.error().toString());
        leave(noCard);
    }
    options.worker.device = std::move(*device);
#endif
    hearth::WorkerProgram program(options);
    QObject::connect(&program, &hearth::WorkerProgram::finished, &app, leave);
    QObject::connect(&program, &hearth::WorkerProgram::agentGone, &app, [leave] { leave(0); });
    return app.exec();
}
