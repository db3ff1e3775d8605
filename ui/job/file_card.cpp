#include "ui/job/file_card.h"

#include <QLabel>
#include <QLocale>

#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

/// 0.9999 is not 1.
QString allDigits(double value) {
    return QLocale().toString(value, 'g', QLocale::FloatingPointShortest);
}

}  // namespace

FileCard::FileCard(JobDraft &draft, QWidget *parent)
    : JobCard(tr("Only in the job's file"), parent),
      m_draft(draft),
      m_values(makeLabel({}, "")),
      m_note(makeLabel(tr("These count as well. Change them with a text editor; the manual lists all keys."), "small")),
      m_dropped(makeLabel(tr("Border and repeated channels of the input were made for other data and are left out."),
                          "small")) {
    m_values->setObjectName(QStringLiteral("jobFileValues"));
    m_dropped->setObjectName(QStringLiteral("jobFileDropped"));
    for (QLabel *label : {m_values, m_note, m_dropped}) {
        label->setWordWrap(true);
        body()->addWidget(label);
    }
    connect(&draft, &JobDraft::changed, this, &FileCard::refresh);
    refresh();
}

void FileCard::refresh() {
    const QStringList values = valuesOf(m_draft.choices());
    m_values->setText(values.join(QLatin1Char('\n')));
    for (QLabel *label : {m_values, m_note})
        label->setVisible(!values.isEmpty());
    m_dropped->setVisible(m_draft.hasDroppedBorder());
    setVisible(!values.isEmpty() || m_draft.hasDroppedBorder());
}

QString FileCard::inputWords(const InputTransform &input) {
    const InputTransform usual;
    const auto list = [](const std::vector<double> &numbers) {
        QStringList words;
        for (const double number : numbers)
            words << allDigits(number);
        return words.join(QStringLiteral("; "));  // commas stand before decimals, too
    };
    QStringList words{tr("scaled by %1").arg(allDigits(input.scale))};
    if (input.pad != usual.pad)
        words << tr("a border of %1 and %2 pixels").arg(formatCount(input.pad[0]), formatCount(input.pad[1]));
    if (input.repeatChannels != usual.repeatChannels)
        words << tr("channels repeated %1 times").arg(formatCount(input.repeatChannels));
    if (!input.mean.empty())
        words << tr("mean %1").arg(list(input.mean)) << tr("standard deviation %1").arg(list(input.deviation));
    return words.join(QStringLiteral(" · "));
}

QStringList FileCard::valuesOf(const Job &job) {
    const Job usual;
    QStringList values;
    if (job.input)
        values << tr("Input, not fitted to the data: %1").arg(inputWords(*job.input));
    if (job.asynchronous)
        values << tr("Asynchronous training: stages do not wait for each other");
    if (job.localSteps)
        values << tr("Local steps: devices average their weights every %1 batches")
                      .arg(formatCount(job.localSteps->every));
    if (job.localSteps && (job.localSteps->outerRate != 1 || job.localSteps->outerMomentum != 0))
        values << tr("Local steps: outer rate %1, outer momentum %2")
                      .arg(allDigits(job.localSteps->outerRate), allDigits(job.localSteps->outerMomentum));
    if (job.loss != usual.loss)
        values << tr("Loss: %1").arg(job.loss);
    if (job.labelSmoothing > 0)
        values << tr("Label smoothing: %1").arg(allDigits(job.labelSmoothing));
    if (job.optimizer.decay == OptimizerSpec::Decay::All)
        values << tr("Weight decay applies to biases and norms, too");
    if (job.optimizer.clipNorm > 0)
        values << tr("Gradients are clipped to a norm of %1").arg(allDigits(job.optimizer.clipNorm));
    if (job.optimizer.ema > 0)
        values << tr("Weights are averaged over time (ema %1)").arg(allDigits(job.optimizer.ema));
    if (job.prompts)
        values << tr("Prompts that are continued: %1").arg(formatCount(job.prompts->size()));
    if (job.promptTokens != usual.promptTokens)
        values << tr("Tokens that each prompt is continued by: %1").arg(formatCount(job.promptTokens));
    return values;
}

}  // namespace hearth
