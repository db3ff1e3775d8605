#include "ui/run/run_facts.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QLocale>
#include <QMap>
#include <algorithm>
#include <cmath>

#include "core/model/catalogue.h"
#include "core/model/import/initial_weights.h"
#include "core/model/model_name.h"
#include "ui/run/event_sentences.h"
#include "ui/run/job_value_words.h"
#include "ui/run/run_look.h"
#include "ui/run/runs_table_model.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"
#include "ui/words/planner_words.h"

namespace hearth {

namespace {

// Each is a paragraph, and one of many devices takes a millisecond to put in words.
constexpr std::size_t firstPlans = 1, lastPlans = 7;

/// A plan in force, and the names of layers and devices to tell it with.
struct PlanWords {
    Q_DECLARE_TR_FUNCTIONS(PlanWords)
  public:
    QStringList layers;
    QMap<QString, QString> devices;  // by id

    QString deviceList(const PlanStage &stage) const {
        QStringList names;
        for (const Share &share : stage.shares) {
            const QString name = devices.value(share.device, share.device.left(8));
            names << (stage.shares.size() > 1 ? tr("%1 (%n sample(s))", nullptr, share.samples).arg(name) : name);
        }
        return QLocale().createSeparatedList(names);
    }
    QString layerList(const PlanStage &stage) const {
        const QString first = layers.value(stage.firstLayer, formatCount(stage.firstLayer + 1));
        const QString last = layers.value(stage.lastLayer - 1, formatCount(stage.lastLayer));
        return stage.lastLayer - stage.firstLayer == 1 ? tr("layer %1").arg(first)
                                                       : tr("layers %1 to %2").arg(first, last);
    }
    QString of(const event::Plan &told) const {
        const auto plan = Plan::fromJson(told.plan, QStringLiteral("the run"));
        if (!plan)
            return tr("This plan was made by a later version of Hearth.");
        QStringList stages;
        for (const PlanStage *stage : plan->allStages())
            stages << tr("%1 on %2").arg(layerList(*stage), deviceList(*stage));
        QString text = stages.join(QStringLiteral("; ")) + QLatin1Char('.');
        text.replace(0, 1, text.at(0).toUpper());
        text += QLatin1Char(' ') +
                tr("Made by the planner “%1”, %2 × %3 samples.")
                    .arg(plannerText(plan->planner), formatCount(plan->microBatches()), formatCount(plan->microBatch));
        return text;
    }
};

class FactWords {
    Q_DECLARE_TR_FUNCTIONS(FactWords)
  public:
    explicit FactWords(const std::vector<ShownRun> &runs) : m_runs(runs) {}

    std::vector<FactSection> all() { return {job(), result(), events(), plans()}; }
    static QString length(const RunSummary &run) {
        if (run.wantedEpochs > 0)
            return tr("%n epoch(s)", nullptr, static_cast<int>(run.wantedEpochs));
        return tr("%n round(s)", nullptr, static_cast<int>(run.wantedRounds));
    }

  private:
    template <class Text>
    void add(FactSection &section, const QString &label, const Text &text) const {
        Fact fact{label, {}};
        bool any = false;
        for (const ShownRun &run : m_runs) {
            const QString value = text(run);
            any = any || !value.isEmpty();
            fact.values << (value.isEmpty() ? QStringLiteral("–") : value);
        }
        if (any)
            section.facts.push_back(fact);
    }
    static QString count(qint64 value) { return value > 0 ? formatCount(value) : QString(); }
    static QString loss(double value) { return std::isfinite(value) ? formatLoss(value) : QString(); }
    static QString percent(double value) { return std::isfinite(value) ? formatPercent(value) : QString(); }

