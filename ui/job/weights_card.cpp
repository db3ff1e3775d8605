#include "ui/job/weights_card.h"

#include <QCheckBox>
#include <QLabel>
#include <QRadioButton>
#include <QShowEvent>
#include <utility>

#include "core/history/weights_round.h"
#include "ui/base/widgets.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

WeightsCard::WeightsCard(QWidget *parent)
    : JobCard(tr("Begins with trained weights"), parent),
      m_run(makeLabel({}, "")),
      m_last(addChoice(RunWeights::Last, QStringLiteral("startWeightsLast"), tr("Its last weights"))),
      m_best(addChoice(RunWeights::Best, QStringLiteral("startWeightsBest"), tr("Its best weights"))),
      m_partial(new QCheckBox(tr("Only those that fit"))),
      m_wrong(makeLabel({}, "wrong")) {
    setObjectName(QStringLiteral("startWeights"));
    m_run->setObjectName(QStringLiteral("startWeightsRun"));
    m_partial->setObjectName(QStringLiteral("startWeightsPartial"));
    m_partial->setToolTip(tr("By name and shape; the others are initialised from the seed. The run tells which."));
    connect(m_partial, &QCheckBox::clicked, this, [this](bool partial) {
        if (m_weights)
            m_weights->partial = partial;
    });
    m_wrong->setObjectName(QStringLiteral("startWeightsWrong"));
    QLabel *note = makeLabel(
        tr("Rounds, passes and the learning-rate schedule start again. The job's file does not hold this choice."),
        "small");
    for (QLabel *label : {m_run, m_wrong, note})
        label->setWordWrap(true);
    auto *remove = makeButton(QStringLiteral("startWeightsRemove"), tr("Remove"), "link");
    remove->setAccessibleName(tr("Remove these weights"));
    connect(remove, &QPushButton::clicked, this, [this] { setWeights({}); });
    for (QWidget *part :
         {static_cast<QWidget *>(m_run), static_cast<QWidget *>(m_last), static_cast<QWidget *>(m_best),
          static_cast<QWidget *>(m_partial), static_cast<QWidget *>(m_wrong), static_cast<QWidget *>(note)})
        body()->addWidget(part);
    body()->addWidget(remove, 0, Qt::AlignLeft);
    refresh();
}

QRadioButton *WeightsCard::addChoice(RunWeights which, const QString &name, const QString &text) {
    auto *choice = new QRadioButton(text);
    choice->setObjectName(name);
    connect(choice, &QRadioButton::clicked, this, [this, which] {
        if (m_weights)
            m_weights->which = which;
        refresh();
        Q_EMIT changed();
    });
    return choice;
}

void WeightsCard::setWeights(const std::optional<StartWeights> &weights) {
    m_weights = weights;
    refresh();
    Q_EMIT changed();
}

QString WeightsCard::told() const {
    return m_weights ? tr("Training starts from the weights of the run %1.").arg(m_weights->run) : QString();
}

void WeightsCard::takePartly() {
    if (m_weights)
        m_weights->partial = true;
    refresh();
}

std::optional<Error> WeightsCard::refusal() const {
    if (!m_weights || savedWeights(m_weights->folder, m_weights->which))
        return std::nullopt;
    return Error{QStringLiteral("weights.gone"), tr("The weights that training is to begin with are not there."),
                 tr("%1 is gone.").arg(m_weights->path()),
                 tr("Remove these weights on the Job page, or choose a run in History again.")};
}

void WeightsCard::showEvent(QShowEvent *event) {
    JobCard::showEvent(event);
    // The run may have been deleted.
    refresh();
}

void WeightsCard::refresh() {
    setVisible(m_weights.has_value());
    if (!m_weights)
        return;
    m_run->setText(breakable(told()));
    m_run->setToolTip(breakable(m_weights->folder));
    for (const auto &[which, choice] : {std::pair(RunWeights::Last, m_last), std::pair(RunWeights::Best, m_best)}) {
        const bool isThere = savedWeights(m_weights->folder, which).has_value();
        choice->setEnabled(isThere);
        const auto round = roundOfWeights(weightsPath(m_weights->folder, which));
        choice->setToolTip(!isThere ? tr("The run has none.")
                           : round  ? tr("After round %1").arg(formatCount(*round))
                                    : QString());
        if (which == m_weights->which)
            choice->setChecked(true);
    }
    m_partial->setChecked(m_weights->partial);
    const std::optional<Error> why = refusal();
    m_wrong->setText(why ? breakable(errorText(*why)) : QString());
    m_wrong->setVisible(why.has_value());
}

}  // namespace hearth
