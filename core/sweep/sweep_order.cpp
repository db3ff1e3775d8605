#include "core/sweep/sweep_order.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include "core/base/json_reader.h"
#include "core/run/job_file.h"

namespace hearth {

namespace {

tl::unexpected<Error> notShared(const Sentence &cause, const Sentence &advice) {
    return fail(QStringLiteral("sweep.hyperband"), sentence("Hyperband cannot share out the training of this sweep."),
                cause, advice);
}

/// Of a run of this job that goes to its end.
Result<qint64> evaluationsOf(const Job &job) {
    if (!job.rounds || job.evaluateEvery == 0) {
        return notShared(sentence("It counts evaluations, and this job does not say how many there are."),
                         sentence("Give the job rounds in place of epochs, and an evaluation after some of them."));
    }
    // One comes at the end, too.
    const qint64 evaluations = (*job.rounds + job.evaluateEvery - 1) / job.evaluateEvery;
    if (evaluations < sweepReduction) {
        return notShared(sentence("Each run is evaluated less than three times."),
                         sentence("Let \"evaluate_every\" be at most a third of the rounds."));
    }
    if (hyperbandTrials(evaluations) > SweepSpace::mostTrials) {
        return notShared(
            sentence(
                "For %1 {1|evaluation|evaluations} of a run it takes %2 {2|run|runs}, and at most %3 are possible.")
                .arg(evaluations)
                .arg(hyperbandTrials(evaluations))
                .arg(SweepSpace::mostTrials),
            sentence("Evaluate less often, with a larger \"evaluate_every\"."));
    }
    return evaluations;
}

/// As many trials as Hyperband's brackets have, drawn anew for each.
Result<std::vector<JobValues>> drawnFor(qint64 evaluations, SweepSpace space) {
    if (space.random) {
        return notShared(sentence("It decides itself how many combinations are drawn."),
                         sentence("Leave out \"random\"."));
    }
    for (const SweepAxis &axis : space.axes) {
        for (const char *length : {"rounds", "epochs", "evaluate_every"}) {
            if (axis.path == QLatin1String(length)) {
                return notShared(sentence("It decides itself how long each run is trained."),
                                 sentence("Do not sweep \"%1\".").arg(axis.path));
            }
        }
    }
    space.random = static_cast<int>(hyperbandTrials(evaluations));
    auto trials = space.trials();
    if (trials && static_cast<int>(trials->size()) < *space.random) {
        return notShared(sentence("It takes %1 combinations, and there {2|is|are} only %2.")
                             .arg(*space.random)
                             .arg(static_cast<qint64>(trials->size())),
                         sentence("Give ranges or more values, or stop runs early by \"halving\"."));
    }
    return trials;
}

/// Whether evaluations of one say something about the other.
Result<void> checkComparable(const Job &one, const Job &other) {
    if (one.bestBy == BestBy::Accuracy || one.loss == other.loss)
        return {};
    return fail(QStringLiteral("sweep.losses"), sentence("These runs cannot be compared by their loss."),
                sentence("The loss itself is swept: %1 and %2 are different measures.").arg(one.loss, other.loss),
                sentence("Compare by accuracy: --by accuracy, or \"best_by\" in the job."));
}

}  // namespace

Result<SweepOrder> SweepOrder::fromJson(const QJsonObject &json, const QString &source, const QString &folder) {
    JsonReader reader(json, source);
    SweepOrder order;
    reader.choice("format", {QStringLiteral("hearth-sweep/1")});
    order.name = reader.string("name", QString());
    const QJsonValue job = reader.value("job");
    for (const auto &text : reader.array("set"))
        order.set << text.toString();
    if (reader.has("random"))
        order.random = static_cast<int>(reader.integer("random", 1, SweepSpace::mostTrials));
    else
        reader.ignore("random");
    order.seed = static_cast<quint64>(reader.integer("seed", 0, qint64(1) << 53, 1));
    order.stopping = static_cast<Sweep::Stopping>(
        sweepStoppings().indexOf(reader.choice("stop_early", sweepStoppings(), sweepStoppings().front())));
    for (const auto &device : reader.array("devices", false))
        order.devices << device.toString();
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    if (job.isObject()) {
        order.job = withPathsFrom(folder, job.toObject());
    } else if (job.isString()) {
        const auto read = readJobFile(QDir(folder).filePath(job.toString()));
        if (!read)
            return tl::unexpected(read.error());
        order.job = *read;
    }
    return order;
}

Result<SweepOrder> SweepOrder::load(const QString &path) {
    return readJsonFile(path).and_then(
        [&](const QJsonObject &json) { return fromJson(json, path, QFileInfo(path).absolutePath()); });
}

Result<Sweep> SweepOrder::begin() const {
    Sweep sweep;
    sweep.name =
        name.isEmpty() ? QDateTime::currentDateTime().toString(QStringLiteral("'sweep-'yyyyMMdd-HHmmss")) : name;
    if (auto named = checkSweepName(sweep.name); !named)
        return tl::unexpected(named.error());
    if (set.isEmpty()) {
        return fail(QStringLiteral("sweep.nothing"), sentence("This sweep changes nothing."), {},
                    sentence("Name values of the job to try: --set batch=32,64"));
    }
    SweepSpace space{job, {}, random, seed};
    for (const QString &text : set) {
        const auto axis = SweepAxis::fromText(text, job);
        if (!axis)
            return tl::unexpected(axis.error());
        space.axes.push_back(*axis);
    }
    if (stopping == Sweep::Stopping::Hyperband) {
        const auto evaluations = jobWith(job, {}).and_then(evaluationsOf);
        if (!evaluations)
            return tl::unexpected(evaluations.error());
        sweep.evaluations = *evaluations;
    }
    const auto trials = sweep.evaluations > 0 ? drawnFor(sweep.evaluations, space) : space.trials();
    if (!trials)
        return tl::unexpected(trials.error());
    const auto first = jobWith(job, trials->front());
    if (!first)
        return tl::unexpected(first.error());
    for (const JobValues &values : *trials) {
        const auto one = jobWith(job, values);
        if (one && one->evaluateEvery == 0) {
            return fail(QStringLiteral("sweep.no-evaluations"), sentence("No run would be better than another."),
                        sentence("The job is never evaluated: its \"evaluate_every\" is 0."),
                        sentence("Set it to a number of rounds."));
        }
        const auto comparable = one.and_then([&](const Job &other) { return checkComparable(*first, other); });
        if (!comparable)
            return tl::unexpected(comparable.error());
        SweepTrial trial;
        trial.values = values;
        sweep.trials.push_back(trial);
    }
    sweep.metric = first->bestBy == BestBy::Accuracy ? Sweep::Metric::Accuracy : Sweep::Metric::Loss;
    sweep.job = job;
    sweep.workingFolder = QDir::currentPath();
    sweep.devices = devices;
    sweep.stopping = stopping;
    return sweep;
}

Result<void> checkSweepName(const QString &name) {
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_-][A-Za-z0-9._-]{0,59}\\z"));
    if (plain.match(name).hasMatch())
        return {};
    return fail(QStringLiteral("sweep.bad-name"), sentence("\"%1\" cannot be a sweep's name.").arg(name.left(80)), {},
                sentence("Take at most 60 letters, digits, dashes and dots."));
}

}  // namespace hearth