    static QString optimizer(const ShownRun &run) {
        const RunSummary &summary = run.details.summary;
        const auto read = jobOf(run.details);
        if (!read)
            return summary.optimizer;
        const auto valueText = [](const char *path, const QJsonValue &value) {
            return jobValueText(QLatin1String(path), value);
        };
        const QString rate = valueText("optimizer.learning_rate", read->optimizer.learningRate);
        if (summary.optimizer == QLatin1String("sgd")) {
            return tr("SGD, learning rate %1, momentum %2")
                .arg(rate, valueText("optimizer.momentum", read->optimizer.momentum));
        }
        return tr("%1, learning rate %2").arg(valueText("optimizer.kind", summary.optimizer), rate);
    }
    static QString best(const ShownRun &run) {
        const auto *kept = lastOf<event::Best>(run.details);
        if (kept == nullptr)
            return {};
        const QString round = formatCount(kept->round);
        return std::isfinite(kept->accuracy)
                   ? tr("after round %1: loss %2, %3 correct").arg(round, loss(kept->loss), percent(kept->accuracy))
                   : tr("after round %1: loss %2").arg(round, loss(kept->loss));
    }
    /// Of a run that is known by its folder, or just the path.
    static QString weights(const ShownRun &run) {
        const QString path = begunWith(run.details);
        if (path.isEmpty())
            return {};
        if (areInitialWeights(path))
            return tr("those that its network came with");
        const QFileInfo file(path);
        const QDir folder = file.dir();
        return QFileInfo(folder.path()).dir().dirName() == QLatin1String("runs")
                   ? tr("%1 of the run %2").arg(file.fileName(), folder.dirName())
                   : QDir::toNativeSeparators(path);
    }
    static QString whyEarly(const ShownRun &run) {
        const auto *state = lastOf<event::State>(run.details);
        return state != nullptr ? coreText(state->why) : QString();
    }

    FactSection job() const {
        FactSection section{tr("Job"), {}};
        add(section, tr("Model"), [](const ShownRun &run) { return run.details.summary.model; });
        add(section, tr("Data"), [](const ShownRun &run) { return run.details.summary.data; });
        add(section, tr("Begun with the weights"), &weights);
        add(section, tr("Optimizer"), &optimizer);
        add(section, tr("Batch"),
            [](const ShownRun &run) { return tr("%n sample(s)", nullptr, run.details.summary.batch); });
        add(section, tr("Planned"), [](const ShownRun &run) { return length(run.details.summary); });
        add(section, tr("Seed"), [](const ShownRun &run) {
            const auto read = jobOf(run.details);
            return read ? jobValueText(QStringLiteral("seed"), static_cast<qint64>(read->seed)) : QString();
        });
        return section;
    }
    FactSection result() const {
        FactSection section{tr("Result"), {}};
        add(section, tr("Name"), [](const ShownRun &run) { return run.details.summary.label.name; });
        add(section, tr("Tags"),
            [](const ShownRun &run) { return run.details.summary.label.tags.join(QStringLiteral(", ")); });
        add(section, tr("Note"), [](const ShownRun &run) { return run.details.summary.label.note; });
        add(section, tr("State"), [](const ShownRun &run) { return lookOfRun(run.state).word; });
        add(section, tr("Ended early"), &whyEarly);
        add(section, tr("Run"), [](const ShownRun &run) { return run.details.summary.id; });
        add(section, tr("Started"), [](const ShownRun &run) { return startedText(run.details.summary); });
        add(section, tr("Duration"),
            [](const ShownRun &run) { return formatWholeSeconds(run.details.summary.seconds); });
        add(section, tr("Rounds"), [](const ShownRun &run) { return formatCount(run.details.summary.rounds); });
        add(section, tr("Samples/s"), [](const ShownRun &run) {
            const double speed = run.details.summary.samplesPerSecond;
            return std::isfinite(speed) ? formatNumber(speed) : QString();
        });
        add(section, tr("First loss"), [](const ShownRun &run) { return loss(run.details.summary.firstLoss); });
        add(section, tr("Last loss"), [](const ShownRun &run) { return loss(run.details.summary.loss); });
        add(section, tr("Lowest loss"), [](const ShownRun &run) { return loss(run.details.summary.lowestLoss); });
        add(section, tr("Last accuracy"), [](const ShownRun &run) { return percent(run.details.summary.accuracy); });
        add(section, tr("Best accuracy"),
            [](const ShownRun &run) { return percent(run.details.summary.bestAccuracy); });
        add(section, tr("Best weights"), &best);
        return section;
    }
    FactSection events() const {
        FactSection section{tr("Devices"), {}};
        add(section, tr("Took part"),
            [](const ShownRun &run) { return QLocale().createSeparatedList(run.details.summary.devices); });
        add(section, tr("Lost devices"), [](const ShownRun &run) { return count(run.details.summary.losses); });
        add(section, tr("Recoveries"), [](const ShownRun &run) { return count(run.details.summary.recoveries); });
        add(section, tr("Repeated rounds"),
            [](const ShownRun &run) { return count(run.details.summary.replayedRounds); });
        add(section, tr("Moved by recoveries"), [](const ShownRun &run) {
            const qint64 bytes = run.details.summary.movedBytes;
            return bytes > 0 ? formatBytes(bytes) : QString();
        });
        add(section, tr("Warnings"), [](const ShownRun &run) { return count(run.details.summary.warnings); });
        add(section, tr("Errors"), [](const ShownRun &run) { return count(run.details.summary.errors); });
        add(section, tr("Unreadable lines"), [](const ShownRun &run) { return count(run.details.summary.badLines); });
        return section;
    }

