#include "ui/job/file_card.h"

#include <QLabel>
#include <QLocale>

#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/words/format.h"

namespace hearth {

FileCard::FileCard(JobDraft &draft, QWidget *parent)
    : JobCard(tr("Only in the job's file"), parent), m_draft(draft), m_values(makeLabel({}, "")) {
    m_values->setObjectName(QStringLiteral("jobFileValues"));
    m_values->setWordWrap(true);
    QLabel *note =
        makeLabel(tr("These count as well. Change them with a text editor; the manual lists all keys."), "small");
    note->setWordWrap(true);
    body()->addWidget(m_values);
    body()->addWidget(note);
    connect(&draft, &JobDraft::changed, this, &FileCard::refresh);
    refresh();
}

void FileCard::refresh() {
    const QStringList values = valuesOf(m_draft.choices());
    m_values->setText(values.join(QLatin1Char('\n')));
    setVisible(!values.isEmpty());
}

QStringList FileCard::valuesOf(const Job &job) {
    const Job usual;
    // 0.9999 is not 1.
    const auto whole = [](double value) { return QLocale().toString(value, 'g', QLocale::FloatingPointShortest); };
    QStringList values;
    if (job.asynchronous)
        values << tr("Asynchronous training: stages do not wait for each other");
    if (job.localSteps)
        values << tr("Local steps: devices average their weights every %1 batches")
                      .arg(formatCount(job.localSteps->every));
    if (job.loss != usual.loss)
        values << tr("Loss: %1").arg(job.loss);
    if (job.labelSmoothing > 0)
        values << tr("Label smoothing: %1").arg(whole(job.labelSmoothing));
    if (job.optimizer.clipNorm > 0)
        values << tr("Gradients are clipped to a norm of %1").arg(whole(job.optimizer.clipNorm));
    if (job.optimizer.ema > 0)
        values << tr("Weights are averaged over time (ema %1)").arg(whole(job.optimizer.ema));
    if (job.prompts)
        values << tr("Prompts that are continued: %1").arg(formatCount(job.prompts->size()));
    return values;
}

}  // namespace hearth
