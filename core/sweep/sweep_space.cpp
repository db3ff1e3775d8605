#include "core/sweep/sweep_space.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <algorithm>
#include <cmath>

#include "core/base/generator.h"
#include "core/base/json_reader.h"
#include "core/base/number_text.h"

namespace hearth {
namespace {

// Drawn in vain so often in a row, there is hardly another combination.
constexpr int mostMisses = 1000;
constexpr int longestShown = 80;

tl::unexpected<Error> badSet(const QString &text, const Sentence &cause, const Sentence &advice) {
    return fail(QStringLiteral("sweep.bad-set"), sentence("\"%1\" cannot be swept.").arg(text.left(longestShown)),
                cause, advice);
}

/// A piece of JSON, or else a word as it stands.
QJsonValue valueOf(const QString &text) {
    const QJsonDocument document = QJsonDocument::fromJson("[" + text.toUtf8() + "]");
    const QJsonArray list = document.array();
    return list.size() == 1 ? list.first() : QJsonValue(text);
}

/// At commas that are not inside of brackets or quotes.
QStringList choicesIn(const QString &text) {
    QStringList parts{QString()};
    int depth = 0;
    bool quoted = false;
    for (const QChar character : text) {
        if (character == QLatin1Char('"'))
            quoted = !quoted;
        else if (!quoted && (character == QLatin1Char('[') || character == QLatin1Char('{')))
            ++depth;
        else if (!quoted && (character == QLatin1Char(']') || character == QLatin1Char('}')))
            --depth;
        if (character == QLatin1Char(',') && depth == 0 && !quoted)
            parts << QString();
        else
            parts.last() += character;
    }
    for (QString &part : parts)
        part = part.trimmed();
    return parts;
}

Result<void> readRange(SweepAxis &axis, QString range, const QString &text) {
    axis.logarithmic = range.endsWith(QLatin1String(":log"));
    if (axis.logarithmic)
        range.chop(4);
    const QStringList ends = range.split(QStringLiteral(".."));
    bool low = false, high = false;
    axis.low = ends.value(0).toDouble(&low);
    axis.high = ends.value(1).toDouble(&high);
    if (ends.size() != 2 || !low || !high || !std::isfinite(axis.low) || !std::isfinite(axis.high)) {
        return badSet(text, sentence("A range has two numbers."),
                      sentence("For instance: %1").arg(QStringLiteral("optimizer.learning_rate=1e-4..1e-1:log")));
    }
    if (axis.low >= axis.high)
        return badSet(text, sentence("The range is empty."), sentence("Give the lower end first."));
    if (axis.logarithmic && axis.low <= 0)
        return badSet(text, sentence("A logarithmic range begins above 0."), sentence("Leave out \":log\"."));
    bool wholeLow = false, wholeHigh = false;
    ends[0].toLongLong(&wholeLow);
    ends[1].toLongLong(&wholeHigh);
    axis.whole = wholeLow && wholeHigh;
    return {};
}

QJsonValue drawn(const SweepAxis &axis, const Generator &generator, quint64 counter) {
    if (!axis.choices.empty())
        return axis.choices[generator.below(axis.choices.size(), counter)];
    const double part = (generator.symmetric(counter) + 1) / 2;
    if (axis.whole) {
        // Each whole number has the same room, the ends too.
        const double low = axis.low - 0.5, high = axis.high + 0.5;
        const double value = axis.logarithmic
                                 ? std::exp(std::log(axis.low) + part * (std::log(axis.high) - std::log(axis.low)))
                                 : low + part * (high - low);
        return std::clamp(std::round(value), axis.low, axis.high);
    }
    const double value = axis.logarithmic
                             ? std::exp(std::log(axis.low) + part * (std::log(axis.high) - std::log(axis.low)))
                             : axis.low + part * (axis.high - axis.low);
    // Six digits are more than any training tells apart, and can be read.
    return QString::number(value, 'g', 6).toDouble();
}

}  // namespace

Result<SweepAxis> SweepAxis::fromText(const QString &text, const QJsonObject &job) {
    const qsizetype at = text.indexOf(QLatin1Char('='));
    const QString word = text.left(at).trimmed(), given = text.mid(at + 1).trimmed();
    if (at <= 0 || word.isEmpty() || given.isEmpty()) {
        return badSet(text, sentence("It is no value of a job with choices."),
                      sentence("For instance: %1").arg(QStringLiteral("batch=32,64")));
    }
    SweepAxis axis;
    QStringList known = jobPaths() + valuesOf(job).keys();
    known.removeDuplicates();
    axis.path = pathNamed(word, known);
    if (axis.path.isEmpty())
        return badSet(text, sentence("A job has no \"%1\".").arg(word.left(longestShown)), didYouMean(word, known));
    if (axis.path == QLatin1String("format"))
        return badSet(text, sentence("The format of a job never changes."), {});
    if (axis.path == QLatin1String("best_by")) {
        return badSet(text, sentence("It says how the runs of the sweep are compared."),
                      sentence("Choose one of the two: --by accuracy, or \"best_by\" in the job."));
    }
    if (given.contains(QLatin1String(".."))) {
        const auto read = readRange(axis, given, text);
        return read ? Result<SweepAxis>(axis) : tl::unexpected(read.error());
    }
    for (const QString &part : choicesIn(given)) {
        if (part.isEmpty()) {
            return badSet(text, sentence("One of the choices is empty."),
                          sentence("Leave out the comma that nothing follows."));
        }
        const QJsonValue value = valueOf(part);
        if (std::find(axis.choices.begin(), axis.choices.end(), value) == axis.choices.end())
            axis.choices.push_back(value);
    }
    return axis;
}

Result<std::vector<JobValues>> SweepSpace::trials() const {
    double combinations = 1;
    QSet<QString> paths;
    for (const SweepAxis &axis : axes) {
        if (paths.contains(axis.path))
            return badSet(axis.path, sentence("It is given twice."), sentence("Give all its values at once."));
        paths.insert(axis.path);
        if (axis.choices.empty() && !random) {
            return badSet(axis.path, sentence("A range has no end of values."),
                          sentence("Say how many are drawn: --random N"));
        }
        combinations *= axis.choices.empty() ? HUGE_VAL : static_cast<double>(axis.choices.size());
    }
    const double wanted = random ? *random : combinations;
    if (wanted > static_cast<double>(mostTrials)) {
        return fail(QStringLiteral("sweep.too-many"),
                    sentence("A sweep of %1 runs is too large.")
                        .arg(Sentence::quantity(sentenceLocale().toString(wanted, 'f', 0))),
                    sentence("At most %1 are possible.").arg(mostTrials),
                    sentence("Give fewer values, or draw some of them: --random N"));
    }
    std::vector<JobValues> list;
    if (!random) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(combinations); ++i) {
            JobValues values;
            std::size_t rest = i;
            for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
                values.insert(axis->path, axis->choices[rest % axis->choices.size()]);
                rest /= axis->choices.size();
            }
            list.push_back(values);
        }
    } else {
        const Generator generator(seed);
        quint64 draws = 0;
        for (int misses = 0; static_cast<int>(list.size()) < *random && misses < mostMisses; ++draws) {
            JobValues values;
            for (std::size_t axis = 0; axis < axes.size(); ++axis)
                values.insert(axes[axis].path, drawn(axes[axis], generator.child(axis), draws));
            if (std::find(list.begin(), list.end(), values) == list.end()) {
                list.push_back(values);
                misses = 0;
            } else {
                ++misses;
            }
        }
    }
    for (const JobValues &values : list) {
        if (const auto read = jobWith(job, values); !read)
            return tl::unexpected(read.error());
    }
    return list;
}

