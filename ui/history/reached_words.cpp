#include "ui/history/reached_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

class ReachedWords {
    Q_DECLARE_TR_FUNCTIONS(hearth::ReachedWords)
  public:
    static QString work(const RunSummary &run) {
        const int devices = static_cast<int>(run.devices.size());
        return tr("%1 has learnt %2 in %3 rounds and %4, on %n device(s).", nullptr, devices)
            .arg(run.model, run.data, formatCount(run.rounds), formatWholeSeconds(run.seconds));
    }
    /// Why there are fewer rounds than were planned.
    static QString end(const ShownRun &run) {
        const QString planned = plannedLength(run.details.summary);
        if (run.state == QLatin1String("stopped"))
            return tr("Training was stopped (planned: %1).").arg(planned);
        if (run.state == QLatin1String("interrupted"))
            return tr("Training was interrupted (planned: %1).").arg(planned);
        if (run.state == QLatin1String("failed")) {
            const auto *failure = lastOf<event::Failure>(run.details);
            const Sentence why = failure ? Sentence::joined({failure->error.what, failure->error.cause}) : Sentence();
            return tr("Training failed (planned: %1). %2").arg(planned, coreText(why)).trimmed();
        }
        const auto *state = lastOf<event::State>(run.details);
        if (state == nullptr || state->why.isEmpty())
            return {};
        return tr("Training ended early (planned: %1). %2").arg(planned, coreText(state->why));
    }
    static QString quality(const RunSummary &run) {
        if (std::isfinite(run.accuracy)) {
            const bool isBest = !(run.bestAccuracy > run.accuracy);
            return isBest
                       ? tr("It is right in %1 of the samples that it was evaluated on.")
                             .arg(formatPercent(run.accuracy))
                       : tr("It is right in %1 of the samples that it was evaluated on; at its best it was right in %2.")
                             .arg(formatPercent(run.accuracy), formatPercent(run.bestAccuracy));
        }
        if (std::isfinite(run.firstLoss) && std::isfinite(run.loss))
            return tr("Its loss went from %1 to %2.").arg(formatLoss(run.firstLoss), formatLoss(run.loss));
        return {};
    }
    /// What an accuracy is to be compared with, and where it errs.
    static QStringList mistakes(const RunResults &results) {
        if (results.answers != LossFacts::Answers::Classes)
            return {};
        QStringList said;
        qint64 all = 0;
        std::pair<int, qint64> commonest;
        for (const auto &[number, each] : results.details.classes) {
            all += each.labelled;
            if (each.labelled > commonest.second)
                commonest = {number, each.labelled};
        }
        if (all > 0) {
            said << tr("Always answering \"%1\" would be right in %2 of the samples.")
                        .arg(results.className(commonest.first),
                             formatPercent(static_cast<double>(commonest.second) / static_cast<double>(all)));
        }
        if (const auto pairs = results.details.mostConfused(); !pairs.empty()) {
            const auto [label, answer] = pairs.front();
            said << tr("Most often it takes %1 for %2: %n time(s).", nullptr,
                       static_cast<int>(results.details.confused.at(pairs.front()).count))
                        .arg(results.className(label), results.className(answer));
        }
        return said;
    }
    static QString trouble(const RunSummary &run) {
        return run.losses == 0
                   ? QString()
                   : tr("Devices were lost %n time(s) on the way; the run went on without them.", nullptr, run.losses);
    }
};

}  // namespace

QString reachedWords(const ShownRun &run, const std::optional<RunResults> &results) {
    const RunSummary &summary = run.details.summary;
    QStringList said{ReachedWords::work(summary), ReachedWords::end(run), ReachedWords::quality(summary)};
    if (results)
        said << ReachedWords::mistakes(*results);
    said << ReachedWords::trouble(summary);
    said.removeAll(QString());
    return said.join(QLatin1Char(' '));
}

}  // namespace hearth
