#include "ui/job/fit_note.h"

#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/job/model_list.h"
#include "ui/job/part_of_job.h"
#include "ui/job/sample_sheet.h"
#include "ui/job/weights_card.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

/// Of a job what is fitted, and to what.
Job fitOf(const Job &job) {
    return partOf(job, &Job::data, &Job::model, &Job::loss);
}

}  // namespace

FitNote::FitNote(JobDraft &draft, const ModelList &models, const SampleSheet &samples, WeightsCard &weights,
                 QWidget *parent)
    : QWidget(parent),
      m_draft(draft),
      m_models(models),
      m_samples(samples),
      m_weights(weights),
      m_why(makeLabel({}, "wrong")),
      m_told(makeLabel({}, "small")),
      m_fit(makeButton(QStringLiteral("jobFitData"), tr("Fit to these data"), "")) {
    m_why->setObjectName(QStringLiteral("jobFit"));
    m_told->setObjectName(QStringLiteral("jobFitted"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    for (QLabel *label : {m_why, m_told})
        label->setWordWrap(true);
    layout->addWidget(m_why);
    layout->addWidget(m_fit, 0, Qt::AlignLeft);
    layout->addWidget(m_told);
    connect(m_fit, &QPushButton::clicked, this, &FitNote::fit);
    refresh();
}

bool FitNote::changesNetwork(const FittedJob &fitted) const {
    return m_weights.weights() && fitted.job.model != m_draft.choices().model;
}

QString FitNote::changesOf(const FittedJob &fitted) const {
    QStringList changes;
    for (const Sentence &change : fitted.changes)
        changes << coreText(change);
    if (changesNetwork(fitted))
        changes << tr("Only those of the chosen weights that fit are taken.");
    return changes.join(QLatin1Char(' '));
}

void FitNote::fit() {
    if (!m_misfit || !m_misfit->fitted)
        return;
    // What the draft then says replaces it.
    const FittedJob wanted = *m_misfit->fitted;
    m_fitted = fitOf(wanted.job);
    m_told->setText(breakable(tr("Fitted to these data: %1").arg(changesOf(wanted))));
    if (changesNetwork(wanted))
        m_weights.takePartly();
    m_draft.fitTo(wanted.job);
}

void FitNote::refresh() {
    const Job &job = m_draft.choices();
    const Model *model = m_models.modelOf(job.model);
    const std::optional<DataShape> &shape = m_samples.shape();
    std::optional<Asked> asked;
    if (model != nullptr && shape) {
        asked = Asked{partOf(job, &Job::model, &Job::data, &Job::input, &Job::fit, &Job::augment, &Job::loss,
                             &Job::labelSmoothing, &Job::bestBy),
                      m_models.readings(), *shape};
    }
    // To find a cure may open files, and with every number that is typed nothing else is asked.
    if (asked && asked != m_asked) {
        m_asked = asked;
        m_found = misfitOf(job, *model, *shape);
    }
    m_misfit = asked ? m_found : std::nullopt;
    std::optional<Error> why = misfit();
    const std::optional<FittedJob> wanted = m_misfit ? m_misfit->fitted : std::nullopt;
    // The button says what to do.
    if (wanted)
        why->advice = Sentence();
    m_why->setText(why ? breakable(errorText(*why)) : QString());
    m_why->setVisible(why.has_value());
    m_fit->setToolTip(wanted ? breakable(changesOf(*wanted)) : QString());
    m_fit->setVisible(wanted.has_value());
    // Until something else is chosen.
    if (m_fitted && *m_fitted != fitOf(job))
        m_fitted.reset();
    m_told->setVisible(m_fitted.has_value());
    setVisible(why || m_fitted);
}

}  // namespace hearth
