// What a network gets wrong: which classes it takes for which, and which samples are hardest.
#pragma once

#include <QJsonObject>
#include <QString>
#include <map>
#include <utility>
#include <vector>

#include "core/protocol/evaluation_tally.h"
#include "core/protocol/judged_sample.h"

namespace hearth {

/// "evaluation.json" in a run's folder: of the last evaluation. Plain value; any thread. JSON:
/// {"format":"hearth-evaluation/1","round":300,"split":"test","samples":10000,
///  "classes":[[class,right,answered,labelled],…],"confused":[[label,answer,count,[[sample,loss,certainty],…]],…],
///  "hardest":[[sample,loss,label,answer,certainty,wrong],…],
///  "watched":[{"round":100,"samples":[as of "hardest"]},…]}
/// Numbers that are none are null.
struct EvaluationDetails {
    static constexpr int mostClasses = 1'000'000;
    static constexpr std::size_t mostHardest = 16, mostExamples = 12;  // of a pair of classes
    static constexpr std::size_t mostFollowed = 100;                   // evaluations, the last ones
    /// In the file, which stays below a megabyte: the most frequent pairs, and samples of all lists together.
    static constexpr std::size_t mostPairs = 10'000, mostSamples = 5'000;

    /// Samples of one class that were taken for another.
    struct Confusion {
        qint64 count = 0;
        std::vector<JudgedSample> examples = {};  // the first ones, by number
    };

    /// What was said of watchedSamples(), by number.
    struct Watched {
        qint64 round = 0;
        std::vector<JudgedSample> samples;
    };

    qint64 round = 0;
    QString split;  // "validation", "test"
    qint64 samples = 0;
    /// By class, as EvaluationTally says; empty for numbers and for very many classes.
    std::map<int, EvaluationTally::OfClass> classes{};
    std::map<std::pair<int, int>, Confusion> confused{};  // by label and answer
    std::vector<JudgedSample> hardest{};
    std::vector<Watched> watched{};  // by round, up to this evaluation

    /// Takes over what evaluations of rounds before this one said of the watched samples.
    void follow(const std::vector<Watched> &earlier);
    /// In any order, each once; `round` and `samples` are set.
    void add(const JudgedSample &judged);

    static QString fileName() { return QStringLiteral("evaluation.json"); }
    /// Of a run's folder. Errors name the file; "run.no-evaluation": there was none, or an older version made it.
    static Result<EvaluationDetails> load(const QString &runFolder);
    static Result<EvaluationDetails> fromJson(const QJsonObject &object, const QString &source);
    QJsonObject toJson() const;
    /// The pairs of classes, the most frequent first, then by number.
    std::vector<std::pair<int, int>> mostConfused() const;
};

}  // namespace hearth
