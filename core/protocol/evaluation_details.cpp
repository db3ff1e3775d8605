#include "core/protocol/evaluation_details.h"

#include <QFileInfo>
#include <QJsonArray>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

constexpr auto evaluationFormat = "hearth-evaluation/1";
constexpr qint64 mostCounted = qint64{1} << 40;

QJsonValue plain(double number) {
    return std::isfinite(number) ? QJsonValue(number) : QJsonValue();
}

double numberOf(const QJsonValue &value) {
    return value.toDouble(JudgedSample::none);
}

Sentence senseless() {
    return sentence("Its numbers make no sense.");
}

QJsonArray rowsOf(const std::vector<JudgedSample> &samples) {
    QJsonArray rows;
    for (const JudgedSample &one : samples)
        rows.append(one.toJson());
    return rows;
}

/// Rows of `width` values each, which `take` reads; false where one is none.
template <class Take>
void readRows(JsonReader &reader, const char *key, qsizetype width, const Take &take) {
    const QJsonArray rows = reader.array(key);
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const QJsonArray row = rows[i].toArray();
        if (row.size() != width || !take(row)) {
            reader.rejectAt(jsonPointer(jsonPointer(QString(), QLatin1String(key)), i), senseless());
            return;
        }
    }
}

/// False: the value is no whole number from 0 to below `end`.
bool takeWhole(const QJsonValue &value, qint64 end, qint64 &number) {
    const double read = value.toDouble(-1);
    number = read >= 0 && read < static_cast<double>(end) ? static_cast<qint64>(read) : -1;
    return number >= 0 && static_cast<double>(number) == read;
}

bool takeClass(const QJsonValue &value, int &number) {
    qint64 whole = 0;
    const bool isOne = takeWhole(value, EvaluationDetails::mostClasses, whole);
    number = static_cast<int>(whole);
    return isOne;
}

}  // namespace

void EvaluationDetails::add(const JudgedSample &judged) {
    const auto byNumber = [](const JudgedSample &a, const JudgedSample &b) { return a.sample < b.sample; };
    const auto keep = [&judged](std::vector<JudgedSample> &kept, std::size_t most, auto isBefore) {
        kept.insert(std::upper_bound(kept.begin(), kept.end(), judged, isBefore), judged);
        if (kept.size() > most)
            kept.pop_back();
    };
    keep(hardest, mostHardest, isHarder);
    if (isWatched(judged.sample, samples)) {
        if (watched.empty())
            watched.push_back({round, {}});
        keep(watched.back().samples, watched.back().samples.size() + 1, byNumber);
    }
    if (!judged.isWrong)
        return;
    Confusion &pair = confused[{static_cast<int>(judged.label), static_cast<int>(judged.answer)}];
    ++pair.count;
    keep(pair.examples, mostExamples, [](const JudgedSample &a, const JudgedSample &b) { return a.sample < b.sample; });
}

void EvaluationDetails::follow(const std::vector<Watched> &earlier) {
    std::vector<Watched> all;
    std::ranges::copy_if(earlier, std::back_inserter(all), [this](const Watched &one) { return one.round < round; });
    all.insert(all.end(), watched.begin(), watched.end());
    const std::size_t kept = std::min(all.size(), mostFollowed);
    watched.assign(all.end() - static_cast<std::ptrdiff_t>(kept), all.end());
}

std::vector<std::pair<int, int>> EvaluationDetails::mostConfused() const {
    std::vector<std::pair<int, int>> pairs;
    pairs.reserve(confused.size());
    for (const auto &[pair, confusion] : confused)
        pairs.push_back(pair);
    std::stable_sort(pairs.begin(), pairs.end(),
                     [this](const auto &a, const auto &b) { return confused.at(a).count > confused.at(b).count; });
    return pairs;
}

Result<EvaluationDetails> EvaluationDetails::load(const QString &runFolder) {
    const QString path = runFolder + QLatin1Char('/') + fileName();
    if (!QFileInfo::exists(path)) {
        return fail(QStringLiteral("run.no-evaluation"), sentence("Nothing is known of what this run gets wrong."),
                    sentence("%1 is missing: the run was not evaluated, or by an older version of Hearth.").arg(path),
                    sentence("Evaluate it while it trains, or start it again with \"evaluate every\" above 0."));
    }
    return readJsonFile(path).and_then([&](const QJsonObject &object) { return fromJson(object, path); });
}

