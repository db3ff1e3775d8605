#include "core/predict/knowledge.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

/// Standard deviations where no pair is known: two devices differ by a factor of e, kinds by less, the rest bends it.
/// The made-up device is a worse reference.
WeightBelief broad(bool againstDevice) {
    WeightBelief weights;
    for (std::size_t i = 0; i < featureCount; ++i) {
        const bool isShare = i >= 1 && i <= workKinds, isBent = i > workKinds;
        const double deviation = isShare ? 0.5 : isBent ? 0.15 : 1.0;
        weights.covariance[i][i] = std::pow(againstDevice ? deviation : 2 * deviation, 2);
    }
    return weights;
}

constexpr double usualNoise = 0.03;  // 17 %: a measurement that is repeated differs by 10
/// So many pairs weigh as much as broad().
constexpr double broadPairs = 2;

/// Empirical Bayes: one step of expectation-maximisation for mean and covariance over pairs.
RatioBelief pooled(const std::vector<const RatioBelief *> &known, bool againstDevice) {
    WeightBelief prior = broad(againstDevice);
    if (known.empty())
        return RatioBelief::from(prior, againstDevice ? usualNoise : 4 * usualNoise);
    const double all = static_cast<double>(known.size()) + broadPairs;
    std::vector<WeightBelief> weights;
    double noise = broadPairs * (againstDevice ? usualNoise : 4 * usualNoise);
    for (const RatioBelief *belief : known) {
        weights.push_back(belief->weights());
        noise += belief->noise;
        for (std::size_t i = 0; i < featureCount && !againstDevice; ++i)
            prior.mean[i] += weights.back().mean[i] / all;
    }
    for (Features &row : prior.covariance) {
        for (double &value : row)
            value *= broadPairs / all;
    }
    for (const WeightBelief &each : weights) {
        Features difference{};
        for (std::size_t i = 0; i < featureCount; ++i) {
            difference[i] = each.mean[i] - prior.mean[i];
            for (std::size_t j = 0; j < featureCount; ++j)
                prior.covariance[i][j] += each.covariance[i][j] / all;
        }
        addOuter(prior.covariance, difference, 1 / all);
    }
    return RatioBelief::from(prior, noise / all);
}

void learnDirection(RatioBelief &belief, const RatioBelief &prior, const std::vector<ObservedUnit> &units,
                    double ObservedUnit::*value) {
    belief.forget(prior, Knowledge::kept);
    for (const ObservedUnit &unit : units)
        belief.observe(unit.features, unit.*value);
    belief.noise = noiseAround(belief, units, value);
}

/// Enough to tell beliefs apart, and a third of the digits.
double rounded(double value) {
    return QString::number(value, 'g', 9).toDouble();
}

QJsonObject toJson(const RatioBelief &belief) {
    QJsonArray precision, information;
    for (std::size_t i = 0; i < featureCount; ++i) {
        information.append(rounded(belief.information[i]));
        for (std::size_t j = 0; j <= i; ++j)
            precision.append(rounded(belief.precision[i][j]));
    }
    return {{QStringLiteral("precision"), precision},
            {QStringLiteral("information"), information},
            {QStringLiteral("noise"), rounded(belief.noise)}};
}

RatioBelief beliefFrom(const QJsonObject &object, const QString &source, const QString &path, JsonReader &outer) {
    RatioBelief belief;
    JsonReader reader(object, source, path);
    const QJsonArray precision = reader.array("precision"), information = reader.array("information");
    belief.noise = reader.number("noise", RatioBelief::leastNoise, RatioBelief::mostNoise);
    if (const auto read = reader.finish(); !read) {
        outer.rejectAt(path, read.error().cause);
        return belief;
    }
    if (precision.size() != static_cast<qsizetype>(featureCount * (featureCount + 1) / 2) ||
        information.size() != static_cast<qsizetype>(featureCount)) {
        outer.rejectAt(path, sentence("It must be of %1 features.").arg(featureCount));
        return belief;
    }
    qsizetype next = 0;
    for (std::size_t i = 0; i < featureCount; ++i) {
        // What is no number is NaN, which no valid belief has.
        belief.information[i] = information[static_cast<qsizetype>(i)].toDouble(std::nan(""));
        for (std::size_t j = 0; j <= i; ++j)
            belief.precision[i][j] = belief.precision[j][i] = precision[next++].toDouble(std::nan(""));
    }
    if (!belief.isValid())
        outer.rejectAt(path, sentence("No times of devices lead to that."));
    return belief;
}

QString readId(JsonReader &reader, const char *key, bool required) {
    QString id = required ? reader.string(key) : reader.string(key, QString());
    if (id.size() > ProfileLimits::idLength || (required && id.isEmpty()))
        reader.reject(QLatin1String(key), sentence("It is not the id of a device."));
    return id;
}

}  // namespace

double noiseAround(const RatioBelief &belief, const std::vector<ObservedUnit> &units, double ObservedUnit::*value) {
    constexpr double before = 20;  // units
    const WeightBelief weights = belief.weights();
    double sum = before * belief.noise, count = before;
    for (const ObservedUnit &unit : units) {
        const double residual = unit.*value - weights.at(unit.features).mean;
        if (!std::isfinite(residual))
            continue;
        sum += std::min(residual * residual, RatioBelief::mostNoise);
        ++count;
    }
    return std::clamp(sum / count, RatioBelief::leastNoise, RatioBelief::mostNoise);
}