    static PlanWords wordsOf(const RunDetails &run) {
        PlanWords words;
        for (const RunEvent &one : run.events) {
            if (const auto *begun = std::get_if<event::Run>(&one.body)) {
                const QJsonArray layers = begun->model.value(QLatin1String("layers")).toArray();
                for (const QJsonValue &layer : layers)
                    words.layers << layer.toObject().value(QLatin1String("name")).toString();
            } else if (const auto *device = std::get_if<event::Device>(&one.body)) {
                words.devices.insert(device->id, device->name);
            }
        }
        return words;
    }
    /// Of two runs only how many there were: what differs in them is no line.
    FactSection plans() const {
        FactSection section{tr("Plans"), {}};
        if (m_runs.size() != 1) {
            add(section, tr("Plans"), [](const ShownRun &run) { return formatCount(run.details.summary.plans); });
            return section;
        }
        const RunDetails &run = m_runs.front().details;
        std::vector<const event::Plan *> told;
        for (const RunEvent &one : run.events) {
            if (const auto *plan = std::get_if<event::Plan>(&one.body))
                told.push_back(plan);
        }
        if (told.size() > firstPlans + lastPlans)
            told.erase(told.begin() + firstPlans, told.end() - lastPlans);
        const auto leftOut = std::max(0, run.summary.plans - static_cast<int>(told.size()));
        const PlanWords words = wordsOf(run);
        for (std::size_t i = 0; i < told.size(); ++i) {
            if (i == firstPlans && leftOut > 0)
                section.facts.push_back(
                    {QString(), {tr("%n plan(s) in between are left out here.", nullptr, leftOut)}});
            const QString because = planReasonText(told[i]->reason);
            const QString from = tr("From round %1 on").arg(formatCount(told[i]->round));
            section.facts.push_back({because.isEmpty() ? from : tr("%1, %2").arg(from, because), {words.of(*told[i])}});
        }
        return section;
    }