Result<EvaluationDetails> EvaluationDetails::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    reader.choice("format", {QLatin1String(evaluationFormat)});
    EvaluationDetails details;
    details.round = reader.integer("round", 0, mostCounted);
    details.split = reader.choice("split", {QStringLiteral("validation"), QStringLiteral("test")});
    details.samples = reader.integer("samples", 0, mostCounted);
    readRows(reader, "classes", 4, [&details](const QJsonArray &row) {
        int number = 0;
        EvaluationTally::OfClass each;
        if (!takeClass(row[0], number) || !takeWhole(row[1], mostCounted, each.right) ||
            !takeWhole(row[2], mostCounted, each.answered) || !takeWhole(row[3], mostCounted, each.labelled))
            return false;
        return details.classes.emplace(number, each).second && each.right <= std::min(each.answered, each.labelled);
    });
    readRows(reader, "confused", 4, [&details](const QJsonArray &row) {
        std::pair<int, int> classes;
        Confusion confusion;
        if (!takeClass(row[0], classes.first) || !takeClass(row[1], classes.second) ||
            !takeWhole(row[2], mostCounted, confusion.count))
            return false;
        for (const QJsonValue each : row[3].toArray()) {
            const QJsonArray numbers = each.toArray();
            JudgedSample sample{0,
                                numberOf(numbers[1]),
                                static_cast<double>(classes.first),
                                static_cast<double>(classes.second),
                                numberOf(numbers[2]),
                                true};
            if (!takeWhole(numbers[0], mostCounted, sample.sample))
                return false;
            confusion.examples.push_back(sample);
        }
        return details.confused.emplace(classes, std::move(confusion)).second;
    });
    const auto readSamples = [&reader](const QString &place, const QJsonArray &rows,
                                       std::vector<JudgedSample> &samples) {
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const auto sample = JudgedSample::fromJson(rows[i].toArray());
            if (!sample) {
                reader.rejectAt(jsonPointer(place, i), senseless());
                return;
            }
            samples.push_back(*sample);
        }
    };
    readSamples(QStringLiteral("/hardest"), reader.array("hardest"), details.hardest);
    const QJsonArray watched = reader.array("watched");
    for (qsizetype i = 0; i < watched.size(); ++i) {
        JsonReader one(watched[i], source, jsonPointer(QStringLiteral("/watched"), i));
        details.watched.push_back({one.integer("round", 0, mostCounted), {}});
        readSamples(one.pathOf(QStringLiteral("samples")), one.array("samples"), details.watched.back().samples);
        if (auto done = one.finish(); !done)
            return tl::unexpected(done.error());
    }
    if (auto done = reader.finish(); !done)
        return tl::unexpected(done.error());
    return details;
}

QJsonObject EvaluationDetails::toJson() const {
    QJsonArray ofClasses, pairs, followed;
    for (const auto &[number, each] : classes)
        ofClasses.append(QJsonArray{number, each.right, each.answered, each.labelled});
    std::vector<std::pair<int, int>> written = mostConfused();
    written.resize(std::min(written.size(), mostPairs));
    std::size_t listed = hardest.size();
    for (const Watched &one : watched)
        listed += one.samples.size();
    for (const std::pair<int, int> &pair : written) {
        const Confusion &confusion = confused.at(pair);
        QJsonArray examples;
        for (const JudgedSample &one : confusion.examples) {
            if (listed++ < mostSamples)
                examples.append(QJsonArray{one.sample, plain(one.loss), plain(one.certainty)});
        }
        pairs.append(QJsonArray{pair.first, pair.second, confusion.count, examples});
    }
    for (const Watched &one : watched)
        followed.append(
            QJsonObject{{QStringLiteral("round"), one.round}, {QStringLiteral("samples"), rowsOf(one.samples)}});
    return {{QStringLiteral("format"), QLatin1String(evaluationFormat)},
            {QStringLiteral("round"), round},
            {QStringLiteral("split"), split},
            {QStringLiteral("samples"), samples},
            {QStringLiteral("classes"), ofClasses},
            {QStringLiteral("confused"), pairs},
            {QStringLiteral("hardest"), rowsOf(hardest)},
            {QStringLiteral("watched"), followed}};
}

}  // namespace hearth