void Knowledge::learn(const QString &device, const QString &against, const std::vector<ObservedUnit> &units) {
    if (units.empty() || device == against)
        return;
    const Pair *known = find(device, against);
    RatioBeliefs beliefs = about(device, against);
    const RatioBeliefs before = prior(!against.isEmpty());
    learnDirection(beliefs.forward, before.forward, units, &ObservedUnit::forward);
    learnDirection(beliefs.backward, before.backward, units, &ObservedUnit::backward);
    if (known)
        m_pairs.erase(m_pairs.begin() + (known - m_pairs.data()));
    else if (m_pairs.size() >= mostPairs)
        m_pairs.erase(m_pairs.begin());
    m_pairs.push_back({device, against, beliefs});
}

RatioBeliefs Knowledge::about(const QString &device, const QString &against) const {
    const Pair *known = find(device, against);
    if (!known)
        return prior(!against.isEmpty());
    if (known->device == device)
        return known->beliefs;
    return {known->beliefs.forward.reversed(), known->beliefs.backward.reversed()};
}

RatioBeliefs Knowledge::beforeMeasuring(const QString &device, const QString &against) const {
    RatioBeliefs beliefs = about(device, against);
    const RatioBeliefs all = prior(!against.isEmpty());
    beliefs.forward.forget(all.forward, ofOtherNetworks);
    beliefs.backward.forget(all.backward, ofOtherNetworks);
    return beliefs;
}

RatioBeliefs Knowledge::prior(bool againstDevice) const {
    std::vector<const RatioBelief *> forward, backward;
    for (const Pair &pair : m_pairs) {
        if (pair.against.isEmpty() == againstDevice)
            continue;
        forward.push_back(&pair.beliefs.forward);
        backward.push_back(&pair.beliefs.backward);
    }
    return {pooled(forward, againstDevice), pooled(backward, againstDevice)};
}

void Knowledge::join(const Knowledge &other) {
    for (const Pair &pair : other.m_pairs) {
        if (m_pairs.size() < mostPairs && !find(pair.device, pair.against))
            m_pairs.insert(m_pairs.begin(), pair);
    }
}

const Knowledge::Pair *Knowledge::find(const QString &device, const QString &against) const {
    const auto known = std::find_if(m_pairs.begin(), m_pairs.end(), [&](const Pair &pair) {
        return (pair.device == device && pair.against == against) || (pair.device == against && pair.against == device);
    });
    return known == m_pairs.end() ? nullptr : &*known;
}

QJsonObject Knowledge::toJson() const {
    QJsonArray rows;
    for (const Pair &pair : m_pairs) {
        QJsonObject row{{QStringLiteral("device"), pair.device},
                        {QStringLiteral("forward"), hearth::toJson(pair.beliefs.forward)},
                        {QStringLiteral("backward"), hearth::toJson(pair.beliefs.backward)}};
        if (!pair.against.isEmpty())
            row[QStringLiteral("against")] = pair.against;
        rows.append(row);
    }
    return {{QStringLiteral("format"), QStringLiteral("hearth-predictor/1")}, {QStringLiteral("pairs"), rows}};
}

Result<Knowledge> Knowledge::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    reader.choice("format", {QStringLiteral("hearth-predictor/1")});
    const QJsonArray rows = reader.array("pairs");
    if (rows.size() > static_cast<qsizetype>(mostPairs))
        reader.reject(QStringLiteral("pairs"), sentence("There are too many."));
    Knowledge knowledge;
    for (qsizetype i = 0; i < rows.size() && reader.ok(); ++i) {
        const QString path = jsonPointer(QStringLiteral("/pairs"), i);
        JsonReader row(rows[i], source, path);
        Pair pair;
        pair.device = readId(row, "device", true);
        pair.against = readId(row, "against", false);
        if (pair.device == pair.against)
            row.reject(QStringLiteral("against"), sentence("A device is no reference of its own."));
        const QJsonObject forward = row.object("forward"), backward = row.object("backward");
        if (row.ok()) {
            pair.beliefs.forward = beliefFrom(forward, source, row.pathOf(QStringLiteral("forward")), row);
            pair.beliefs.backward = beliefFrom(backward, source, row.pathOf(QStringLiteral("backward")), row);
        }
        if (auto ok = row.finish(); !ok)
            return tl::unexpected(ok.error());
        knowledge.m_pairs.push_back(std::move(pair));
    }
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return knowledge;
}

Knowledge Knowledge::load(const QString &path) {
    const auto object = readJsonFile(path, mostFileBytes);
    if (!object)
        return {};
    return fromJson(*object, path).value_or(Knowledge());
}

Result<void> Knowledge::save(const QString &path) const {
    if (auto made = makePrivateFolder(QFileInfo(path).path()); !made)
        return made;
    return saveFile(path, QJsonDocument(toJson()).toJson(QJsonDocument::Compact));
}

}  // namespace hearth