Result<Job> jobWith(const QJsonObject &job, const JobValues &values) {
    QJsonObject changed = job;
    const auto kind = values.value(QStringLiteral("optimizer.kind"), QJsonValue(QJsonValue::Undefined));
    const QJsonObject before = job.value(QLatin1String("optimizer")).toObject();
    if (!kind.isUndefined() && kind != before.value(QLatin1String("kind"))) {
        QJsonObject optimizer;
        if (before.contains(QLatin1String("learning_rate")))
            optimizer[QStringLiteral("learning_rate")] = before.value(QLatin1String("learning_rate"));
        changed[QStringLiteral("optimizer")] = optimizer;
    }
    for (auto value = values.begin(); value != values.end(); ++value) {
        if (value.key() == QLatin1String("epochs"))
            changed.remove(QStringLiteral("rounds"));
        if (value.key() == QLatin1String("rounds"))
            changed.remove(QStringLiteral("epochs"));
        changed = withValue(changed, value.key(), *value);
    }
    // Some of the optimizer's numbers say nothing without its kind.
    if (changed.contains(QLatin1String("optimizer")) &&
        valueAt(changed, QStringLiteral("optimizer.kind")).isUndefined()) {
        QJsonObject whole = Job().optimizer.toJson();
        const QJsonObject given = changed.value(QLatin1String("optimizer")).toObject();
        for (auto value = given.begin(); value != given.end(); ++value)
            whole[value.key()] = *value;
        changed[QStringLiteral("optimizer")] = whole;
    }
    return Job::validFromJson(changed, QStringLiteral("the job with ") + trialText(values));
}

QString trialText(const JobValues &values) {
    QStringList parts;
    for (auto value = values.begin(); value != values.end(); ++value) {
        const QString name = value.key() == QLatin1String("optimizer.kind") ? QStringLiteral("optimizer")
                                                                            : value.key().section(QLatin1Char('.'), -1);
        parts << name + QLatin1Char('=') + valueText(*value);
    }
    return parts.join(QLatin1Char(' '));
}

}  // namespace hearth
