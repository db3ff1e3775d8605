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
      m_misfit(makeLabel({}, "wrong")),
      m_told(makeLabel({}, "small")),
      m_fit(makeButton(QStringLiteral("jobFitData"), tr("Fit to these data"), "")) {
    m_misfit->setObjectName(QStringLiteral("jobFit"));
    m_told->setObjectName(QStringLiteral("jobFitted"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    for (QLabel *label : {m_misfit, m_told})
        label->setWordWrap(true);
    layout->addWidget(m_misfit);
    layout->addWidget(m_fit, 0, Qt::AlignLeft);
    layout->addWidget(m_told);
    connect(m_fit, &QPushButton::clicked, this, &FitNote::fit);
    refresh();
}

const Model *FitNote::model() const {
    return m_models.modelOf(m_draft.choices().model);
}

std::optional<Error> FitNote::misfit() const {
    const std::optional<DataShape> &shape = m_samples.shape();
    return model() != nullptr && shape ? misfitOf(m_draft.choices(), *model(), *shape) : std::nullopt;
}

std::optional<FittedJob> FitNote::fitted() const {
    const std::optional<DataShape> &shape = m_samples.shape();
    return model() != nullptr && shape ? fittedTo(m_draft.choices(), *model(), *shape) : std::nullopt;
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
    const std::optional<FittedJob> wanted = fitted();
    if (!wanted)
        return;
    m_fitted = fitOf(wanted->job);
    m_told->setText(breakable(tr("Fitted to these data: %1").arg(changesOf(*wanted))));
    if (changesNetwork(*wanted))
        m_weights.takePartly();
    m_draft.fitTo(wanted->job);
}

void FitNote::refresh() {
    std::optional<Error> why = misfit();
    const std::optional<FittedJob> wanted = why ? fitted() : std::nullopt;
    // The button says what to do.
    if (wanted)
        why->advice = Sentence();
    m_misfit->setText(why ? breakable(errorText(*why)) : QString());
    m_misfit->setVisible(why.has_value());
    m_fit->setToolTip(wanted ? breakable(changesOf(*wanted)) : QString());
    m_fit->setVisible(wanted.has_value());
    // Until something else is chosen.
    if (m_fitted && *m_fitted != fitOf(m_draft.choices()))
        m_fitted.reset();
    m_told->setVisible(m_fitted.has_value());
    setVisible(why || m_fitted);
}

}  // namespace hearth
