// A pipeline of a card and a processor: one round, span by span, and what of it the card computes.
#include <QCommandLineParser>
#include <QCoreApplication>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/model/catalogue.h"
#include "core/train/cuda_device.h"
#include "tests/core/train/loopback_home.h"

using namespace hearth;

namespace {

constexpr quint32 rounds = 8;  // the last one is told

SampleBatch pictures(const Model &model, int size) {
    SampleBatch batch = syntheticBatch(size, model.classes, 1);
    batch.sample = model.inputShape();
    batch.images.resize(static_cast<std::size_t>(size * elementCount(batch.sample)));
    for (std::size_t i = 0; i < batch.images.size(); ++i)
        batch.images[i] = static_cast<quint8>(i * 2654435761u >> 24);
    return batch;
}

void tell(const char *device, const RoundTrace &trace, qint64 began) {
    for (const TraceSpan &span : trace.spans) {
        std::printf("%-9s  %-16s  %3s  %8.3f  %8.3f\n", device, qPrintable(activityName(span.activity)),
                    span.microBatch < 0 ? "" : qPrintable(QString::number(span.microBatch)),
                    static_cast<double>(span.start - began) * 1e-6, static_cast<double>(span.end - began) * 1e-6);
    }
}

}  // namespace

int main(int argc, char **argv) {
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    const QCommandLineOption network(QStringLiteral("model"), QString(), QStringLiteral("name"),
                                     QStringLiteral("mobilenetv2")),
        cut(QStringLiteral("cut"), QStringLiteral("Layers before it are the card's."), QStringLiteral("layer"),
            QStringLiteral("16")),
        samples(QStringLiteral("micro-batch"), QString(), QStringLiteral("n"), QStringLiteral("32"));
    parser.addOptions({network, cut, samples});
    parser.process(app);
    const auto model = loadModel(parser.value(network));
    const auto card = cudaDevice(0);
    if (!model || !card)
        return std::fprintf(stderr, "%s\n", qPrintable((model ? card.error() : model.error()).toString())), 2;
    const int layers = static_cast<int>(model->layers.size()), border = parser.value(cut).toInt();
    const int microBatch = parser.value(samples).toInt(), batch = 8 * microBatch;
    if (border < 1 || border >= layers || microBatch < 1)
        return std::fprintf(stderr, "The cut lies between the layers 1 and %d.\n", layers - 1), 2;
    std::vector<WorkerOptions> options(2);
    options[0].device = *card;
    options[1].threads = 4;
    LoopbackHome home(options);
    const TestPlan plan{microBatch, {{0, border, {{0, microBatch}}, 3}, {border, layers, {{1, microBatch}}, 1}}};
    Deployment deployment = home.deployment(*model, plan, batch, {}, {});
    deployment.trace = true;
    if (const auto deployed = home.deploy(deployment); !deployed)
        return std::fprintf(stderr, "%s\n", qPrintable(deployed.error().toString())), 1;
    const SampleBatch all = pictures(*model, batch);
    for (quint32 r = 1; r <= rounds; ++r) {
        home.feed(r, all);
        if (!home.waitForRound(r))
            return std::fprintf(stderr, "Round %u does not end.\n", r), 1;
    }
    const RoundTrace &first = home.traces.at({0, rounds}), &second = home.traces.at({1, rounds});
    std::printf("device     what              micro      from ms   until ms\n");
    tell("card", first, first.spans.front().start);
    tell("processor", second, first.spans.front().start);
    for (const RoundReport &report : home.reports(rounds))
        std::printf("computes %.1f ms, waits %.1f ms\n", 1e3 * report.computeSeconds,
                    1e3 * (report.waitForwardSeconds + report.waitBackwardSeconds));
    std::fflush(stdout);
    std::_Exit(0);
}
