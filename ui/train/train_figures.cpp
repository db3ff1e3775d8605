#include "ui/train/train_figures.h"

#include <QHBoxLayout>
#include <cmath>

#include "ui/base/widgets.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

std::array<ShownFigure, 5> figuresOf(const RunModel &run) {
    const QString none = QStringLiteral("–");
    std::array<ShownFigure, 5> figures{{{TrainFigures::tr("Round"), none, {}},
                                        {TrainFigures::tr("Samples per second"), none, {}},
                                        {TrainFigures::tr("Loss"), none, {}},
                                        {TrainFigures::tr("Accuracy"), none, {}},
                                        {TrainFigures::tr("Time left"), none, {}}}};
    auto &[round, speed, loss, accuracy, left] = figures;
    if (!run.rounds().empty() && run.firstRound()) {
        const RoundPoint &last = run.rounds().back();
        const qint64 total = run.totalRounds();
        round.value = formatCount(last.round);
        if (total > 0)
            round.note = TrainFigures::tr("of %1").arg(formatCount(total));
        speed.value = formatNumber(last.smoothed);
        if (std::isfinite(last.predicted))
            speed.note = TrainFigures::tr("predicted %1").arg(formatNumber(last.predicted));
        loss.value = formatLoss(last.loss);
        loss.note = TrainFigures::tr("first %1").arg(formatLoss(run.firstRound()->loss));
        const QString spent = formatWholeSeconds(run.lastT());
        if (run.isLive()) {
            left.value = formatWholeSeconds(run.secondsLeft());
            left.note = TrainFigures::tr("%1 so far").arg(spent);
        } else {
            // One that ended early has rounds left, and nobody does them.
            if (run.state() == QLatin1String("finished"))
                left.value = formatWholeSeconds(0);
            left.note = TrainFigures::tr("%1 in all").arg(spent);
        }
    }
    if (!run.evaluations().empty()) {
        const EvaluationPoint &last = run.evaluations().back();
        if (std::isfinite(last.accuracy))
            accuracy.value = formatPercent(last.accuracy);
        if (last.round > 0)
            accuracy.note = TrainFigures::tr("after round %1").arg(formatCount(last.round));
        else if (run.only().isEmpty())
            accuracy.note = TrainFigures::tr("before the first round");
        if (run.best() && run.best()->round < last.round)
            accuracy.note = TrainFigures::tr("after round %1, best after %2")
                                .arg(formatCount(last.round), formatCount(run.best()->round));
    }
    if (run.evaluating())
        accuracy.note = TrainFigures::tr("evaluating: %1").arg(formatPercent(*run.evaluating()));
    return figures;
}

TrainFigures::TrainFigures(const RunModel &run, QWidget *parent) : QWidget(parent), m_run(run) {
    constexpr std::array names{"figureRound", "figureSpeed", "figureLoss", "figureAccuracy", "figureTimeLeft"};
    const auto figures = figuresOf(run);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        m_figures[i] = new Figure(QLatin1String(names[i]), figures[i].caption);
        layout->addWidget(m_figures[i]);
    }
    connect(&run, &RunModel::cleared, this, &TrainFigures::refresh);
    refresh();
}

void TrainFigures::setCompact(bool compact) {
    for (Figure *figure : m_figures)
        figure->setCompact(compact);
}

void TrainFigures::refresh() {
    const auto figures = figuresOf(m_run);
    for (std::size_t i = 0; i < m_figures.size(); ++i)
        m_figures[i]->setValue(figures[i].value, figures[i].note);
}

}  // namespace hearth
