// One device through the worker against LibTorch loops: samples per second, medians of interleaved repeats.
// Each contender is a process of its own (allocator and threads are settings of a process); they take turns.
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QProcess>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "bare_loop.h"
#include "core/base/median.h"
#include "core/base/priority.h"
#include "core/model/catalogue.h"
#include "core/model/id_limits.h"
#include "core/model/loss_facts.h"
#include "core/train/memory.h"
#include "core/train/threads.h"
#include "tests/core/train/loopback_home.h"
#ifdef HEARTH_CUDA
#include "core/train/cuda_device.h"
#endif

using namespace hearth;

namespace {

struct Settings {
    QString model;
    Precision precision = Precision::Float32;
    int batch = 128, microBatch = 128, threads = 1, steps = 4, repeats = 9, taken = 0;
    int card = -1;  // the processor
};

constexpr int patientSeconds = 600;  // for a round of a large network on a busy machine

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of all threads of this process: what a busy machine disturbs least.
double processSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Answers every line of standard input with the seconds that `count` steps took, by the clock and of the processor.
void serve(const std::function<void(int)> &steps, int count) {
    char line[16];
    while (std::fgets(line, sizeof line, stdin)) {
        const auto start = std::chrono::steady_clock::now();
        const double cpu = processSeconds();
        steps(count);
        std::printf("%.9f %.9f\n", secondsSince(start), processSeconds() - cpu);
        std::fflush(stdout);
    }
}

void serveBare(const Settings &settings, BareLoop::Style style, bool keepMemory) {
    style.card = settings.card;
    style.precision = settings.card < 0 ? Precision::Float32 : settings.precision;
    if (keepMemory)
        installTensorMemory();
    prepareComputeThread(settings.threads);
    BareLoop loop(*loadModel(settings.model), settings.batch, style);
    const auto steps = [&](int count) {
        for (int i = 0; i < count; ++i)
            loop.step();
    };
    steps(2);
    serve(steps, settings.steps);
}

bool isText(const Model &model) {
    return model.inputs.front().kind == ValueKind::Int64;
}

/// The same on every machine.
quint32 noise(qint64 i) {
    return static_cast<quint32>(i) * 2654435761u >> 8;
}

SampleBatch picturesFor(const Model &model, int size) {
    SampleBatch batch;
    batch.sample = model.inputShape();
    for (qint64 i = 0; i < size * elementCount(batch.sample); ++i)
        batch.images.push_back(static_cast<quint8>(noise(i) >> 16));
    for (int i = 0; i < size; ++i)
        batch.labels.push_back(i % model.classes);
    return batch;
}

/// Every text is as long as can be.
SampleBatch textOf(const Model &model, int size) {
    SampleBatch batch;
    const std::vector<qint64> limits = idLimits(model, 0);
    for (std::size_t i = 0; i < model.inputs.size(); ++i) {
        const Slot slot{DType::Int64, model.inputs[i].shape, false};
        std::vector<qint64> ids;
        for (qint64 j = 0; j < size * slot.elements(); ++j)
            ids.push_back(limits[i] > 0 ? noise(j) % limits[i] : 1);
        batch.parts.push_back({slot, QByteArray(static_cast<const char *>(static_cast<const void *>(ids.data())),
                                                static_cast<qsizetype>(ids.size() * sizeof(qint64)))});
    }
    batch.label = LossFacts::byName(crossEntropyName())->label(model.layers.back().shape.outputs.front().shape).shape;
    for (qint64 i = 0; i < size * elementCount(batch.label); ++i)
        batch.labels.push_back(noise(i) % model.classes);
    return batch;
}

void serveWorker(const Settings &settings) {
    WorkerOptions options;
    options.threads = settings.threads;
#ifdef HEARTH_CUDA
    if (settings.card >= 0) {
        auto device = cudaDevice(settings.card);
        if (!device)
            qFatal("%s", qPrintable(device.error().toString()));
        options.device = *device;
    }
#endif
    const Model model = *loadModel(settings.model);
    LoopbackHome home(1, options);
    const int layers = static_cast<int>(model.layers.size());
    const TestPlan plan{settings.microBatch, {{0, layers, {{0, settings.microBatch}}, 1}}};
    TrainingSpec training;
    training.optimizer.learningRate = 0.01;
    training.precision = settings.precision;
    Deployment deployment = home.deployment(model, plan, settings.batch, training, {});
    if (isText(model))
        deployment.sampleTypes.assign(model.inputs.size(), DType::Int64);
    if (const auto deployed = home.deploy(deployment); !deployed)
        qFatal("%s", qPrintable(deployed.error().toString()));
    const SampleBatch batch = isText(model) ? textOf(model, settings.batch) : picturesFor(model, settings.batch);
    quint32 round = 0;
    const auto steps = [&](int count) {
        // The coordinator keeps inputs two rounds ahead; so does this.
        for (int i = 0; i < count; ++i) {
            home.feed(++round, batch);
            if (i >= 2 && !home.waitForRound(round - 2, patientSeconds))
                qFatal("%s",
                       home.failures.empty() ? "A round did not end." : qPrintable(home.failures.front().toString()));
        }
        if (!home.waitForRound(round, patientSeconds))
            qFatal("%s", home.failures.empty() ? "A round did not end." : qPrintable(home.failures.front().toString()));
    };
    steps(2);
    serve(steps, settings.steps);
}

struct Contender {
    QString role;
    QProcess process;
    std::vector<double> seconds, cpu;

