#include "core/protocol/evaluation_tally.h"

#include <QCborArray>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/cbor.h"

namespace hearth {
namespace {

const QString correctKey = QStringLiteral("correct"), lossKey = QStringLiteral("loss_sum"),
              fiveKey = QStringLiteral("among_five"), distancesKey = QStringLiteral("distances"),
              classesKey = QStringLiteral("classes");
constexpr int numbersOfClass = 4;
constexpr qint64 mostTallied = qint64{1} << 40;  // of one report: sums of a million do not overflow

bool isCount(qint64 number) {
    return number >= 0 && number <= mostTallied;
}

double f1Of(const EvaluationTally::OfClass &each) {
    return 2.0 * static_cast<double>(each.right) / static_cast<double>(each.answered + each.labelled);
}

std::optional<double> f1Of(const std::map<int, EvaluationTally::OfClass> &classes, bool second) {
    if (second) {
        const auto found = classes.find(1);
        return found == classes.end() ? 0.0 : f1Of(found->second);
    }
    double sum = 0;
    for (const auto &[number, each] : classes)
        sum += f1Of(each);
    return classes.empty() ? std::nullopt : std::optional(sum / static_cast<double>(classes.size()));
}

}  // namespace

void EvaluationTally::add(const EvaluationTally &part) {
    lossSum += part.lossSum;
    correct += part.correct;
    if (part.amongFive)
        amongFive = amongFive.value_or(0) + *part.amongFive;
    if (part.distances)
        distances = distances.value_or(0) + *part.distances;
    for (const auto &[number, each] : part.classes) {
        OfClass &own = classes[number];
        own.right += each.right;
        own.answered += each.answered;
        own.labelled += each.labelled;
    }
}

QCborMap EvaluationTally::toCbor() const {
    QCborMap map{{correctKey, correct}, {lossKey, lossSum}};
    if (amongFive)
        map[fiveKey] = *amongFive;
    if (distances)
        map[distancesKey] = *distances;
    QCborArray numbers;
    for (const auto &[number, each] : classes) {
        for (const qint64 value : {qint64{number}, each.right, each.answered, each.labelled})
            numbers.append(value);
    }
    if (!numbers.isEmpty())
        map[classesKey] = numbers;
    return map;
}

Result<EvaluationTally> EvaluationTally::fromCbor(const QCborMap &map) {
    EvaluationTally tally;
    tally.correct = integerOf(map[correctKey], -1);
    tally.lossSum = map[lossKey].toDouble();
    if (map.contains(fiveKey))
        tally.amongFive = integerOf(map[fiveKey], -1);
    if (map.contains(distancesKey))
        tally.distances = map[distancesKey].toDouble();
    const QCborArray numbers = map[classesKey].toArray();
    bool sound = isCount(tally.correct) && isCount(tally.amongFive.value_or(0)) &&
                 numbers.size() % numbersOfClass == 0 && numbers.size() <= qsizetype{numbersOfClass} * mostClasses;
    for (qsizetype i = 0; sound && i < numbers.size(); i += numbersOfClass) {
        const qint64 number = integerOf(numbers[i], -1);
        const OfClass each{integerOf(numbers[i + 1], -1), integerOf(numbers[i + 2], -1), integerOf(numbers[i + 3], -1)};
        sound = number >= 0 && number < mostClasses && isCount(each.right) && isCount(each.answered) &&
                isCount(each.labelled) && each.right <= std::min(each.answered, each.labelled) &&
                each.answered + each.labelled > 0;
        tally.classes[static_cast<int>(number)] = each;
    }
    if (!sound) {
        return fail(QStringLiteral("run.bad-report"), sentence("The worker reports what nobody asked for."),
                    sentence("The numbers of an evaluation make no sense."),
                    sentence("Install the same version of Hearth on every device."));
    }
    return tally;
}

EvaluationScores EvaluationScores::of(const LossFacts &loss, const Shape &output, const EvaluationTally &tally,
                                      qint64 counted, double deviation) {
    const auto part = [&](auto sum) { return static_cast<double>(sum) / static_cast<double>(counted); };
    EvaluationScores scores{part(tally.lossSum), part(tally.correct)};
    if (tally.amongFive)
        scores.top5 = part(*tally.amongFive);
    switch (loss.answers) {
        case LossFacts::Answers::Classes:
            if (output.back() <= EvaluationTally::mostClasses)
                scores.f1 = f1Of(tally.classes, output.back() == 2);
            if (!loss.label(output).shape.empty())
                scores.perplexity = std::exp(scores.loss);
            break;
        case LossFacts::Answers::YesOrNo:
            scores.f1 = f1Of(tally.classes, true);
            break;
        case LossFacts::Answers::Numbers:
            scores.accuracy = std::numeric_limits<double>::quiet_NaN();
            scores.meanAbsoluteError = deviation * part(tally.distances.value_or(0));
            break;
    }
    return scores;
}

}  // namespace hearth
