#include "ui/job/optimizer_card.h"

#include <QCheckBox>
#include <QComboBox>

#include "ui/base/widgets.h"
#include "ui/job/job_field_edit.h"
#include "ui/run/job_value_words.h"

namespace hearth {

OptimizerCard::OptimizerCard(JobDraft &draft, QWidget *parent)
    : JobCard(tr("Optimizer"), parent),
      m_draft(draft),
      m_optimizer(new QComboBox),
      m_schedule(new QComboBox),
      m_nesterov(new QCheckBox(tr("Nesterov's form of momentum"))),
      m_scaleParameter(new QCheckBox(tr("Steps in proportion to the weights"))),
      m_relativeStep(new QCheckBox(tr("A rate of at most 1/√round"))) {
    addOptimizer();
    addSchedule();
    connect(&draft, &JobDraft::changed, this, &OptimizerCard::refresh);
    refresh();
}

void OptimizerCard::addOptimizer() {
    m_optimizer->setObjectName(QStringLiteral("jobOptimizer"));
    m_optimizer->setAccessibleName(tr("Optimizer"));
    m_optimizer->addItem(tr("SGD with momentum"), static_cast<int>(OptimizerSpec::Kind::Sgd));
    m_optimizer->addItem(tr("Adam"), static_cast<int>(OptimizerSpec::Kind::Adam));
    m_optimizer->addItem(tr("AdamW (weight decay apart)"), static_cast<int>(OptimizerSpec::Kind::AdamW));
    m_optimizer->addItem(tr("Adafactor (for large models)"), static_cast<int>(OptimizerSpec::Kind::Adafactor));
    connect(m_optimizer, &QComboBox::activated, this,
            [this] { m_draft.setOptimizer(static_cast<OptimizerSpec::Kind>(m_optimizer->currentData().toInt())); });
    const auto add = [&](JobField field, const char *name, const QString &caption) {
        body()->addWidget(new JobFieldEdit(m_draft, field, QLatin1String(name), caption, {}));
    };
    body()->addWidget(m_optimizer);
    add(JobField::LearningRate, "jobLearningRate", tr("Learning rate"));
    add(JobField::Momentum, "jobMomentum", tr("Momentum"));
    m_nesterov->setObjectName(QStringLiteral("jobNesterov"));
    connect(m_nesterov, &QCheckBox::clicked, &m_draft, &JobDraft::setNesterov);
    body()->addWidget(m_nesterov);
    m_scaleParameter->setObjectName(QStringLiteral("jobScaleParameter"));
    m_scaleParameter->setToolTip(tr("The rate is multiplied by the root mean square of each tensor."));
    connect(m_scaleParameter, &QCheckBox::clicked, &m_draft, &JobDraft::setScaleParameter);
    body()->addWidget(m_scaleParameter);
    m_relativeStep->setObjectName(QStringLiteral("jobRelativeStep"));
    m_relativeStep->setToolTip(tr("Comes before what is chosen for the rate over the run."));
    connect(m_relativeStep, &QCheckBox::clicked, &m_draft, &JobDraft::setRelativeStep);
    body()->addWidget(m_relativeStep);
    add(JobField::Beta1, "jobBeta1", tr("Decay of the mean (beta 1)"));
    add(JobField::Beta2, "jobBeta2", tr("Decay of the variance (beta 2)"));
    add(JobField::Epsilon, "jobEpsilon", tr("Epsilon"));
    add(JobField::WeightDecay, "jobWeightDecay", tr("Weight decay"));
}

void OptimizerCard::addSchedule() {
    m_schedule->setObjectName(QStringLiteral("jobSchedule"));
    m_schedule->setAccessibleName(tr("Learning rate over the run"));
    using Kind = RateSchedule::Kind;
    for (const Kind kind : {Kind::Constant, Kind::Linear, Kind::Cosine, Kind::Steps, Kind::OneCycle}) {
        RateSchedule schedule;
        schedule.kind = kind;
        m_schedule->addItem(
            jobValueText(QStringLiteral("schedule.kind"), schedule.toJson().value(QLatin1String("kind"))),
            static_cast<int>(kind));
    }
    connect(m_schedule, &QComboBox::activated, this,
            [this] { m_draft.setSchedule(static_cast<RateSchedule::Kind>(m_schedule->currentData().toInt())); });
    body()->addWidget(m_schedule);
    const auto add = [&](JobField field, const char *name, const QString &caption) {
        body()->addWidget(new JobFieldEdit(m_draft, field, QLatin1String(name), caption, {}));
    };
    add(JobField::WarmupRounds, "jobWarmupRounds", tr("Rounds of warm-up"));
    add(JobField::LastRate, "jobLastRate", tr("Part of the rate at the end"));
    add(JobField::DropEvery, "jobDropEvery", tr("Rounds between steps"));
    add(JobField::Drop, "jobDrop", tr("Factor of each step"));
}

void OptimizerCard::refresh() {
    const OptimizerSpec &optimizer = m_draft.choices().optimizer;
    m_optimizer->setCurrentIndex(m_optimizer->findData(static_cast<int>(optimizer.kind)));
    m_nesterov->setVisible(optimizer.kind == OptimizerSpec::Kind::Sgd);
    m_nesterov->setChecked(optimizer.nesterov);
    for (QCheckBox *box : {m_scaleParameter, m_relativeStep})
        box->setVisible(optimizer.kind == OptimizerSpec::Kind::Adafactor);
    m_scaleParameter->setChecked(optimizer.scaleParameter);
    m_relativeStep->setChecked(optimizer.relativeStep);
    m_schedule->setCurrentIndex(m_schedule->findData(static_cast<int>(m_draft.choices().schedule.kind)));
}

}  // namespace hearth
