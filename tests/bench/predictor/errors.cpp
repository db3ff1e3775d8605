// Errors of predicted times, device and network both held out: `predictor_errors FILE…`, files of predictor_times named
// DEVICE.REPEAT.jsonl. Knowledge comes from the other devices and the other networks; a reference is another device
// that measured the network; "timed" are devices that measured the benchmark network, "strange" ones did not. What is
// measured is read from the second measurement, errors are counted against the first. Where the machine's speed changes
// between the two, that is in all errors; "read from what it is judged by" leaves it out.
#include <cstdio>

#include "contenders.h"
#include "core/model/catalogue.h"
#include "figures.h"
#include "planned_longer.h"

using namespace hearth;
using namespace hearth::bench;

namespace {

constexpr int usualProbes = 8;

Held held(const Timings &timings, const QString &network, const QString &device, const QStringList &unknown = {}) {
    const CasesOfNetwork &cases = timings.networks.at(network);
    Held one{timings.models.at(network), device, cases.at(device), {}};
    for (const auto &[other, their] : cases) {
        if (other != device && !unknown.contains(other))
            one.references.emplace_back(other, &their.first);
    }
    return one;
}

Held withoutReferences(Held one) {
    one.references.clear();
    return one;
}

/// Calls `each` with the name of the network, the one that is held out, and what is known without it.
template <class Each>
void forAll(const Timings &timings, const Each &each) {
    for (const auto &[network, cases] : timings.networks) {
        for (const auto &[device, own] : cases)
            each(network, held(timings, network, device), knowledgeWithout(timings, {device}, network));
    }
}

void measureAgain(const Timings &timings) {
    Errors again;
    forAll(timings,
           [&](const QString &, const Held &one, const Knowledge &) { again.count(one.own.second, one.own.first); });
    again.print("the measurement again");
}

void oneFactor(const Timings &timings) {
    Errors ofRoofline, ofReference;
    forAll(timings, [&](const QString &, const Held &one, const Knowledge &knowledge) {
        const Case &own = one.own;
        const TimesPredictor predictor(one.model, DType::Float32, own.first.batch, std::nullopt,
                                       knowledge.prior(false));
        const auto probes = predictor.probes(usualProbes);
        ofRoofline.count(scaled(roofline(one.model, own.first.batch), own, probes), own.first);
        for (const auto &[other, times] : one.references)
            ofReference.count(scaled(*times, own, probes), own.first);
    });
    ofRoofline.print("roofline x one factor, 8 probes");
    ofReference.print("reference x C_i (FTPipeHD), 8 probes");
}

void unseen(const Timings &timings) {
    Errors strange, strangeAlone, timed, timedAlone, known;
    Told told, toldAlone;
    forAll(timings, [&](const QString &network, const Held &one, Knowledge knowledge) {
        const Held alone = withoutReferences(one);
        const TimeTable &real = one.own.first;
        strangeAlone.count(predictUnseen(alone, knowledge), real);
        strange.count(predictUnseen(one, knowledge), real);
        learnBenchmark(knowledge, timings, one.device, timings.benchmark.at(one.device).second);
        const TimeTable byAll = predictUnseen(one, knowledge), byItself = predictUnseen(alone, knowledge);
        timed.count(byAll, real);
        told.count(byAll, real);
        timedAlone.count(byItself, real);
        toldAlone.count(byItself, real);
        known.count(predictUnseen(one, knowledgeWithout(timings, {}, network)), real);
    });
    strangeAlone.print("strange device, no reference, 0 probes");
    strange.print("strange device, 0 probes");
    timedAlone.print("timed device, no reference, 0 probes");
    timed.print("timed device, 0 probes");
    known.print("device known by all networks, 0 probes");
    told.print("  0 probes");
    toldAlone.print("  0 probes, no reference");
}

void byProbes(const Timings &timings) {
    std::map<int, Errors> chosen, alone;
    std::map<QString, Errors> apart;  // of the usual number, by device and by network
    Errors random;
    forAll(timings, [&](const QString &network, const Held &one, const Knowledge &knowledge) {
        const auto count = [&](Errors &errors, const Held &by, const Choose &choose) {
            const TimeTable times = predictByProbes(by, knowledge, choose);
            errors.count(times, one.own.first, times.error);
        };
        for (const int many : {4, usualProbes, 16}) {
            count(chosen[many], one, greedy(many));
            count(alone[many], withoutReferences(one), greedy(many));
        }
        count(apart[one.device], one, greedy(usualProbes));
        count(apart[network], one, greedy(usualProbes));
        for (unsigned seed = 1; seed <= 5; ++seed) {
            count(random, one, [&](const TimesPredictor &predictor) {
                return randomUnits(predictor.layerCount(), one.own.first.batch.size(), usualProbes, seed);
            });
        }
    });
    for (const auto &[many, errors] : alone)
        errors.print(qPrintable(QStringLiteral("predictor, no reference, %1 probes").arg(many)));
    for (const auto &[many, errors] : chosen)
        errors.print(qPrintable(QStringLiteral("predictor, %1 probes").arg(many)));
    random.print("predictor, 8 random probes");
    for (const auto &[name, errors] : apart)
        errors.print(qPrintable(QStringLiteral("8 probes, ") + name));
}

/// What a new device does to predictions for old ones: known ones without probes, unknown ones by probes.
void newcomers(const Timings &timings) {
    Errors before, after, knownBefore, knownAfter;
    for (const auto &[network, cases] : timings.networks) {
        for (const auto &[device, own] : cases) {
            for (const auto &[newcomer, its] : cases) {
                if (newcomer == device)
                    continue;
                const Held one = held(timings, network, device, {newcomer});
                const auto count = [&, network = network, &real = own.first](Errors &errors,
                                                                             const QStringList &without) {
                    const TimeTable times =
                        predictByProbes(one, knowledgeWithout(timings, without, network), greedy(usualProbes));
                    errors.count(times, real, times.error);
                };
                count(before, {device, newcomer});
                count(after, {device});
                knownBefore.count(predictUnseen(one, knowledgeWithout(timings, {newcomer}, network)), own.first);
                knownAfter.count(predictUnseen(held(timings, network, device), knowledgeWithout(timings, {}, network)),
                                 own.first);
            }
        }
    }
    before.print("8 probes, before another device is known");
    after.print("8 probes, after it is known");
    knownBefore.print("known device, before another one is known");
    knownAfter.print("known device, after it is known");
}

/// As a run measures a device that is new to a network that is new; then what plans on that cost.
void inBrief(const Timings &timings) {
    Errors timed, alone, same, strange;
    Told told, toldAlone, toldSame;
    PredictedTables again, brief, briefSame, briefStrange, guess;
    forAll(timings, [&](const QString &network, const Held &one, const Knowledge &knowledge) {
        const Held by = withoutReferences(one);
        const Case &own = one.own, &benchmark = timings.benchmark.at(one.device);
        Knowledge more = knowledge, moreSame = knowledge;
        learnBenchmark(more, timings, one.device, benchmark.second);
        learnBenchmark(moreSame, timings, one.device, benchmark.first);
        const auto count = [&](Errors &errors, Told *said, const TimeTable &times) {
            errors.count(times, own.first, times.error);
            if (said)
                said->count(times, own.first);
            return times;
        };
        again[network][one.device] = own.second;
        count(timed, &told, predictInBrief(one, more, own.second));
        brief[network][one.device] = count(alone, &toldAlone, predictInBrief(by, more, own.second));
        briefSame[network][one.device] = count(same, &toldSame, predictInBrief(by, moreSame, own.first));
        guess[network][one.device] = predictUnseen(by, moreSame);
        briefStrange[network][one.device] = count(strange, nullptr, predictInBrief(by, knowledge, own.first));
    });
    timed.print("timed device, one pass, 4 probes");
    alone.print("likewise, no reference");
    same.print("likewise, read from what it is judged by");
    strange.print("likewise, but a strange device");
    told.print("  in brief");
    toldAlone.print("  in brief, no reference");
    toldSame.print("  likewise, read from what it is judged by");
    std::printf("rounds of homes of three devices, longer than by plans on whole profiles (median, p90):\n");
    const struct {
        const char *name;
        const PredictedTables &tables;
        int corrections;
    } all[] = {{"on the measurement again", again, 0},
               {"in brief, no reference", brief, 0},
               {"likewise, read from what they are judged by", briefSame, 0},
               {"likewise, but strange devices", briefStrange, 0},
               {"on guesses: 0 probes, no reference", guess, 0},
               {"likewise, put right by rounds", guess, 1},
               {"likewise, twice", guess, 2}};
    for (const auto &[name, tables, corrections] : all) {
        const std::vector<double> longer = plannedLonger(timings, tables, corrections);
        std::printf("  %-44s %5.1f %5.1f   (%zu homes)\n", name, quantile(longer, 0.5), quantile(longer, 0.9),
                    longer.size());
    }
}

}  // namespace

int main(int argc, char **argv) {
    const Timings timings = readTimings(argc - 1, argv + 1);
    std::size_t pairs = 0;
    for (const auto &[network, cases] : timings.networks)
        pairs += cases.size();
    if (timings.networks.size() < 2 || pairs < 4 || timings.benchmark.size() < 2) {
        std::fprintf(stderr, "Usage: predictor_errors FILE…, of the benchmark network, two others and two devices\n");
        return 2;
    }
    std::printf("%zu networks, %zu pairs of network and device; errors in %%\n", timings.networks.size(), pairs);
    printHeading();
    measureAgain(timings);
    oneFactor(timings);
    unseen(timings);
    byProbes(timings);
    newcomers(timings);
    inBrief(timings);
    return 0;
}
