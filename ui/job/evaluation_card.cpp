#include "ui/job/evaluation_card.h"

#include <QCheckBox>
#include <QComboBox>

#include "core/model/loss_facts.h"
#include "ui/base/widgets.h"
#include "ui/job/job_field_edit.h"

namespace hearth {

EvaluationCard::EvaluationCard(JobDraft &draft, QWidget *parent)
    : JobCard(tr("Evaluation"), parent),
      m_draft(draft),
      m_bestBy(new QComboBox),
      m_keepBest(new QCheckBox(tr("Keep the weights of the best evaluation, too"))) {
    m_bestBy->setObjectName(QStringLiteral("jobBestBy"));
    m_bestBy->setAccessibleName(tr("The best evaluation"));
    m_bestBy->addItem(tr("Best is the lowest loss"), static_cast<int>(BestBy::Loss));
    m_bestBy->addItem(tr("Best is the highest accuracy"), static_cast<int>(BestBy::Accuracy));
    // As wide as the card, whatever language says it.
    m_bestBy->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_bestBy, &QComboBox::activated, this,
            [this] { m_draft.setBestBy(static_cast<BestBy>(m_bestBy->currentData().toInt())); });
    m_keepBest->setObjectName(QStringLiteral("jobKeepBest"));
    connect(m_keepBest, &QCheckBox::clicked, &m_draft, &JobDraft::setKeepBest);
    body()->addWidget(new JobFieldEdit(m_draft, JobField::EvaluateEvery, QStringLiteral("jobEvaluateEvery"),
                                       tr("Evaluate every … rounds"), tr("0: only when asked.")));
    body()->addWidget(new JobFieldEdit(m_draft, JobField::Validation, QStringLiteral("jobValidation"),
                                       tr("Part of the training samples to set aside for it"),
                                       tr("0: on the test set, or the data's own for validation.")));
    body()->addWidget(m_bestBy);
    body()->addWidget(new JobFieldEdit(m_draft, JobField::Patience, QStringLiteral("jobPatience"),
                                       tr("End after … evaluations without a better one"),
                                       tr("0: the run does all its rounds.")));
    body()->addWidget(m_keepBest);
    connect(&draft, &JobDraft::changed, this, &EvaluationCard::refresh);
    refresh();
}

void EvaluationCard::refresh() {
    const Job &choices = m_draft.choices();
    m_bestBy->setCurrentIndex(m_bestBy->findData(static_cast<int>(choices.bestBy)));
    // Answers that are numbers have no accuracy.
    m_bestBy->setVisible(LossFacts::byName(choices.loss)->answers != LossFacts::Answers::Numbers);
    m_keepBest->setChecked(choices.keepBest);
}

}  // namespace hearth