    const std::vector<ShownRun> &m_runs;
};

class LimitWords {
    Q_DECLARE_TR_FUNCTIONS(LimitWords)
  public:
    static QStringList of(const RunDetails &a, const RunDetails &b) {
        QStringList limits;
        const RunSummary &one = a.summary, &other = b.summary;
        if (one.model != other.model) {
            limits << tr("The models differ (%1, %2): losses and speeds cannot be compared directly.")
                          .arg(one.model, other.model);
        }
        if (one.data != other.data) {
            limits
                << tr("The data differ (%1, %2): losses and accuracies cannot be compared.").arg(one.data, other.data);
        }
        if (one.batch != other.batch) {
            limits << tr("A round has %1 samples in one run and %2 in the other: compare by time, not by round.")
                          .arg(formatCount(one.batch), formatCount(other.batch));
        }
        for (const RunDetails *run : {&a, &b}) {
            if (run->loss.empty())
                limits << tr("%1 finished no round: it has no curves.").arg(runTitle(run->summary));
        }
        const bool oneTested = !a.accuracy.empty(), otherTested = !b.accuracy.empty();
        if (oneTested != otherTested) {
            limits << tr("%1 was never evaluated: there is no accuracy to compare.")
                          .arg(runTitle(oneTested ? other : one));
        }
        return limits;
    }
};

class AgainWords {
    Q_DECLARE_TR_FUNCTIONS(AgainWords)
  public:
    static bool isBrought(const Job &job) { return !isBuiltinModel(ModelName::split(job.model).base); }
    static Result<Job> train(Job job, const QString &folder) {
        if (!isBrought(job))
            return job;
        const QString network = networkOfRun(folder);
        if (!QFileInfo(network).isFile()) {
            return fail(QStringLiteral("run.no-network"), tr("The network of this run is not there."),
                        tr("%1 is gone.").arg(network), tr("Open the network on the Job page."));
        }
        job.model = network;
        job.adapters.reset();
        job.freeze.clear();
        return job;
    }
    static tl::unexpected<Error> weightsNotKept() {
        return fail(QStringLiteral("run.weights-not-kept"), tr("This run cannot be started again as it was."),
                    tr("It began with weights that came with its network, and its folder does not keep them."),
                    tr("Open the network on the Job page."));
    }
};

class TitleWords {
    Q_DECLARE_TR_FUNCTIONS(TitleWords)
  public:
    static QString of(const RunSummary &run) {
        if (!run.label.name.isEmpty())
            return run.label.name;
        // Of one whose events cannot be read nothing else is known.
        return run.model.isEmpty() ? run.id : tr("%1, %2").arg(run.model, startedText(run));
    }
};

}  // namespace

std::optional<Job> jobOf(const RunDetails &run) {
    for (const RunEvent &one : run.events) {
        if (const auto *begun = std::get_if<event::Run>(&one.body)) {
            auto job = Job::validFromJson(begun->job, QStringLiteral("the run"));
            return job ? std::optional(*std::move(job)) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<Plan> givenPlan(const RunDetails &run) {
    for (const RunEvent &one : run.events) {
        const auto *told = std::get_if<event::Plan>(&one.body);
        if (told == nullptr)
            continue;
        // Only the first one is the user's of the start; later ones belong to what happened then.
        if (told->reason != QLatin1String("user"))
            return std::nullopt;
        auto plan = Plan::fromJson(told->plan, QStringLiteral("the run"));
        return plan ? std::optional(*std::move(plan)) : std::nullopt;
    }
    return std::nullopt;
}

QString networkOfRun(const QString &folder) {
    return folder + QStringLiteral("/model.json");
}

Result<Job> jobToTrain(const Job &told, const QString &folder) {
    return AgainWords::train(told, folder);
}

Result<Job> jobToStartAgain(const Job &told, const QString &folder, const QString &weights) {
    if (AgainWords::isBrought(told) && areInitialWeights(weights))
        return AgainWords::weightsNotKept();
    return AgainWords::train(told, folder);
}

QString begunWith(const RunDetails &run) {
    const auto *begun = lastOf<event::Run>(run);
    return begun != nullptr ? begun->weights : QString();
}

std::vector<FactSection> factsOf(const std::vector<ShownRun> &runs) {
    return FactWords(runs).all();
}

QStringList comparisonLimits(const RunDetails &a, const RunDetails &b) {
    return LimitWords::of(a, b);
}

QString runTitle(const RunSummary &run) {
    return TitleWords::of(run);
}

QString plannedLength(const RunSummary &run) {
    return FactWords::length(run);
}

}  // namespace hearth
