#include "ui/train/train_figures.h"

#include <QHBoxLayout>
#include <cmath>

#include "ui/base/widgets.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

TrainFigures::TrainFigures(const RunModel &run, QWidget *parent)
    : QWidget(parent),
      m_run(run),
      m_round(new Figure(QStringLiteral("figureRound"), tr("Round"))),
      m_speed(new Figure(QStringLiteral("figureSpeed"), tr("Samples per second"))),
      m_loss(new Figure(QStringLiteral("figureLoss"), tr("Loss"))),
      m_accuracy(new Figure(QStringLiteral("figureAccuracy"), tr("Accuracy"))),
      m_left(new Figure(QStringLiteral("figureTimeLeft"), tr("Time left"))) {
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    for (Figure *figure : {m_round, m_speed, m_loss, m_accuracy, m_left})
        layout->addWidget(figure);
    connect(&run, &RunModel::cleared, this, &TrainFigures::clear);
    clear();
}

void TrainFigures::clear() {
    for (Figure *figure : {m_round, m_speed, m_loss, m_accuracy, m_left})
        figure->setValue(QStringLiteral("–"));
}

void TrainFigures::setCompact(bool compact) {
    for (Figure *figure : {m_round, m_speed, m_loss, m_accuracy, m_left})
        figure->setCompact(compact);
}

void TrainFigures::refresh() {
    if (!m_run.rounds().empty() && m_run.firstRound()) {
        const RoundPoint &last = m_run.rounds().back();
        const qint64 total = m_run.totalRounds();
        m_round->setValue(formatCount(last.round), total > 0 ? tr("of %1").arg(formatCount(total)) : QString());
        const bool predicted = std::isfinite(last.predicted);
        m_speed->setValue(formatNumber(last.smoothed),
                          predicted ? tr("predicted %1").arg(formatNumber(last.predicted)) : QString());
        m_loss->setValue(formatLoss(last.loss), tr("first %1").arg(formatLoss(m_run.firstRound()->loss)));
        const QString spent = formatWholeSeconds(m_run.lastT());
        if (m_run.isLive())
            m_left->setValue(formatWholeSeconds(m_run.secondsLeft()), tr("%1 so far").arg(spent));
        else
            // One that ended early has rounds left, and nobody does them.
            m_left->setValue(m_run.state() == QLatin1String("finished") ? formatWholeSeconds(0) : QStringLiteral("–"),
                             tr("%1 in all").arg(spent));
    }
    QString accuracy = QStringLiteral("–"), note;
    if (!m_run.evaluations().empty()) {
        const EvaluationPoint &last = m_run.evaluations().back();
        if (std::isfinite(last.accuracy))
            accuracy = formatPercent(last.accuracy);
        if (last.round > 0)
            note = tr("after round %1").arg(formatCount(last.round));
        else if (m_run.only().isEmpty())
            note = tr("before the first round");
        if (m_run.best() && m_run.best()->round < last.round)
            note = tr("after round %1, best after %2").arg(formatCount(last.round), formatCount(m_run.best()->round));
    }
    if (m_run.evaluating())
        note = tr("evaluating: %1").arg(formatPercent(*m_run.evaluating()));
    m_accuracy->setValue(accuracy, note);
}

}  // namespace hearth