    void measure() {
        process.write("go\n");
        QByteArray line;
        while (!line.endsWith('\n')) {
            if (!process.waitForReadyRead(600000))
                qFatal("%s gave no answer", qPrintable(role));
            line += process.readLine();
        }
        seconds.push_back(line.split(' ').value(0).toDouble());
        cpu.push_back(line.split(' ').value(1).toDouble());
    }
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

Contenders started(const std::vector<std::pair<QString, int>> &rolesAndThreads, const QStringList &arguments) {
    Contenders contenders;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    // As agents start workers.
    environment.insert(QStringLiteral("OMP_WAIT_POLICY"), QStringLiteral("passive"));
    environment.insert(QStringLiteral("OPENBLAS_THREAD_TIMEOUT"), QStringLiteral("4"));
    for (const auto &[role, threads] : rolesAndThreads) {
        auto contender = std::make_unique<Contender>();
        contender->role = role;
        contender->process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        contender->process.setProcessEnvironment(environment);
        contender->process.start(QCoreApplication::applicationFilePath(),
                                 arguments + QStringList{QStringLiteral("--role"), role, QStringLiteral("--threads"),
                                                         QString::number(threads)});
        contenders.push_back(std::move(contender));
    }
    return contenders;
}

/// Other programs hold some of the cores: the worker, whose number of threads follows what it measures, against one of
/// one thread and a loop that always has all.
int compareWithOthers(const Settings &settings, const QStringList &arguments) {
    std::vector<std::unique_ptr<QProcess>> others;
    for (int i = 0; i < settings.taken; ++i) {
        others.push_back(std::make_unique<QProcess>());
        others.back()->start(QCoreApplication::applicationFilePath(),
                             {QStringLiteral("--role"), QStringLiteral("busy")});
    }
    const QString worker = QStringLiteral("worker");
    const Contenders contenders =
        started({{worker, 1}, {QStringLiteral("bare"), settings.threads}, {worker, settings.threads}}, arguments);
    // The worker's number of threads is found in the first rounds of these.
    constexpr int warmUps = 5;
    for (int i = 0; i < warmUps + settings.repeats; ++i) {
        for (const auto &contender : contenders) {
            contender->measure();
            if (i < warmUps)
                contender->seconds.clear();
        }
    }
    const double samples = static_cast<double>(settings.batch) * settings.steps;
    const auto rate = [&](std::size_t which) { return samples / medianOf(contenders[which]->seconds); };
    const double ratio = rate(2) / std::max(rate(0), rate(1));
    constexpr double target = 0.9;
    std::printf("%s, batch %d, beside %d program(s) that compute, %d repeats of %d steps\n", qPrintable(settings.model),
                settings.batch, settings.taken, settings.repeats, settings.steps);
    std::printf("  worker of 1 thread %8.1f samples/s\n  loop of %d threads %8.1f samples/s\n", rate(0),
                settings.threads, rate(1));
    std::printf("  worker of %d threads %8.1f samples/s\n  worker / better of those %.3f (at least %.1f)\n",
                settings.threads, rate(2), ratio, target);
    for (const auto &process : contenders) {
        process->process.closeWriteChannel();
        process->process.waitForFinished();
    }
    for (const auto &other : others) {
        other->kill();
        other->waitForFinished();
    }
    return ratio >= target ? 0 : 1;
}

int compare(const Settings &settings, const QStringList &arguments) {
    const int threads = settings.threads;
    const Contenders contenders = started(
        {{QStringLiteral("plain"), threads}, {QStringLiteral("bare"), threads}, {QStringLiteral("worker"), threads}},
        arguments);
    for (auto &contender : contenders)
        contender->measure();  // builds and warms up
    for (auto &contender : contenders) {
        contender->seconds.clear();
        contender->cpu.clear();
    }
    for (int i = 0; i < settings.repeats; ++i) {
        for (auto &contender : contenders)
            contender->measure();
    }
    const double samples = static_cast<double>(settings.batch) * settings.steps;
    std::printf("%s, batch %d, %d thread(s), micro-batches of %d in the worker, %d repeats of %d steps\n",
                qPrintable(settings.model), settings.batch, settings.threads, settings.microBatch, settings.repeats,
                settings.steps);
    for (const auto &contender : contenders) {
        const auto [least, most] = std::minmax_element(contender->seconds.begin(), contender->seconds.end());
        std::printf("  %-7s %8.1f samples/s (%.1f to %.1f), %7.1f per processor second\n", qPrintable(contender->role),
                    samples / medianOf(contender->seconds), samples / *most, samples / *least,
                    samples / medianOf(contender->cpu));
    }
    const auto ratio = [&](std::size_t other, std::vector<double> Contender::*what) {
        return medianOf(*contenders[other].*what) / medianOf(*contenders[2].*what);
    };
    const double toBare = ratio(1, &Contender::seconds), toPlain = ratio(0, &Contender::seconds);
    // Small batches leave less to gain: the operators' fixed costs weigh more.
    const bool onCard = settings.card >= 0;
    const double bareTarget = onCard ? 0.95 : 0.98, plainTarget = onCard ? 0.95 : settings.batch < 128 ? 1.2 : 1.8;
    std::printf("  worker / best bare loop %.3f (at least %.2f; by processor time %.3f)\n", toBare, bareTarget,
                ratio(1, &Contender::cpu));
    std::printf("  worker / plain loop %.2f (at least %.1f; by processor time %.2f)\n", toPlain, plainTarget,
                ratio(0, &Contender::cpu));
    for (auto &contender : contenders) {
        contender->process.closeWriteChannel();
        contender->process.waitForFinished();
    }
    return toBare >= bareTarget && toPlain >= plainTarget ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    const auto number = [&](const char *name, int value) {
        parser.addOption({QLatin1String(name), QString(), QStringLiteral("n"), QString::number(value)});
    };
    Settings settings;
    parser.addOption({QStringLiteral("model"), QString(), QStringLiteral("name"), QStringLiteral("mobilenetv2")});
    parser.addOption(
        {QStringLiteral("role"), QStringLiteral("plain, bare or worker: be that contender."), QStringLiteral("name")});
    parser.addOption({QStringLiteral("precision"), QStringLiteral("Of the worker."), QStringLiteral("name"),
                      precisionName(settings.precision)});
    number("batch", settings.batch);
    number("micro-batch", 0);
    number("threads", settings.threads);
    number("steps", settings.steps);
    number("repeats", settings.repeats);
    number("taken", settings.taken);
    number("card", settings.card);
    parser.process(app);
    settings.model = parser.value(QStringLiteral("model"));
    settings.batch = parser.value(QStringLiteral("batch")).toInt();
    settings.microBatch = parser.value(QStringLiteral("micro-batch")).toInt();
    settings.threads = parser.value(QStringLiteral("threads")).toInt();
    const auto precision = precisionFromName(parser.value(QStringLiteral("precision")));
    settings.precision = precision.value_or(Precision::Float32);
    settings.steps = parser.value(QStringLiteral("steps")).toInt();
    settings.repeats = parser.value(QStringLiteral("repeats")).toInt();
    settings.taken = parser.value(QStringLiteral("taken")).toInt();
    settings.card = parser.value(QStringLiteral("card")).toInt();
    if (settings.microBatch == 0)
        settings.microBatch = settings.batch;
    if (const auto model = loadModel(settings.model);
        !model || !precision || settings.batch < 1 || settings.steps < 1 || settings.repeats < 1)
        return std::fprintf(stderr, "%s\n", model ? "Numbers start at 1." : qPrintable(model.error().toString())), 2;
    const QString role = parser.value(QStringLiteral("role"));
    if (role == QLatin1String("busy")) {
        std::atomic<unsigned> spun = 0;
        for (;;)
            ++spun;
    }
    if (!role.isEmpty())
        lowerPriority(threadsOfProcess(), trainingNice);  // as a worker does
    if (role == QLatin1String("plain"))
        serveBare(settings, {}, false);
    else if (role == QLatin1String("bare"))
        serveBare(settings, {true, true}, true);
    else if (role == QLatin1String("worker"))
        serveWorker(settings);
    else if (settings.taken > 0)
        return compareWithOthers(settings, app.arguments().mid(1));
    else
        return compare(settings, app.arguments().mid(1));
    std::fflush(stdout);
    std::_Exit(0);
}
