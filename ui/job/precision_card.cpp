#include "ui/job/precision_card.h"

#include <QComboBox>

#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/run/job_value_words.h"

namespace hearth {

PrecisionCard::PrecisionCard(JobDraft &draft, QWidget *parent)
    : JobCard(tr("Precision"), parent), m_draft(draft), m_precision(new QComboBox), m_note(makeLabel({}, "small")) {
    m_precision->setObjectName(QStringLiteral("jobPrecision"));
    m_precision->setAccessibleName(tr("Precision"));
    for (const Precision each : {Precision::Float32, Precision::Bfloat16, Precision::Float64})
        m_precision->addItem(jobValueText(QStringLiteral("precision"), precisionName(each)), static_cast<int>(each));
    // As wide as the card, whatever language says it.
    m_precision->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_precision, &QComboBox::activated, this,
            [this] { m_draft.setPrecision(static_cast<Precision>(m_precision->currentData().toInt())); });
    m_note->setObjectName(QStringLiteral("jobPrecisionNote"));
    m_note->setWordWrap(true);
    body()->addWidget(m_precision);
    body()->addWidget(m_note);
    connect(&draft, &JobDraft::changed, this, &PrecisionCard::refresh);
    refresh();
}

void PrecisionCard::refresh() {
    const Precision precision = m_draft.choices().precision;
    m_precision->setCurrentIndex(m_precision->findData(static_cast<int>(precision)));
    switch (precision) {
        case Precision::Float32:
            m_note->setText(tr("What networks are usually trained in."));
            break;
        case Precision::Bfloat16:
            m_note->setText(
                tr("Devices that are faster in bfloat16 use it for large products; others compute in float32. Weights, "
                   "gradients and what is sent stay float32."));
            break;
        case Precision::Float64:
            m_note->setText(tr("To compare results exactly: slower, and twice the memory."));
            break;
    }
}

}  // namespace hearth
