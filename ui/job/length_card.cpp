#include "ui/job/length_card.h"

#include <QCheckBox>
#include <QComboBox>

#include "ui/base/widgets.h"
#include "ui/job/job_field_edit.h"

namespace hearth {

LengthCard::LengthCard(JobDraft &draft, QWidget *parent)
    : JobCard(tr("Duration"), parent),
      m_draft(draft),
      m_length(new QComboBox),
      m_shuffle(new QCheckBox(tr("Shuffle the samples anew in each pass"))) {
    m_length->setObjectName(QStringLiteral("jobLength"));
    m_length->setAccessibleName(tr("Duration"));
    m_length->addItem(tr("A number of rounds"), false);
    m_length->addItem(tr("A number of passes over the data"), true);
    connect(m_length, &QComboBox::activated, this, [this] { m_draft.setByEpochs(m_length->currentData().toBool()); });
    body()->addWidget(m_length);
    const auto add = [&](JobField field, const char *name, const QString &caption, const QString &hint) {
        auto *edit = new JobFieldEdit(m_draft, field, QLatin1String(name), caption, hint);
        body()->addWidget(edit);
        return edit;
    };
    add(JobField::Rounds, "jobRounds", tr("Rounds"), tr("One round is one step of the optimizer."));
    add(JobField::Epochs, "jobEpochs", tr("Passes"), tr("Each sample is seen once in a pass."));
    add(JobField::Batch, "jobBatch", tr("Samples per round"), tr("Split automatically."));
    add(JobField::MicroBatch, "jobMicroBatch", tr("Samples per micro-batch"), tr("Empty: the planner chooses."));
    m_seed = add(JobField::Seed, "jobSeed", tr("Seed"), {});
    m_shuffle->setObjectName(QStringLiteral("jobShuffle"));
    connect(m_shuffle, &QCheckBox::clicked, &m_draft, &JobDraft::setShuffle);
    body()->addWidget(m_shuffle);
    connect(&draft, &JobDraft::changed, this, &LengthCard::refresh);
    refresh();
}

void LengthCard::refresh() {
    m_length->setCurrentIndex(m_draft.byEpochs() ? 1 : 0);
    m_shuffle->setChecked(m_draft.choices().shuffle);
    m_seed->setHint(m_draft.choices().isSameAnywhere() ? tr("The same seed gives the same run on any devices.")
                                                       : tr("The same seed gives the same run with the same plan."));
}

}  // namespace hearth
