// history ROUNDS FOLDER: what a run of so many rounds costs History. Writes the run to FOLDER (1 kB a round, as three
// devices tell it), indexes it, and asks for its details and its tables. One JSON object per line.
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTextStream>

#include "core/history/run_index.h"
#include "core/run/job.h"

using namespace hearth;

namespace {

void writeRun(const QString &folder, int rounds) {
    QDir().mkpath(folder);
    QFile file(folder + QStringLiteral("/events.jsonl"));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(file.fileName()));
    quint64 seq = 0;
    const auto add = [&](double t, const RunEventBody &body) { file.write(eventLine(++seq, t, body) + '\n'); };
    add(0, event::Run{QStringLiteral("long"), QStringLiteral("2026-11-20T09:00:00Z"), Job().toJson(), {}});
    QStringList ids;
    for (const char letter : {'a', 'b', 'c'}) {
        ids << QString(64, QLatin1Char(letter));
        add(0, event::Device{
                   ids.constLast(), QStringLiteral("device-%1").arg(QLatin1Char(letter)), QStringLiteral("ready"), {}});
    }
    add(1, event::State{QStringLiteral("training")});
    event::Round round;
    round.roundS = 0.4;
    round.predictedRoundS = 0.41;
    round.samplesPerS = 312;
    for (const QString &id : std::as_const(ids)) {
        round.devices[id] = {0.31, 0.05, 0.021, 0.013, 0.011, 0.012, 160000000};
        round.links.push_back({ids.constFirst(), id, 123456});
    }
    for (int i = 1; i <= rounds; ++i) {
        round.round = i;
        round.version = static_cast<quint64>(i);
        round.loss = 0.2 + 2.1 / (1 + i * 1e-3) + 0.05 * (i * 7919 % 101) / 101.0;
        add(1 + i * 0.4, round);
        if (i % 1000 == 0)
            add(1 + i * 0.4, event::Evaluation{i, 0.9, 0.3});
    }
}

/// Says how long it took; an error ends the program.
template <class Work>
void measure(const char *what, const Work &work) {
    QElapsedTimer clock;
    clock.start();
    const auto result = work();
    if (!result)
        qFatal("%s", qPrintable(result.error().toString()));
    QTextStream(stdout) << "{\"what\":\"" << what << "\",\"ms\":" << static_cast<double>(clock.nsecsElapsed()) / 1e6
                        << "}" << Qt::endl;
}

}  // namespace

int main(int argc, char **argv) {
    const QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const int rounds = arguments.value(1).toInt();
    if (arguments.size() != 3 || rounds < 1) {
        QTextStream(stderr) << "Usage: history ROUNDS FOLDER" << Qt::endl;
        return 2;
    }
    const QString folder = arguments.at(2), runs = folder + QStringLiteral("/runs");
    writeRun(runs + QStringLiteral("/long"), rounds);
    QFile::remove(folder + QStringLiteral("/history.sqlite"));
    RunIndex index;
    measure("make the index", [&] { return index.open(folder + QStringLiteral("/history.sqlite")); });
    measure("read all events", [&] { return index.update({runs}); });
    measure("look again", [&] { return index.update({runs}); });
    measure("list", [&] { return index.list(); });
    measure("open the run", [&] { return index.details(QStringLiteral("long")); });
    const auto write = [&](RunExport form) {
        return index.exportRuns(form, {QStringLiteral("long")}, folder + QStringLiteral("/rounds.csv"));
    };
    measure("export its rounds", [&] { return write(RunExport::Rounds); });
    measure("export what its devices did", [&] { return write(RunExport::Devices); });
    RunIndex again;
    measure("open the index again", [&] { return again.open(folder + QStringLiteral("/history.sqlite")); });
    return 0;
}
