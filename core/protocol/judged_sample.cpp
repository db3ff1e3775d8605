#include "core/protocol/judged_sample.h"

#include <algorithm>
#include <cmath>

#include "core/base/cbor.h"
#include "core/protocol/evaluation_details.h"

namespace hearth {
namespace {

constexpr qsizetype numbersOfSample = 6;
constexpr qint64 mostWatched = 8;

bool isClass(double number) {
    return number >= 0 && number < EvaluationDetails::mostClasses && number == std::floor(number);
}

bool isSound(const JudgedSample &one) {
    const bool isCertain = std::isnan(one.certainty) || (one.certainty >= 0 && one.certainty <= 1);
    return one.sample >= 0 && isCertain && (!one.isWrong || (isClass(one.label) && isClass(one.answer)));
}

double rank(double loss) {
    return std::isnan(loss) ? std::numeric_limits<double>::infinity() : loss;
}

}  // namespace

QJsonArray JudgedSample::toJson() const {
    QJsonArray numbers{sample};
    for (const double number : {loss, label, answer, certainty})
        numbers.append(std::isfinite(number) ? QJsonValue(number) : QJsonValue());
    numbers.append(isWrong);
    return numbers;
}

std::optional<JudgedSample> JudgedSample::fromJson(const QJsonArray &numbers) {
    const auto number = [&numbers](int i) { return numbers[i].toDouble(none); };
    const JudgedSample read{numbers[0].toInteger(-1), number(1), number(2), number(3), number(4), numbers[5].toBool()};
    return numbers.size() == numbersOfSample && isSound(read) ? std::optional(read) : std::nullopt;
}

QCborArray JudgedSample::toCbor(const std::vector<JudgedSample> &samples) {
    QCborArray numbers;
    for (const JudgedSample &one : samples) {
        numbers.append(one.sample);
        for (const double number : {one.loss, one.label, one.answer, one.certainty})
            numbers.append(number);
        numbers.append(one.isWrong);
    }
    return numbers;
}

Result<std::vector<JudgedSample>> JudgedSample::fromCbor(const QCborArray &numbers) {
    std::vector<JudgedSample> samples;
    bool sound = numbers.size() % numbersOfSample == 0;
    for (qsizetype i = 0; sound && i < numbers.size(); i += numbersOfSample) {
        samples.push_back({integerOf(numbers[i], -1), numbers[i + 1].toDouble(none), numbers[i + 2].toDouble(none),
                           numbers[i + 3].toDouble(none), numbers[i + 4].toDouble(none), numbers[i + 5].toBool()});
        sound = isSound(samples.back());
    }
    if (!sound) {
        return fail(QStringLiteral("run.bad-report"), sentence("The worker reports what nobody asked for."),
                    sentence("What it says of single samples makes no sense."),
                    sentence("Install the same version of Hearth on every device."));
    }
    return samples;
}

bool isHarder(const JudgedSample &a, const JudgedSample &b) {
    const double first = rank(a.loss), second = rank(b.loss);
    return first != second ? first > second : a.sample < b.sample;
}

bool isWatched(qint64 sample, qint64 samples) {
    const qint64 watched = std::min(mostWatched, samples);
    // The first sample of each of as many equal parts.
    return watched > 0 && (sample == 0 || sample * watched / samples != (sample - 1) * watched / samples);
}

std::vector<JudgedSample> worthTelling(std::vector<JudgedSample> judged, qint64 total) {
    const auto hardest = std::min(judged.size(), EvaluationDetails::mostHardest);
    std::partial_sort(judged.begin(), judged.begin() + static_cast<std::ptrdiff_t>(hardest), judged.end(), isHarder);
    const auto rest =
        std::remove_if(judged.begin() + static_cast<std::ptrdiff_t>(hardest), judged.end(),
                       [total](const JudgedSample &one) { return !one.isWrong && !isWatched(one.sample, total); });
    judged.erase(rest, judged.end());
    return judged;
}

}  // namespace hearth
